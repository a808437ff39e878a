export const digestPeriods = ['daily', 'weekly'] as const;
export type DigestPeriod = (typeof digestPeriods)[number];

export const digestChoices = ['off', ...digestPeriods] as const;
export type DigestChoice = (typeof digestChoices)[number];

export const restReasons = ['beyond', 'otherLanguage', 'notWritten', 'bot', 'draft'] as const;
export type RestReason = (typeof restReasons)[number];

export const mostShown = 10;

export const endReasons = ['refused'] as const;
export type EndReason = (typeof endReasons)[number];

export interface Span {
  from: Date;
  to: Date;
}

const dayMs = 24 * 60 * 60 * 1000;
const lengthMs = { daily: dayMs, weekly: 7 * dayMs };

/** A week begins on Monday, and the fifth day of 1970 was one. */
const firstMs = { daily: 0, weekly: 4 * dayMs };

/** The last period that ended before a time. Days and weeks are in UTC, so that they are the same for everybody. */
export function lastPeriod(period: DigestPeriod, moment: Date): Span {
  const length = lengthMs[period];
  const whole = Math.floor((moment.getTime() - firstMs[period]) / length);
  const to = firstMs[period] + whole * length;
  return { from: new Date(to - length), to: new Date(to) };
}

export const periodOf = (period: DigestPeriod, moment: Date): Span =>
  lastPeriod(period, new Date(moment.getTime() + lengthMs[period]));

export function lastPeriods(period: DigestPeriod, last: Span, count: number): [Span, ...Span[]] {
  const spans: [Span, ...Span[]] = [last];
  for (let span = last; spans.length < count; spans.push(span)) span = lastPeriod(period, span.from);
  return spans;
}

/** The time that consecutive periods cover, given newest first. */
export const wholeOf = (spans: [Span, ...Span[]]): Span => ({
  from: spans.at(-1)?.from ?? spans[0].from,
  to: spans[0].to,
});

/** Articles about merges in the last minutes of a period are written within this time. */
export const settlesForMs = 60 * 60 * 1000;

/** Digests are sent without the paragraphs that a model has not written by then. */
export const paragraphsAwaitedMs = 30 * 60 * 1000;

export const triedForMs = dayMs;

export const restsAfter = (tries: number): number =>
  Math.min(5 * 60_000 * 2 ** Math.min(tries, 10), 4 * 60 * 60_000);

/** The period of digests that a webhook gets, or a merge, which it gets as a post of its own. */
export type DeliveredPeriod = DigestPeriod | 'merge';

export const webhookPosts = ['digest', 'merges', 'both'] as const;
export type WebhookPosts = (typeof webhookPosts)[number];

/** Older merges are not posted, such as those before posts were turned on. */
export const mergesPostedForMs = dayMs;

/** Posts follow each other, so they rest for less time than a digest. */
export const postRestsAfter = (tries: number): number =>
  Math.min(10_000 * 2 ** Math.min(tries, 10), 60 * 60_000);

export const webhookFormats = ['slack', 'discord', 'teams', 'json'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

const byHost: [RegExp, WebhookFormat][] = [
  [/^hooks\.slack(?:-gov)?\.com$/, 'slack'],
  [/^(?:[a-z]+\.)?discord(?:app)?\.com$/, 'discord'],
  [/\.(?:webhook\.office\.com|logic\.azure\.com|api\.powerplatform\.com)$/, 'teams'],
];

export const knownService = ({ hostname }: URL): WebhookFormat | null =>
  byHost.find(([host]) => host.test(hostname))?.[1] ?? null;

/** A mail that is complete: it loads nothing from elsewhere. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The same id for the same mail, so that a server that receives it twice can recognize it. */
  messageId: string;
  /** The address for one-click unsubscription in mail programs (RFC 8058). */
  unsubscribeUrl?: string;
}

/**
 * `away`: the server accepts no mail now. `later`: not this mail now. `refused`: no mail for this recipient.
 * `rejected`: this mail never. `unknown`: it may have arrived. `withheld`: it was not to be sent any more.
 */
export type SendOutcome =
  | { kind: 'sent' | 'withheld' }
  | { kind: 'away' | 'later' | 'refused' | 'rejected' | 'unknown'; problem: string };

export interface MailClient {
  /** Calls `mayBegin` when the server is ready, before the first byte is sent. */
  send: (mail: Mail, mayBegin?: () => Promise<boolean>) => Promise<SendOutcome>;
  verify: () => Promise<void>;
}

/** The longest address that servers accept (RFC 5321). */
export const longestEmail = 254;

const addressPattern =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/** A single address without a name or a line break, which could add a header. */
export const isEmail = (text: string): boolean => text.length <= longestEmail && addressPattern.test(text);

export interface WebhookClient {
  post: (body: unknown, mayBegin: () => Promise<boolean>) => Promise<SendOutcome>;
}

export interface MailServer {
  hostname: string;
  port: number;
  /**
   * `always`: TLS from the beginning; `upgrade`: after a greeting; `none`: if the operator says so, or the server is on
   * this machine.
   */
  tls: 'always' | 'upgrade' | 'none';
  user: string | null;
  password: string;
}
