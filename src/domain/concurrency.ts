import { AsyncLocalStorage } from 'node:async_hooks';
import { Failure } from './errors.ts';

/** The client that a request belongs to: an identity, or the address of an anonymous client. */
export interface Client {
  key: string;
  /** The order of arrival of its request: earlier requests of a client finish first. */
  order: number;
  isAnonymous: boolean;
  /** Counts a request among those that run git or a thread. Throws if the client has too many of them. */
  beginSlowWork: () => void;
  /**
   * Lets the client's next request begin, because this one is waiting for something outside of this process and its
   * database.
   */
  letNextBegin: () => void;
  endTurn: (payload: unknown) => void;
}

const doNothing = (): void => {};

const service: Client = {
  key: 'service',
  order: 0,
  isAnonymous: false,
  beginSlowWork: doNothing,
  letNextBegin: doNothing,
  endTurn: doNothing,
};

const clients = new AsyncLocalStorage<Client>();

export const runFor = <Result>(client: Client, work: () => Result): Result => clients.run(client, work);

export const currentClient = (): Client => clients.getStore() ?? service;

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
 * Admits a few commands at a time. Clients take turns: one with many waiting commands gets no more turns than one with
 * a single command. Each command takes shares, such as of all slots and of those of a repository, and waits only for
 * others with the same shares, so that a command that hangs in one place blocks none elsewhere.
 */
export class Semaphore {
  readonly #inside = new Map<string, number>();
  /** Waiting commands by client, in the order of their requests. The client that was admitted last comes last. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** Waits for a slot, and returns a function that frees it. An aborted signal rejects with its reason. */
  async acquire(
    shares: Share[],
    signal: AbortSignal,
    client: Pick<Client, 'key' | 'order'> = currentClient(),
  ): Promise<() => void> {
    signal.throwIfAborted();
    if (this.isFree(shares)) this.#count(shares, 1);
    else await this.#turn(shares, signal, client);
    let isInside = true;
    return () => {
      if (isInside) this.#release(shares);
      isInside = false;
    };
  }

  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  isFree(shares: Share[]): boolean {
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
      // The aborted command may have been admitted just now.
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
      const place = queue.findIndex((waiting) => this.isFree(waiting.shares));
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

/** A promise that the first caller starts and all share. After a failure, the next caller starts it again. */
export class LazyPromise<Value> {
  readonly #begin: () => Promise<Value>;
  #begun: Promise<Value> | null = null;

  constructor(begin: () => Promise<Value>) {
    this.#begin = begin;
  }

  get(): Promise<Value> {
    this.#begun ??= this.#begin().catch((error) => {
      this.#begun = null;
      throw error;
    });
    return this.#begun;
  }

  async ifStarted(): Promise<Value | null> {
    return (await this.#begun?.catch(() => null)) ?? null;
  }
}

/**
 * The last part of a timeout begins when the rest is over, so that data that arrived while a busy machine did not run
 * this process is handled before giving up.
 */
const lastPartMs = 250;

export function afterPatience(patienceMs: number, giveUp: () => void): () => void {
  const last = Math.min(lastPartMs, patienceMs / 2);
  let timer = setTimeout(() => {
    timer = setTimeout(giveUp, last);
  }, patienceMs - last);
  return () => clearTimeout(timer);
}

export function inTime<Result, Late>(
  work: Promise<Result>,
  patienceMs: number,
  tooLate: () => Late | PromiseLike<Late>,
): Promise<Result | Late> {
  const { promise, resolve, reject } = Promise.withResolvers<Result | Late>();
  const stop = afterPatience(patienceMs, () => {
    try {
      resolve(tooLate());
    } catch (error) {
      reject(error);
    }
  });
  work.then(resolve, reject);
  return promise.finally(stop);
}

/** The result of some work, or null if the signal is aborted first; the work continues. */
export function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const leave = (): void => resolve(null);
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', leave));
}

/** Two, so that one read is sent while the other is answered; with more, fewer callers would share each. */
const mostAtOnce = 2;

