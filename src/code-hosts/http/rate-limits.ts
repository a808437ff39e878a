/** What most questions are counted as; hosts count some others apart. */
export const usualResource = 'core';

/** GitHub's own word for limits that come without one, which does for others too: wait at least a minute. */
export const defaultWaitMs = 60_000;

/** Limits are counted by the hour at most; a server that says more is mistaken. */
export const longestWaitMs = 60 * 60_000;

/** Tokens come and go; the oldest are forgotten first. */
const mostKept = 10_000;

/** What the service asks by itself is so much of what a token may ask, and readers leave it so much. */
const sparePart = 1 / 10;

/** How servers say that it was too much. */
const limitWords = /rate limit|abuse detection|login attempts/i;

interface Answered {
  status: number;
  headers: Headers;
  message: string;
}

type Headers = Record<string, string | undefined>;

/** What a host says of its limit with an answer, as far as it does; the moment in milliseconds. */
interface LimitSaid {
  limit: number | null;
  remaining: number | null;
  resetAt: number | null;
}

/** How a host limits those who ask. */
export interface LimitRules {
  read: (headers: Headers) => LimitSaid;
  /** How many times an hour it begins to count anew. */
  periodsPerHour: number;
}

/** Limits as most hosts tell them, in three headers whose names begin alike; the moment is told in seconds. */
export const limitHeaders =
  (beginning: string): LimitRules['read'] =>
  (headers) => {
    const said = (name: string): number | null => countIn(headers[`${beginning}${name}`]);
    const reset = said('reset');
    return {
      limit: said('limit'),
      remaining: said('remaining'),
      resetAt: reset === null ? null : reset * 1000,
    };
  };

/** Of answers that come without headers. */
const unsaid: LimitRules = {
  read: () => ({ limit: null, remaining: null, resetAt: null }),
  periodsPerHour: 1,
};

/** What a token may ask in a period, what is left of it, and until when. */
interface Allowance {
  limit: number;
  remaining: number;
  /** The end of the period, as the host has it. */
  period: number;
  until: number;
}

/** Remembers until when nothing may be asked, by token and resource, and how much may be until then. */
export class RateLimits {
  readonly #clock: () => Date;
  readonly #rules: LimitRules;
  readonly #until = new Map<string, number>();
  readonly #allowances = new Map<string, Allowance>();
  /** How many questions have no answer yet, none of which an allowance may know of. */
  readonly #underWay = new Map<string, number>();

  constructor(clock: () => Date, rules = unsaid) {
    this.#clock = clock;
    this.#rules = rules;
  }

  /** How many seconds nothing may be asked; zero when it may. */
  secondsLeft(token: string, resource: string): number {
    const until = this.#until.get(`${resource} ${token}`) ?? 0;
    return Math.max(0, Math.ceil((until - this.#clock().getTime()) / 1000));
  }

  /** How many questions an hour can be spared of those of a token, which is allowed so many in a period unless the host has said otherwise. */
  backgroundQuota(token: string, usualLimit: number): number {
    if (this.secondsLeft(token, usualResource) > 0) return 0;
    const limit = this.#allowances.get(`${usualResource} ${token}`)?.limit ?? usualLimit;
    return sparePart * limit * this.#rules.periodsPerHour;
  }

  /** How many questions are left of those of a token, by the host's last word; null where it has said nothing in this period. */
  left(token: string): number | null {
    const known = this.#allowances.get(`${usualResource} ${token}`);
    return known && known.until > this.#clock().getTime() ? known.remaining : null;
  }

  /** How many seconds nothing may be asked that leaves the service what it asks by itself; zero when it may. */
  secondsUntilQuotaAllows(token: string, resource: string, usualLimit: number): number {
    const key = `${resource} ${token}`;
    const seconds = this.secondsLeft(token, resource);
    if (seconds > 0) return seconds;
    const now = this.#clock().getTime();
    const known = this.#allowances.get(key);
    const limit = known?.limit ?? usualLimit;
    const isCurrent = known !== undefined && known.until > now;
    const left = (isCurrent ? known.remaining : limit) - (this.#underWay.get(key) ?? 0);
    if (left > sparePart * limit) return 0;
    return isCurrent ? Math.ceil((known.until - now) / 1000) : defaultWaitMs / 1000;
  }

  /** Counts a question until what it returns is called. */
  begin(token: string, resource: string): () => void {
    const key = `${resource} ${token}`;
    this.#underWay.set(key, (this.#underWay.get(key) ?? 0) + 1);
    return () => {
      const others = (this.#underWay.get(key) ?? 0) - 1;
      if (others > 0) this.#underWay.set(key, others);
      else this.#underWay.delete(key);
    };
  }

  /** Takes note of what an answer says, and tells whether it refused because of a limit. */
  note(token: string, resource: string, { status, headers, message }: Answered): boolean {
    const said = this.#rules.read(headers);
    const isUsedUp = said.remaining === 0;
    this.#noteAllowance(`${resource} ${token}`, said);
    const saysWhen = headers['retry-after'] !== undefined;
    const isRefusal =
      status === 429 ||
      (status === 503 && saysWhen) ||
      (status === 403 && (isUsedUp || saysWhen || limitWords.test(message)));
    const retryAfterMs = isRefusal ? waitIn(headers['retry-after'], this.#clock()) : null;
    const waitMs = retryAfterMs ?? this.#waitMs(said, isRefusal);
    if (waitMs > 0) this.refuse(token, resource, waitMs);
    return isRefusal;
  }

  /** Has nothing asked for some time. */
  refuse(token: string, resource: string, waitMs = defaultWaitMs): void {
    keep(this.#until, `${resource} ${token}`, this.#clock().getTime() + Math.min(waitMs, longestWaitMs));
  }

  #noteAllowance(key: string, { limit, remaining, resetAt }: LimitSaid): void {
    if (!limit || remaining === null) return;
    const period = resetAt ?? 0;
    const known = this.#allowances.get(key);
    // Answers arrive in any order: within the same period, what is left only becomes less.
    const left = known?.period === period ? Math.min(known.remaining, remaining) : remaining;
    const until = Math.min(period, this.#clock().getTime() + longestWaitMs);
    keep(this.#allowances, key, { limit, remaining: left, period, until });
  }

  /** How long to wait for what is used up. */
  #waitMs({ remaining, resetAt }: LimitSaid, isRefusal: boolean): number {
    const untilReset = remaining === 0 && resetAt !== null ? resetAt - this.#clock().getTime() : 0;
    if (untilReset > 0) return untilReset;
    return isRefusal ? defaultWaitMs : 0;
  }
}

function keep<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.delete(key);
  kept.set(key, value);
  if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? '');
}

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
