// Keyboard shortcuts of every page: ? lists them, and g opens other pages.

const help = /** @type {HTMLDialogElement} */ (document.getElementById('keys'));
/** @type {Record<string, () => string | undefined>} */
const places = {
  h: () => '/',
  f: () => '/favorites',
  r: () => /** @type {HTMLAnchorElement | null} */ (document.querySelector('main a.repository'))?.href,
};
let isGoing = false;

document.addEventListener('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
  const isTyping = /** @type {Element} */ (target).closest('input, textarea, select, [contenteditable]');
  if (isTyping || ctrlKey || metaKey || altKey || key === 'Shift') return;
  const place = isGoing ? places[key]?.() : undefined;
  isGoing = key === 'g';
  if (place) location.assign(place);
  else if (key === '?') help.showModal();
});

// A click beside the dialog closes it.
help.onclick = ({ target }) => {
  if (target === help) help.close();
};
