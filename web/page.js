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
    // It then holds for this page.
  }
  showAppearance();
}

for (const button of buttons) {
  button.addEventListener('click', () => choose(button.dataset.appearance));
  const row = /** @type {HTMLElement | null} */ (button.closest('[hidden]'));
  if (row) row.hidden = false;
}
showAppearance();
