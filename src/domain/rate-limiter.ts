export interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Seconds until the whole burst is there again; when refused, until one request is. */
  resetSeconds: number;
}

/** A burst comes back within this many seconds, evenly. */
export const refillSeconds = 30;

/** Above this, those that have been quiet longest are forgotten: they hold a full burst again or nearly. */
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
