import { BoundedMap } from '../bounded-map.ts';

/** The resource that most calls count against; hosts count some calls separately. */
export const usualResource = 'core';

/** The wait that GitHub recommends if it names none. */
export const defaultWaitMs = 60_000;

/** Limits are counted by the hour at most. */
export const longestWaitMs = 60 * 60_000;

const mostTokens = 10_000;

const backgroundShare = 1 / 10;

const limitWords = /rate limit|abuse detection|login attempts/i;

interface Answered {
  status: number;
  headers: Headers;
  message: string;
}

type Headers = Record<string, string | undefined>;

interface ReportedLimit {
  limit: number | null;
  remaining: number | null;
  resetAt: number | null;
}

export interface LimitRules {
  read: (headers: Headers) => ReportedLimit;
  periodsPerHour: number;
}

/** Reads limits from the usual three headers with a common prefix; the time is in seconds. */
export const limitHeaders =
  (beginning: string): LimitRules['read'] =>
  (headers) => {
    const reported = (name: string): number | null => countInHeader(headers[`${beginning}${name}`]);
    const reset = reported('reset');
    return {
      limit: reported('limit'),
      remaining: reported('remaining'),
      resetAt: reset === null ? null : reset * 1000,
    };
  };

const unreported: LimitRules = {
  read: () => ({ limit: null, remaining: null, resetAt: null }),
  periodsPerHour: 1,
};

interface Allowance {
  limit: number;
  remaining: number;
  period: number;
  until: number;
}

/** Tracks for each token and resource how many calls are left, and until when none may be made. */
export class RateLimits {
  readonly #clock: () => Date;
  readonly #rules: LimitRules;
  readonly #until = new BoundedMap<number>(mostTokens);
  readonly #allowances = new BoundedMap<Allowance>(mostTokens);
  readonly #underWay = new Map<string, number>();

  constructor(clock: () => Date, rules = unreported) {
    this.#clock = clock;
    this.#rules = rules;
  }

  secondsLeft(token: string, resource: string): number {
    const until = this.#until.get(`${resource} ${token}`) ?? 0;
    return Math.max(0, Math.ceil((until - this.#clock().getTime()) / 1000));
  }

  /** The hourly calls allowed for background jobs, from `usualLimit` if the host has not named its limit. */
  backgroundQuota(token: string, usualLimit: number): number {
    if (this.secondsLeft(token, usualResource) > 0) return 0;
    const limit = this.#allowances.get(`${usualResource} ${token}`)?.limit ?? usualLimit;
    return backgroundShare * limit * this.#rules.periodsPerHour;
  }

  left(token: string): number | null {
    const known = this.#allowances.get(`${usualResource} ${token}`);
    return known && known.until > this.#clock().getTime() ? known.remaining : null;
  }

  secondsUntilQuotaAllows(token: string, resource: string, usualLimit: number): number {
    const key = `${resource} ${token}`;
    const seconds = this.secondsLeft(token, resource);
    if (seconds > 0) return seconds;
    const now = this.#clock().getTime();
    const known = this.#allowances.get(key);
    const limit = known?.limit ?? usualLimit;
    const isCurrent = known !== undefined && known.until > now;
    const left = (isCurrent ? known.remaining : limit) - (this.#underWay.get(key) ?? 0);
    if (left > backgroundShare * limit) return 0;
    return isCurrent ? Math.ceil((known.until - now) / 1000) : defaultWaitMs / 1000;
  }

  begin(token: string, resource: string): () => void {
    const key = `${resource} ${token}`;
    this.#underWay.set(key, (this.#underWay.get(key) ?? 0) + 1);
    return () => {
      const others = (this.#underWay.get(key) ?? 0) - 1;
      if (others > 0) this.#underWay.set(key, others);
      else this.#underWay.delete(key);
    };
  }

  /** Records the limit in a response. Returns whether the call was refused because of it. */
  note(token: string, resource: string, { status, headers, message }: Answered): boolean {
    const reported = this.#rules.read(headers);
    const isUsedUp = reported.remaining === 0;
    this.#noteAllowance(`${resource} ${token}`, reported);
    const saysWhen = headers['retry-after'] !== undefined;
    const isRefusal =
      status === 429 ||
      (status === 503 && saysWhen) ||
      (status === 403 && (isUsedUp || saysWhen || limitWords.test(message)));
    const retryAfterMs = isRefusal ? waitIn(headers['retry-after'], this.#clock()) : null;
    const waitMs = retryAfterMs ?? this.#waitMs(reported, isRefusal);
    if (waitMs > 0) this.refuse(token, resource, waitMs);
    return isRefusal;
  }

  refuse(token: string, resource: string, waitMs = defaultWaitMs): void {
    this.#until.set(`${resource} ${token}`, this.#clock().getTime() + Math.min(waitMs, longestWaitMs));
  }

  #noteAllowance(key: string, { limit, remaining, resetAt }: ReportedLimit): void {
    if (!limit || remaining === null) return;
    const period = resetAt ?? 0;
    const known = this.#allowances.get(key);
    // Responses arrive in any order, and within a period the remaining calls only decrease.
    const left = known?.period === period ? Math.min(known.remaining, remaining) : remaining;
    const until = Math.min(period, this.#clock().getTime() + longestWaitMs);
    this.#allowances.set(key, { limit, remaining: left, period, until });
  }

  #waitMs({ remaining, resetAt }: ReportedLimit, isRefusal: boolean): number {
    const untilReset = remaining === 0 && resetAt !== null ? resetAt - this.#clock().getTime() : 0;
    if (untilReset > 0) return untilReset;
    return isRefusal ? defaultWaitMs : 0;
  }
}

export const countInHeader = (header: string | undefined): number | null =>
  /^\d{1,15}$/.test(header ?? '') ? Number(header) : null;

const dateForm = /^[A-Z][a-z]{2}, .{1,40} GMT$/;

/** The wait of a Retry-After header, in seconds or as a date; null if it names none. */
export function waitIn(header: string | undefined, now: Date): number | null {
  const waitMs = dateForm.test(header ?? '')
    ? Date.parse(header ?? '') - now.getTime()
    : (countInHeader(header) ?? 0) * 1000;
  return waitMs > 0 ? waitMs : null;
}
