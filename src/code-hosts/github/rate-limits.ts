/** What is counted apart by GitHub. */
export type Resource = 'core' | 'graphql' | 'git';

/** GitHub's own word for limits that come without one: wait at least a minute. */
const defaultWaitMs = 60_000;

/** Limits are counted by the hour; whoever says more is mistaken. */
const longestWaitMs = 60 * 60_000;

/** Tokens come and go; the oldest are forgotten first. */
const mostKept = 10_000;

/** How GitHub and older servers say that it was too much. */
const limitWords = /rate limit|abuse detection|login attempts/i;

interface Answered {
  status: number;
  headers: Record<string, string | number | undefined>;
  message: string;
}

/** Remembers until when nothing may be asked, by token and resource. */
export class RateLimits {
  readonly #clock: () => Date;
  readonly #until = new Map<string, number>();

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  /** How many seconds nothing may be asked; zero when it may. */
  secondsLeft(token: string, resource: Resource): number {
    const until = this.#until.get(`${resource} ${token}`) ?? 0;
    return Math.max(0, Math.ceil((until - this.#clock().getTime()) / 1000));
  }

  /** Takes note of what an answer says, and tells whether it refused because of a limit. */
  note(token: string, resource: Resource, { status, headers, message }: Answered): boolean {
    const isUsedUp = headers['x-ratelimit-remaining'] === '0';
    const saysWhen = headers['retry-after'] !== undefined;
    const isRefusal =
      status === 429 ||
      (status === 503 && saysWhen) ||
      (status === 403 && (isUsedUp || saysWhen || limitWords.test(message)));
    const waitMs = isRefusal || isUsedUp ? this.#waitMs(headers, isUsedUp, isRefusal) : 0;
    if (waitMs > 0) this.refuse(token, resource, waitMs);
    return isRefusal;
  }

  /** Has nothing asked for some time. */
  refuse(token: string, resource: Resource, waitMs = defaultWaitMs): void {
    const key = `${resource} ${token}`;
    this.#until.delete(key);
    this.#until.set(key, this.#clock().getTime() + Math.min(waitMs, longestWaitMs));
    if (this.#until.size > mostKept) this.#until.delete(this.#until.keys().next().value ?? '');
  }

  #waitMs(headers: Answered['headers'], isUsedUp: boolean, isRefusal: boolean): number {
    const retryAfter = Number(headers['retry-after']) * 1000;
    if (isRefusal && retryAfter > 0) return retryAfter;
    const untilReset = Number(headers['x-ratelimit-reset']) * 1000 - this.#clock().getTime();
    if (isUsedUp && untilReset > 0) return untilReset;
    return isRefusal ? defaultWaitMs : 0;
  }
}
