const isoMoment = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Calendars have no year 0, and PostgreSQL takes none; years of five digits are written otherwise. */
const firstMoment = Date.parse('0001-01-01T00:00:00Z');
const endOfMoments = Date.parse('+010000-01-01T00:00:00Z');

/** A day, which begins at 00:00 UTC, or a moment, in ISO 8601; null for what is none. */
export function parseMoment(text: string): Date | null {
  const moment = new Date(isoMoment.test(text) ? text : Number.NaN);
  const isHeld = moment.getTime() >= firstMoment && moment.getTime() < endOfMoments;
  return isHeld && isOnCalendar(text) ? moment : null;
}

/** The thirty-first of a shorter month is read as a day of the next. */
function isOnCalendar(text: string): boolean {
  const day = text.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
