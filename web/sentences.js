// Pointing at a sentence marks its numbers and lines; a click or Enter opens them, and only they stay marked.

/** @param {Element} place */
const idsOf = (place) => (place.getAttribute('data-sentences') ?? '').split(' ');
/** @param {Element} sentence */
const citing = ({ id }) => `[data-sentences~="${id}"]`;
/** @param {string} selector @param {ParentNode} within */
const all = (selector, within = document) =>
  /** @type {HTMLElement[]} */ ([...within.querySelectorAll(selector)]);
/** @param {string} selector @param {ParentNode} [within] */
const details = (selector, within) => /** @type {HTMLDetailsElement[]} */ (all(selector, within));

for (const item of all('.item')) {
  const sentences = all('[data-sentence]', item);
  const files = details('.evidence details', item);
  /** @type {HTMLElement | null} */
  let pointed = null;
  /** @type {HTMLElement | null} */
  let opened = null;

  const mark = () => {
    const one = pointed ?? opened;
    const open = files.filter((file) => file.open).flatMap((file) => all('[data-sentences]', file));
    const ids = one ? [one.id] : open.flatMap(idsOf);
    // Where all are meant, an underline would tell nothing.
    const isTelling = one !== null || !sentences.every(({ id }) => ids.includes(id));
    for (const { id, classList } of sentences) classList.toggle('marked', isTelling && ids.includes(id));
    for (const place of all('[data-sentences]', item))
      place.classList.toggle(
        'marked',
        (isTelling || place.matches('.line')) && idsOf(place).some((id) => ids.includes(id)),
      );
  };
  /** @param {HTMLElement | null} sentence */
  const point = (sentence) => {
    pointed = sentence;
    mark();
  };
  /** @param {HTMLElement} sentence */
  const open = (sentence) => {
    opened = opened === sentence ? null : sentence;
    const own = citing(sentence);
    for (const file of files) file.open = opened !== null && file.querySelector(own) !== null;
    if (opened) for (const gap of details('.gap', item)) if (gap.querySelector(own)) gap.open = true;
    mark();
  };
  for (const sentence of sentences) {
    sentence.tabIndex = -1;
    sentence.onpointerenter = sentence.onfocus = () => point(sentence);
    sentence.onpointerleave = sentence.onblur = () => point(null);
    sentence.onclick = () => {
      // Who selects words of it wants those.
      if (getSelection()?.isCollapsed !== false) open(sentence);
    };
    sentence.onkeydown = ({ key }) => {
      if (key === 'Enter') open(sentence);
    };
  }
  for (const file of files)
    file.addEventListener('toggle', () => {
      if (opened && !file.open && file.querySelector(citing(opened))) opened = null;
      mark();
    });
}

const files = details('.evidence details');
const button = document.getElementById('evidence');
const areOpen = () => files.every(({ open }) => open);
function openAll() {
  const isOpen = !areOpen();
  for (const file of files) file.open = isOpen;
}
if (button && files.length > 0) {
  button.hidden = false;
  button.onclick = openAll;
  for (const file of files)
    file.addEventListener('toggle', () => button.setAttribute('aria-pressed', String(areOpen())));
}
for (const help of all('.keys')) help.hidden = false;

/** @param {1 | -1} step */
function goOn(step) {
  const sentences = all('.item [data-sentence]');
  const at = sentences.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const first = sentences.findIndex((one) => one.getBoundingClientRect().top >= 0);
  sentences[at < 0 ? Math.max(0, first) : at + step]?.focus();
}

document.addEventListener('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
  const isTyping = /** @type {Element} */ (target).closest('input, textarea, select, [contenteditable]');
  if (isTyping || ctrlKey || metaKey || altKey) return;
  if (key === 'e') openAll();
  else if (key === 'j') goOn(1);
  else if (key === 'k') goOn(-1);
});
