export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

export function nextUtcDay(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() + 1));
}

/** The first day of the month in UTC. */
export const utcMonth = (moment: Date): string => `${moment.toISOString().slice(0, 7)}-01`;

export const nextUtcMonth = (moment: Date): Date =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1));

const isoMoment = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Calendars have no year 0 and PostgreSQL rejects it; years with five digits are written differently. */
const firstMoment = Date.parse('0001-01-01T00:00:00Z');
const endOfMoments = Date.parse('+010000-01-01T00:00:00Z');

/** Parses a day, which begins at 00:00 UTC, or a time in ISO 8601; null if it is invalid. */
export function parseMoment(text: string): Date | null {
  const moment = new Date(isoMoment.test(text) ? text : Number.NaN);
  const isHeld = moment.getTime() >= firstMoment && moment.getTime() < endOfMoments;
  return isHeld && isOnCalendar(text) ? moment : null;
}

/** JavaScript reads the 31st of a shorter month as a day of the next month. */
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
  /**
   * A client that is reading a diff may continue after the diff was replaced or deleted, even a large one on a slow
   * connection.
   */
  replacedDiffs: hour,
  /** How long withdrawn grants are kept: longer than any request to a host takes. */
  withdrawnGrants: dayMs,
  /** The time since a pull request without an article was last fetched or read. */
  unusedPullRequests: 7 * dayMs,
  /** After this time, an unreadable diff may be tried again, which may cost `WRITING_SECONDS`. */
  unreadableDiffs: 7 * dayMs,
  /** Preview pictures are viewed in the days after a link is shared, and can be drawn again. */
  cards: 30 * dayMs,
  /** Twice as long as GitHub allows a delivery to be sent again. */
  webhookDeliveries: 6 * dayMs,
  /** Thirteen months, so that a month can be compared with the same one a year before. */
  modelUsage: 396 * dayMs,
  /** Digests of the last year can be read, and ended by the links in their mails. */
  digests: 380 * dayMs,
};

/** A read is stored only if the last stored one is this old, to save writes. */
export const useNotedAfterMs = hour;

export const retentionCutoff = (what: keyof typeof retentionMs, now: Date): Date =>
  new Date(now.getTime() - retentionMs[what]);
