/** A number as hosts count; null for anything else. */
export const countIn = (header: string | undefined): number | null =>
  /^\d{1,15}$/.test(header ?? '') ? Number(header) : null;

/** The one form of a date that is sent. */
const dateForm = /^[A-Z][a-z]{2}, .{1,40} GMT$/;

/** How many milliseconds a Retry-After has one wait, which it says in seconds or by a date; null where it says no such time. */
export function waitIn(header: string | undefined, now: Date): number | null {
  const waitMs = dateForm.test(header ?? '')
    ? Date.parse(header ?? '') - now.getTime()
    : (countIn(header) ?? 0) * 1000;
  return waitMs > 0 ? waitMs : null;
}
