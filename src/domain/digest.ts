export const digestPeriods = ['daily', 'weekly'] as const;
export type DigestPeriod = (typeof digestPeriods)[number];

/** What a user can choose. */
export const digestChoices = ['off', ...digestPeriods] as const;
export type DigestChoice = (typeof digestChoices)[number];

/** Why a digest does not show something that was merged. */
export const restReasons = ['beyond', 'otherLanguage', 'notWritten', 'bot', 'draft'] as const;
export type RestReason = (typeof restReasons)[number];

/** As many as are read in one sitting. */
export const mostShown = 10;

/** Why the service itself has ended somebody's digest. */
export const endReasons = ['refused'] as const;
export type EndReason = (typeof endReasons)[number];

export interface Span {
  from: Date;
  /** The first moment that is not in it any more. */
  to: Date;
}

const dayMs = 24 * 60 * 60 * 1000;
const lengthMs = { daily: dayMs, weekly: 7 * dayMs };

/** A week begins on a Monday, as the fifth day of 1970 was one. */
const firstMs = { daily: 0, weekly: 4 * dayMs };

/** The last period that had ended at a moment. Days and weeks are those of UTC, so that they are the same for everybody. */
export function lastPeriod(period: DigestPeriod, moment: Date): Span {
  const length = lengthMs[period];
  const whole = Math.floor((moment.getTime() - firstMs[period]) / length);
  const to = firstMs[period] + whole * length;
  return { from: new Date(to - length), to: new Date(to) };
}

/** The period in which a moment lies. */
export const periodOf = (period: DigestPeriod, moment: Date): Span =>
  lastPeriod(period, new Date(moment.getTime() + lengthMs[period]));

/** A period and those before it, the newest first. */
export function lastPeriods(period: DigestPeriod, last: Span, count: number): [Span, ...Span[]] {
  const spans: [Span, ...Span[]] = [last];
  for (let span = last; spans.length < count; spans.push(span)) span = lastPeriod(period, span.from);
  return spans;
}

/** What was merged in the last minutes of a period is written about meanwhile. */
export const settlesForMs = 60 * 60 * 1000;

/** For how long a digest that could not be sent is tried again. */
export const triedForMs = dayMs;

/** How long it then rests: ever longer. */
export const restsAfter = (tries: number): number =>
  Math.min(5 * 60_000 * 2 ** Math.min(tries, 10), 4 * 60 * 60_000);
