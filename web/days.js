const days = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium' });

/**
 * Changes dates to the reader's time zone. Pages have dates in UTC, because all readers get the same page.
 * @param {Document} page
 */
export function showLocalDays(page) {
  for (const time of page.querySelectorAll('time')) time.textContent = days.format(new Date(time.dateTime));
}