export interface Gathering {
  /** The reads under way at once. */
  mostReads?: number;
  /** The most callers per read, so that no read takes long. */
  mostTogether: number;
  /** If this many callers are waiting, further ones are refused, because they would time out before their turn. */
  mostWaiting: number;
  /** The number of reads that begin at once; after that, one read per `everyMs`. */
  burst: number;
  everyMs: number;
}

const atOnce: Gathering = { mostTogether: 64, mostWaiting: 5_000, burst: 1, everyMs: 0 };

/** For changes of the same rows, which would wait for each other's locks. */
export const oneAfterAnother: Gathering = { ...atOnce, mostReads: 1, mostTogether: 256 };

/**
 * Runs after one more check of all connections, so that requests that have arrived but were not handled are included.
 */
export const afterArrivals = (begin: () => void): void => void setImmediate(() => setImmediate(begin));

interface WaitingRead<Wanted, Found> extends PromiseWithResolvers<Found> {
  wanted: Wanted;
}

/**
 * Lets concurrent callers share one read, and callers with equal arguments (compared as JSON) share its result. Calls
 * that arrive during a read wait for the next one, so that no caller gets a result older than its call.
 */
export function batchReads<Wanted, Found>(
  lookFor: (wanted: Wanted[]) => Promise<Found[]>,
  { mostReads = mostAtOnce, mostTogether, mostWaiting, burst, everyMs }: Gathering = atOnce,
): (wanted: Wanted) => Promise<Found> {
  const waiting = new Map<string, WaitingRead<Wanted, Found>>();
  let underWay = 0;
  let usedUntil = Number.NEGATIVE_INFINITY;
  let pausing: NodeJS.Timeout | null = null;

  const begin = (): void => {
    while (!pausing && underWay < mostReads && waiting.size > 0) {
      const now = performance.now();
      const early = usedUntil - now - (burst - 1) * everyMs;
      if (early > 0) {
        pausing = setTimeout(goOn, early);
        return;
      }
      usedUntil = Math.max(usedUntil, now) + everyMs;
      look(takeFirst());
    }
  };
  const goOn = (): void => {
    pausing = null;
    begin();
  };
  const takeFirst = (): WaitingRead<Wanted, Found>[] => {
    const first = [...waiting].slice(0, mostTogether);
    for (const [key] of first) waiting.delete(key);
    return first.map(([, entry]) => entry);
  };
  const look = async (together: WaitingRead<Wanted, Found>[]): Promise<void> => {
    underWay += 1;
    try {
      const found = await lookFor(together.map(({ wanted }) => wanted));
      for (const [index, { resolve }] of together.entries()) resolve(found[index] as Found);
    } catch (error) {
      // If the database failed these callers, it would also fail the waiting ones, only later.
      for (const { reject } of [...together, ...waiting.values()]) reject(error);
      waiting.clear();
    }
    underWay -= 1;
    begin();
  };

  return (wanted) => {
    const key = JSON.stringify(wanted);
    const known = waiting.get(key);
    if (known) return known.promise;
    if (waiting.size >= mostWaiting) return Promise.reject(tooManyWaiting());
    const entry = { wanted, ...Promise.withResolvers<Found>() };
    waiting.set(key, entry);
    if (waiting.size === 1) afterArrivals(begin);
    return entry.promise;
  };
}

const tooManyWaiting = () =>
  new Failure('UNAVAILABLE', 'The service is overloaded. Try again in a few seconds.');

/** Like `batchReads` for reads that cannot be batched: only callers with equal arguments share one. */
export function coalesceReads<Wanted, Found>(
  read: (wanted: Wanted) => Promise<Found>,
): (wanted: Wanted) => Promise<Found> {
  const readers = new Map<string, { ask: (wanted: Wanted) => Promise<Found>; asking: number }>();
  return async (wanted) => {
    const key = JSON.stringify(wanted);
    const reader = readers.get(key) ?? {
      ask: batchReads((some: Wanted[]) => Promise.all(some.map(read))),
      asking: 0,
    };
    readers.set(key, reader);
    reader.asking += 1;
    try {
      return await reader.ask(wanted);
    } finally {
      reader.asking -= 1;
      if (reader.asking === 0) readers.delete(key);
    }
  };
}
