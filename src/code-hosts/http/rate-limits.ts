/** What is counted apart by GitHub. */
export type Resource = 'core' | 'graphql' | 'git';

/** GitHub's own word for limits that come without one: wait at least a minute. */
const defaultWaitMs = 60_000;

/** Limits are counted by the hour; a server that says more is mistaken. */
const longestWaitMs = 60 * 60_000;

/** Tokens come and go; the oldest are forgotten first. */
const mostKept = 10_000;

/** What the service asks by itself is so much of what a token may ask, and readers leave it so much. */
const sparePart = 1 / 10;

/** How GitHub and older servers say that it was too much. */
const limitWords = /rate limit|abuse detection|login attempts/i;

interface Answered {
  status: number;
  headers: Record<string, string | number | undefined>;
  message: string;
}

/** What a token may ask in an hour, what is left of it, and until when. */
interface Allowance {
  limit: number;
  remaining: number;
  resetAt: number;
}

/** Remembers until when nothing may be asked, by token and resource, and how much may be until then. */
export class RateLimits {
  readonly #clock: () => Date;
  readonly #until = new Map<string, number>();
  readonly #allowances = new Map<string, Allowance>();
  /** How many questions have no answer yet, none of which an allowance may know of. */
  readonly #underWay = new Map<string, number>();

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  /** How many seconds nothing may be asked; zero when it may. */
  secondsLeft(token: string, resource: Resource): number {
    const until = this.#until.get(`${resource} ${token}`) ?? 0;
    return Math.max(0, Math.ceil((until - this.#clock().getTime()) / 1000));
  }

  /** How many questions an hour can be spared of those of a token, which is allowed so many unless GitHub has said otherwise. */
  sparePerHour(token: string, usualLimit: number): number {
    if (this.secondsLeft(token, 'core') > 0) return 0;
    return sparePart * (this.#allowances.get(`core ${token}`)?.limit ?? usualLimit);
  }

  /** How many questions are left of those of a token, by GitHub's last word; null where it has said nothing in this hour. */
  left(token: string): number | null {
    const known = this.#allowances.get(`core ${token}`);
    return known && known.resetAt > this.#clock().getTime() ? known.remaining : null;
  }

  /** How many seconds nothing may be asked that leaves the service what it asks by itself; zero when it may. */
  secondsUntilSpared(token: string, resource: Resource, usualLimit: number): number {
    const key = `${resource} ${token}`;
    const seconds = this.secondsLeft(token, resource);
    if (seconds > 0) return seconds;
    const now = this.#clock().getTime();
    const known = this.#allowances.get(key);
    const limit = known?.limit ?? usualLimit;
    const isCurrent = known !== undefined && known.resetAt > now;
    const left = (isCurrent ? known.remaining : limit) - (this.#underWay.get(key) ?? 0);
    if (left > sparePart * limit) return 0;
    return isCurrent ? Math.ceil((known.resetAt - now) / 1000) : defaultWaitMs / 1000;
  }

  /** Counts a question until what it returns is called. */
  begin(token: string, resource: Resource): () => void {
    const key = `${resource} ${token}`;
    this.#underWay.set(key, (this.#underWay.get(key) ?? 0) + 1);
    return () => {
      const others = (this.#underWay.get(key) ?? 0) - 1;
      if (others > 0) this.#underWay.set(key, others);
      else this.#underWay.delete(key);
    };
  }

  /** Takes note of what an answer says, and tells whether it refused because of a limit. */
  note(token: string, resource: Resource, { status, headers, message }: Answered): boolean {
    const isUsedUp = headers['x-ratelimit-remaining'] === '0';
    this.#noteAllowance(`${resource} ${token}`, headers);
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
    keep(this.#until, `${resource} ${token}`, this.#clock().getTime() + Math.min(waitMs, longestWaitMs));
  }

  #noteAllowance(key: string, headers: Answered['headers']): void {
    const [limit = 0, remaining = 0, reset = 0] = ['limit', 'remaining', 'reset'].map((name) =>
      Number(headers[`x-ratelimit-${name}`]),
    );
    if (!(limit > 0 && remaining >= 0)) return;
    const resetAt = reset * 1000;
    const known = this.#allowances.get(key);
    // Answers arrive in any order: within the same hour, what is left only becomes less.
    const left = known?.resetAt === resetAt ? Math.min(known.remaining, remaining) : remaining;
    keep(this.#allowances, key, { limit, remaining: left, resetAt });
  }

  #waitMs(headers: Answered['headers'], isUsedUp: boolean, isRefusal: boolean): number {
    const retryAfter = Number(headers['retry-after']) * 1000;
    if (isRefusal && retryAfter > 0) return retryAfter;
    const untilReset = Number(headers['x-ratelimit-reset']) * 1000 - this.#clock().getTime();
    if (isUsedUp && untilReset > 0) return untilReset;
    return isRefusal ? defaultWaitMs : 0;
  }
}

function keep<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.delete(key);
  kept.set(key, value);
  if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? '');
}
