import { loadPage } from './load-page.js';

/**
 * Updates parts of the page by id, except a part that the reader is using. False if the page no longer has all of them,
 * such as after the session ended; null if it could not be loaded.
 * @param {string[]} ids
 */
export async function refresh(ids) {
  const address = new URL(location.href);
  // The tab is named, because the default one may have changed.
  const tab = document.querySelector('#tabs [aria-current]')?.getAttribute('href');
  const name = tab && new URL(tab, address).searchParams.get('tab');
  if (name) address.searchParams.set('tab', name);
  const now = await loadPage(address.href).catch(() => null);
  if (!now) return null;
  const parts = ids.map((id) => ({ shown: document.getElementById(id), fresh: now.getElementById(id) }));
  for (const { shown, fresh } of parts) {
    if (!shown || !fresh || shown.contains(document.activeElement)) continue;
    if (shown.outerHTML !== fresh.outerHTML) shown.replaceWith(fresh);
  }
  return parts.every(({ fresh }) => fresh !== null);
}
