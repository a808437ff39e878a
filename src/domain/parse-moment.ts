const isoMoment = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** A day, which begins at 00:00 UTC, or a moment, in ISO 8601; null for what is none. */
export function parseMoment(text: string): Date | null {
  const moment = new Date(isoMoment.test(text) ? text : Number.NaN);
  return Number.isNaN(moment.getTime()) || !isOnCalendar(text) ? null : moment;
}

/** The thirty-first of a shorter month is read as a day of the next. */
function isOnCalendar(text: string): boolean {
  const day = text.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
