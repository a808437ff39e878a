import { loadPage } from './load-page.js';

// Loads the lines next to a hunk from the page that their link leads to.

/**
 * Aligns lines whose common indentation was cut differently: those with the wider margin move right.
 * @param {Element | null} place What they are put into.
 * @param {Element[]} added
 * @param {string | undefined} margin Of those.
 */
function align(place, added, margin) {
  const lines = /** @type {HTMLElement | null | undefined} */ (place?.closest('.lines'));
  const own = lines?.dataset.indent;
  if (!lines || own === undefined || margin === undefined) return;
  /** @param {Element} line */
  const isAdded = (line) => added.some((one) => one.contains(line));
  for (const one of lines.querySelectorAll('.indent'))
    if (one.closest('[data-indent]') === lines)
      one.prepend(isAdded(one) ? margin.slice(own.length) : own.slice(margin.length));
  if (margin.length < own.length) lines.dataset.indent = margin;
}

for (const gap of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('details[data-indent]')))
  gap.ontoggle = () => {
    const margin = gap.dataset.indent;
    delete gap.dataset.indent;
    align(gap, [gap], margin);
  };

document.addEventListener('click', async (event) => {
  const link = /** @type {Element} */ (event.target).closest('a.gap');
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    const loaded = /** @type {HTMLElement | null} */ ((await loadPage(link.href)).querySelector('.lines'));
    if (!loaded) throw new Error();
    const added = [...loaded.children];
    const lines = link.parentElement;
    const further = /** @type {HTMLElement | undefined} */ (added.find((one) => one.matches('a')));
    link.replaceWith(...added);
    align(lines, added, loaded.dataset.indent);
    // The link that had the focus was replaced.
    if (!further) lines?.setAttribute('tabindex', '-1');
    (further ?? lines)?.focus({ preventScroll: true });
  } catch {
    // If the lines cannot be loaded, the page of the link shows why.
    location.assign(link.href);
  }
});
