import { showLocalDays } from './days.js';

showLocalDays(document);

const root = document.documentElement;
const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('[data-appearance]'));

function showAppearance() {
  const chosen = root.dataset.theme ?? 'system';
  for (const button of buttons)
    button.setAttribute('aria-pressed', String(button.dataset.appearance === chosen));
}

/** @param {string | undefined} appearance */
function choose(appearance) {
  if (appearance === 'light' || appearance === 'dark') root.dataset.theme = appearance;
  else delete root.dataset.theme;
  try {
    localStorage.setItem('appearance', appearance ?? 'system');
  } catch {
    // If the choice cannot be stored, it applies to this page only.
  }
  showAppearance();
}

for (const button of buttons) {
  button.addEventListener('click', () => choose(button.dataset.appearance));
  const row = /** @type {HTMLElement | null} */ (button.closest('[hidden]'));
  if (row) row.hidden = false;
}
showAppearance();

/** Matches text that may name a pull request or repository. */
const place = /^(?:(?:https?|ssh|git):\/\/\S+|(?:git@[\w.-]+:)?[\w.-]+\/[\w.-]+(?:[#!]\d+)?)$/;

// Text pasted anywhere goes into the search field.
document.addEventListener('paste', (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest('input, textarea, select, [contenteditable]')) return;
  const pasted = event.clipboardData?.getData('text/plain').trim() ?? '';
  if (pasted.length <= 2000 && place.test(pasted)) location.assign(`/go?url=${encodeURIComponent(pasted)}`);
});

const field = /** @type {HTMLInputElement | null} */ (document.querySelector('.paste [name="url"]'));
field?.addEventListener(
  'focus',
  async () => {
    const { searchAsTyped } = await import('./search.js');
    searchAsTyped(field);
  },
  { once: true },
);

document.addEventListener('keydown', (event) => {
  const isTyping = /** @type {HTMLElement} */ (event.target).closest('input, textarea, select');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field?.select();
  field?.focus();
});
