/** One part of what there is to take part in, and how many may at once. */
export interface Share {
  of: string;
  most: number;
}

interface Waiting {
  shares: Share[];
  admit: () => void;
}

/**
 * Lets a few callers in at a time, in the order in which they came. Each caller names the shares it takes, such as of all
 * there is and of one repository, and waits only for callers with a share of the same: what is stuck in one place keeps no
 * caller out elsewhere.
 */
export class Semaphore {
  readonly #inside = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();

  /** Waits for a place, which is left by calling what is returned. An aborted signal ends the waiting with its reason. */
  async acquire(shares: Share[], signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#isFree(shares)) this.#count(shares, 1);
    else await this.#turn(shares, signal);
    let isInside = true;
    return () => {
      if (isInside) this.#release(shares);
      isInside = false;
    };
  }

  /** Whether a caller is waiting to be let in. */
  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  #isFree(shares: Share[]): boolean {
    return shares.every(({ of, most }) => (this.#inside.get(of) ?? 0) < most);
  }

  #count(shares: Share[], change: 1 | -1): void {
    for (const { of } of shares) {
      const count = (this.#inside.get(of) ?? 0) + change;
      if (count > 0) this.#inside.set(of, count);
      else this.#inside.delete(of);
    }
  }

  async #turn(shares: Share[], signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { shares, admit: resolve };
    const giveUp = () => {
      this.#waiting.delete(waiting);
      reject(signal.reason);
    };
    this.#waiting.add(waiting);
    signal.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  #release(shares: Share[]): void {
    this.#count(shares, -1);
    for (const waiting of this.#waiting) {
      if (!this.#isFree(waiting.shares)) continue;
      this.#waiting.delete(waiting);
      this.#count(waiting.shares, 1);
      waiting.admit();
    }
  }
}
