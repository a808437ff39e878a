export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

export function nextUtcDay(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() + 1));
}

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

const day = 24 * 60 * 60 * 1000;

export const rankingPeriods = {
  daily: day,
  weekly: 7 * day,
  monthly: 30 * day,
  yearly: 365 * day,
  all: null,
} as const;

export type RankingPeriod = keyof typeof rankingPeriods;

export const rankingPeriodNames = ['daily', 'weekly', 'monthly', 'yearly', 'all'] as const;

const hour = 60 * 60 * 1000;
const dayMs = 24 * hour;

export const retentionMs = {
  finishedJobs: dayMs,
  /** A client that began to read a diff may go on when it was replaced or has gone: the largest, on a slow line. */
  replacedDiffs: hour,
  /** Longer than any request to a host takes. */
  withdrawnGrants: dayMs,
  /** Since a pull request without an article was last fetched or read. */
  unusedPullRequests: 7 * dayMs,
  /** After it, what could not be read may be tried once more, which costs what `WRITING_SECONDS` allows. */
  unreadableDiffs: 7 * dayMs,
  /** Pictures beside links are looked at in the days after these are shared, and can be drawn again. */
  cards: 30 * dayMs,
  /** Twice as long as GitHub lets a delivery be sent again. */
  webhookDeliveries: 6 * dayMs,
  /** Digests of the last year can be read, and ended from within their mails. */
  digests: 380 * dayMs,
};

/** A read is noted when the last one that was noted is so old, so that reading does not become writing. */
export const useNotedAfterMs = hour;

export const retentionCutoff = (what: keyof typeof retentionMs, now: Date): Date =>
  new Date(now.getTime() - retentionMs[what]);
