import { AsyncLocalStorage } from 'node:async_hooks';

/** The client on whose behalf something is done: an identity, or the address of one that has not signed in. */
export interface Client {
  key: string;
  isAnonymous: boolean;
  /** Counts its request among those that run git or a worker thread; throws if the client has too many of these under way. */
  beginSlowWork: () => void;
}

/** Background jobs, and work whose result all clients share. */
const service: Client = { key: 'service', isAnonymous: false, beginSlowWork: () => {} };

const clients = new AsyncLocalStorage<Client>();

/** Does something on behalf of a client, and so is everything that it starts. */
export const runFor = <Result>(client: Client, work: () => Result): Result => clients.run(client, work);

/** The client whose request is being handled; the service itself outside of requests. */
export const currentClient = (): Client => clients.getStore() ?? service;

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
 * Lets a few in at a time. Clients take turns: one that waits for many places gets no more of them than one that waits for one. Each names
 * the shares it takes, such as of all there is and of one repository, and waits only for others with a share of the same: what
 * is stuck in one place keeps nothing out elsewhere.
 */
export class Semaphore {
  readonly #inside = new Map<string, number>();
  /** By client, in the order in which it asked; the client that was let in last comes last. */
  readonly #waiting = new Map<string, Set<Waiting>>();

  /** Waits for a place, which is left by calling what is returned. An aborted signal ends the waiting with its reason. */
  async acquire(shares: Share[], signal: AbortSignal, client = currentClient().key): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#isFree(shares)) this.#count(shares, 1);
    else await this.#turn(shares, signal, client);
    let isInside = true;
    return () => {
      if (isInside) this.#release(shares);
      isInside = false;
    };
  }

  /** Whether anything is waiting to be let in. */
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

  async #turn(shares: Share[], signal: AbortSignal, client: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { shares, admit: resolve };
    const queue = this.#waiting.get(client) ?? new Set();
    const giveUp = () => {
      queue.delete(waiting);
      if (queue.size === 0 && this.#waiting.get(client) === queue) this.#waiting.delete(client);
      reject(signal.reason);
    };
    this.#waiting.set(client, queue.add(waiting));
    signal.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  #release(shares: Share[]): void {
    this.#count(shares, -1);
    while (this.#admitNext());
  }

  #admitNext(): boolean {
    for (const [client, queue] of this.#waiting)
      for (const waiting of queue) {
        if (!this.#isFree(waiting.shares)) continue;
        queue.delete(waiting);
        this.#waiting.delete(client);
        if (queue.size > 0) this.#waiting.set(client, queue);
        this.#count(waiting.shares, 1);
        waiting.admit();
        return true;
      }
    return false;
  }
}
