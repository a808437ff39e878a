import { loadPage } from './load-page.js';

const pauseMs = 200;
const mostShown = 6;

/**
 * Searches as the reader types: in place on the search page, elsewhere in a list below the field.
 * @param {HTMLInputElement} field
 */
export function searchAsTyped(field) {
  const isSearchPage = location.pathname === '/find';
  const list = document.createElement('ul');
  list.className = 'found-list';
  list.hidden = true;
  field.after(list);
  // The reader may have typed before this module was loaded.
  let searched = field.defaultValue.trim();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** @param {Document} page */
  const showList = (page) => {
    const titles = [...page.querySelectorAll('.row.found h2 a')].slice(0, mostShown);
    const items = titles.map((title) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.href = title.getAttribute('href') ?? '';
      link.lang = /** @type {HTMLElement} */ (title).lang;
      const place = document.createElement('small');
      place.textContent = title.closest('.row')?.querySelector('.repository')?.textContent ?? '';
      link.append(title.textContent ?? '', ' ', place);
      item.append(link);
      return item;
    });
    list.replaceChildren(...items);
    list.hidden = items.length === 0;
  };

  const search = async () => {
    const typed = field.value.trim();
    if (typed === searched) return;
    searched = typed;
    // One character matches nearly everything, and a number has its own page.
    if (typed.length < 2 || /[#!]\d*$|:\/\//.test(typed)) {
      list.hidden = true;
      return;
    }
    const address = `/find?q=${encodeURIComponent(typed)}`;
    const page = await loadPage(address).catch(() => null);
    if (!page || typed !== field.value.trim()) return;
    const [shown, found] = [document.querySelector('main'), page.querySelector('main')];
    if (!isSearchPage) showList(page);
    else if (shown && found) {
      shown.replaceWith(found);
      document.title = page.title;
      history.replaceState(null, '', address);
    }
  };

  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(search, pauseMs);
  });
  field.form?.addEventListener('focusout', ({ relatedTarget }) => {
    if (!field.form?.contains(/** @type {Node | null} */ (relatedTarget))) list.hidden = true;
  });
  field.form?.addEventListener('keydown', ({ key, target }) => {
    const links = [...list.querySelectorAll('a')];
    const place = links.indexOf(/** @type {HTMLAnchorElement} */ (target));
    if (key === 'Escape') list.hidden = true;
    else if (key === 'ArrowDown') (links[place + 1] ?? field).focus();
    else if (key === 'ArrowUp') (links[place < 0 ? links.length - 1 : place - 1] ?? field).focus();
  });
  search();
}
