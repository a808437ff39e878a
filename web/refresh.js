import { loadPage } from './load-page.js';

/**
 * Brings parts of the page up to what it shows now, each by its id. What the reader is using stays as it is. False where the
 * page no longer has all of them, as when a session has ended; null where it could not be loaded.
 * @param {string[]} ids
 */
export async function refresh(ids) {
  const address = new URL(location.href);
  // Which tab shows by itself may be another one by now.
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
