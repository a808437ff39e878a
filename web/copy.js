const told = document.getElementById('copied');
let timer = 0;

/** @param {string | undefined} words */
function tell(words = '') {
  if (!told) return;
  told.textContent = words;
  clearTimeout(timer);
  timer = setTimeout(tell, 4_000);
}

/** The visible lines of a hunk as they are after the change. @param {Element | null} figure */
const linesOf = (figure) =>
  [...(figure?.querySelectorAll('.line:not(.removed)') ?? [])]
    .filter((line) => line.checkVisibility())
    .map((line) => [...line.querySelectorAll('.indent, code')].map((part) => part.textContent).join(''))
    .join('\n');

/** @param {HTMLElement} button */
async function textOf(button) {
  const { copy, copyFrom } = button.dataset;
  if (copy) return new URL(copy, location.href).href;
  if (!copyFrom) return linesOf(button.closest('figure'));
  const response = await fetch(copyFrom, { headers: { accept: 'text/markdown' } });
  if (!response.ok) throw new Error(String(response.status));
  return response.text();
}

/** @param {Promise<string>} text */
async function copy(text) {
  // A promise, because some browsers allow copying only directly after the click.
  if (navigator.clipboard)
    return navigator.clipboard.write([
      new ClipboardItem({ 'text/plain': text.then((said) => new Blob([said], { type: 'text/plain' })) }),
    ]);
  const said = await text;
  // Without https, browsers offer no other way.
  document.addEventListener(
    'copy',
    (event) => {
      event.clipboardData?.setData('text/plain', said);
      event.preventDefault();
    },
    { once: true },
  );
  if (!document.execCommand('copy')) throw new Error('refused');
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('.copy'))) {
  button.hidden = false;
  button.onclick = () =>
    copy(textOf(button)).then(
      () => tell(told?.dataset.done),
      () => tell(told?.dataset.failed),
    );
}
