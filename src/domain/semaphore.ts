import { AsyncLocalStorage } from 'node:async_hooks';

/** The client on whose behalf something is done: an identity, or the address of one that has not signed in. */
export interface Client {
  key: string;
  /** The place of its request among all that came: of one client, what came first is finished first. */
  order: number;
  isAnonymous: boolean;
  /** Counts its request among those that run git or a worker thread; throws if the client has too many of these under way. */
  beginSlowWork: () => void;
}

/** Background jobs, and work whose result all clients share. */
const service: Client = { key: 'service', order: 0, isAnonymous: false, beginSlowWork: () => {} };

const clients = new AsyncLocalStorage<Client>();

/** Runs work on behalf of a client; everything that the work starts belongs to the client too. */
export const runFor = <Result>(client: Client, work: () => Result): Result => clients.run(client, work);

/** The client whose request is being handled; the service itself outside of requests. */
export const currentClient = (): Client => clients.getStore() ?? service;

/** One part of what there is to take part in, and how many may at once. */
export interface Share {
  of: string;
  most: number;
}

interface Waiting {
  order: number;
  shares: Share[];
  admit: () => void;
}

/**
 * Lets a few commands in at a time. Clients take turns: one with many waiting commands gets no more turns than one with a single command.
 * Each command names the shares it takes, such as of all there is and of one repository, and waits only for others with a share of
 * the same: a command that is stuck in one place keeps none out elsewhere.
 */
export class Semaphore {
  readonly #inside = new Map<string, number>();
  /** By client, in the order of its requests; the client that was let in last comes last. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** Waits for a place, which is left by calling what is returned. An aborted signal ends the waiting with its reason. */
  async acquire(
    shares: Share[],
    signal: AbortSignal,
    client: Pick<Client, 'key' | 'order'> = currentClient(),
  ): Promise<() => void> {
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

  async #turn(
    shares: Share[],
    signal: AbortSignal,
    { key, order }: Pick<Client, 'key' | 'order'>,
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { order, shares, admit: resolve };
    const queue = this.#waiting.get(key) ?? [];
    queue.splice(queue.findLastIndex((other) => other.order <= order) + 1, 0, waiting);
    this.#waiting.set(key, queue);
    const giveUp = () => {
      const place = queue.indexOf(waiting);
      // It may have been admitted just now.
      if (place < 0) return;
      queue.splice(place, 1);
      if (queue.length === 0) this.#waiting.delete(key);
      reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  #release(shares: Share[]): void {
    this.#count(shares, -1);
    while (this.#admitNext());
  }

  #admitNext(): boolean {
    for (const [key, queue] of this.#waiting) {
      const place = queue.findIndex((waiting) => this.#isFree(waiting.shares));
      const [waiting] = place < 0 ? [] : queue.splice(place, 1);
      if (!waiting) continue;
      this.#waiting.delete(key);
      if (queue.length > 0) this.#waiting.set(key, queue);
      this.#count(waiting.shares, 1);
      waiting.admit();
      return true;
    }
    return false;
  }
}
