import { Failure } from './errors.ts';

/**
 * How many of one kind of work each may have under way at the same time. Counted by user, not by credential: a user can
 * make as many of these as they like.
 */
export class ConcurrencyLimit {
  readonly #most: number;
  readonly #refusal: string;
  readonly #retrySeconds: number;
  readonly #underWay = new Map<string, number>();

  constructor({ most, refusal, retrySeconds }: { most: number; refusal: string; retrySeconds: number }) {
    this.#most = most;
    this.#refusal = refusal;
    this.#retrySeconds = retrySeconds;
  }

  /** Counts one more and returns how to say that it is over; refuses a user who has too many. */
  enter(userId: string): () => void {
    const count = this.#underWay.get(userId) ?? 0;
    if (count >= this.#most) {
      const headers = { 'retry-after': String(this.#retrySeconds) };
      throw new Failure('RATE_LIMITED', this.#refusal, { headers });
    }
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
