import { Failure } from './errors.ts';
import { nextUtcDay } from './time.ts';

export interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Seconds until the whole burst is available again; for a refused request, until one request is. */
  resetSeconds: number;
}

/** A used burst is refilled evenly within this many seconds. */
export const refillSeconds = 30;

/** The number of buckets above which those unused for longest are deleted: they are full again or nearly. */
const bucketsKept = 50_000;

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Token buckets by key. Times are milliseconds that the caller passes in. */
export class RateLimiter {
  readonly #burst: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(burst: number) {
    this.#burst = burst;
  }

  isExhausted(key: string, now: number): boolean {
    const bucket = this.#buckets.get(key);
    return bucket !== undefined && this.#filled(bucket, now) < 1;
  }

  take(key: string, now: number): Allowance {
    const bucket = this.#buckets.get(key);
    const tokens = bucket ? this.#filled(bucket, now) : this.#burst;
    const allowed = tokens >= 1;
    const left = allowed ? tokens - 1 : tokens;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: left, filledAt: now });
    this.#forgetQuietest();
    const missing = allowed ? this.#burst - left : 1 - left;
    return {
      allowed,
      limit: this.#burst,
      remaining: Math.floor(left),
      resetSeconds: Math.ceil((missing * refillSeconds) / this.#burst),
    };
  }

  #filled(bucket: Bucket, now: number): number {
    const seconds = Math.max(0, now - bucket.filledAt) / 1000;
    return Math.min(this.#burst, bucket.tokens + (seconds * this.#burst) / refillSeconds);
  }

  #forgetQuietest(): void {
    if (this.#buckets.size <= bucketsKept) return;
    const [quietest] = this.#buckets.keys();
    if (quietest !== undefined) this.#buckets.delete(quietest);
  }
}

/** Limits concurrent work by user and not by credential, because a user can make any number of credentials. */
export class ConcurrencyLimit {
  readonly #limit: { most: number; refusal: string; retrySeconds: number };
  readonly #underWay = new Map<string, number>();

  constructor(limit: { most: number; refusal: string; retrySeconds: number }) {
    this.#limit = limit;
  }

  /** Counts one more operation and returns a function that ends it. Refuses a user who has too many. */
  enter(userId: string): () => void {
    const count = this.#underWay.get(userId) ?? 0;
    const { most, refusal, retrySeconds } = this.#limit;
    if (count >= most)
      throw new Failure('RATE_LIMITED', refusal, { headers: { 'retry-after': String(retrySeconds) } });
    this.#underWay.set(userId, count + 1);
    return () => {
      const others = (this.#underWay.get(userId) ?? 1) - 1;
      if (others > 0) this.#underWay.set(userId, others);
      else this.#underWay.delete(userId);
    };
  }

  async run<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const leave = this.enter(userId);
    try {
      return await work();
    } finally {
      leave();
    }
  }
}

const ipv4 = /^[\d.]+$/;

/**
 * The key by which requests are counted: an IPv4 address, or the /64 of an IPv6 one, the smallest block that customers
 * get.
 */
export function addressBlock(address: string): string {
  if (ipv4.test(address)) return address;
  const name = hostname(address);
  if (ipv4.test(name)) return name;
  if (!name.startsWith('[')) return address;
  const groups = ipv6Groups(name.slice(1, -1));
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535';
  return isMapped ? dottedIpv4(groups.slice(6)) : `${groups.slice(0, 4).map(hexadecimal).join(':')}::/64`;
}

function hostname(address: string): string {
  const [plain = ''] = address.split('%');
  const isBareIpv6 = /^[^[]*:.*:/.test(plain);
  return URL.parse(`http://${isBareIpv6 ? `[${plain}]` : plain}`)?.hostname ?? '';
}

function ipv6Groups(address: string): number[] {
  const [before = [], after = []] = address
    .split('::')
    .map((part) => part.split(':').flatMap((group) => (group === '' ? [] : [Number.parseInt(group, 16)])));
  const zeros = Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...zeros, ...after];
}

const hexadecimal = (group: number): string => group.toString(16);

const dottedIpv4 = ([high = 0, low = 0]: number[]): string =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.');

export function quotaExhausted(sentence: string, now: Date, until = nextUtcDay(now)): Failure {
  const seconds = Math.ceil((until.getTime() - now.getTime()) / 1000);
  return new Failure('QUOTA_EXHAUSTED', `${sentence} Ask again after ${until.toISOString()}.`, {
    headers: { 'retry-after': String(seconds) },
  });
}
