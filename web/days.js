const days = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium' });

/**
 * Shows days as the reader's time zone has them: pages, which everybody gets alike, have those of UTC.
 * @param {Document} page
 */
export function showLocalDays(page) {
  for (const time of page.querySelectorAll('time')) time.textContent = days.format(new Date(time.dateTime));
}
