import { Failure } from './errors.ts';

/** Enough that one is answered while the next is on its way; with more, fewer would share each. */
const mostAtOnce = 2;

/** How callers gather for the next look. */
export interface Gathering {
  /** One look may be for this many, so that none takes long. */
  mostTogether: number;
  /** While this many gather, further callers are refused: by the time of their look, nothing would wait for it. */
  mostWaiting: number;
  /** So many looks begin as soon as they are wanted, and one more whenever this time has passed. */
  burst: number;
  everyMs: number;
}

const atOnce: Gathering = { mostTogether: 64, mostWaiting: 5_000, burst: 1, everyMs: 0 };

interface Waiting<Wanted, Found> extends PromiseWithResolvers<Found> {
  wanted: Wanted;
}

/**
 * Lets callers at about the same time share one read, and callers that want the same, to the letter of its JSON, share its
 * result. While reads are under way, later calls gather for the next: no caller is given what was read before it asked.
 */
export function batchReads<Wanted, Found>(
  lookFor: (wanted: Wanted[]) => Promise<Found[]>,
  { mostTogether, mostWaiting, burst, everyMs }: Gathering = atOnce,
): (wanted: Wanted) => Promise<Found> {
  const waiting = new Map<string, Waiting<Wanted, Found>>();
  let underWay = 0;
  /** The moment up to which looks have been used. */
  let usedUntil = Number.NEGATIVE_INFINITY;
  let pausing: NodeJS.Timeout | null = null;

  const begin = (): void => {
    while (!pausing && underWay < mostAtOnce && waiting.size > 0) {
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
  const takeFirst = (): Waiting<Wanted, Found>[] => {
    const first = [...waiting].slice(0, mostTogether);
    for (const [key] of first) waiting.delete(key);
    return first.map(([, entry]) => entry);
  };
  const look = async (together: Waiting<Wanted, Found>[]): Promise<void> => {
    underWay += 1;
    try {
      const found = await lookFor(together.map(({ wanted }) => wanted));
      for (const [index, { resolve }] of together.entries()) resolve(found[index] as Found);
    } catch (error) {
      // A database that has let these down would do the same to the callers that wait, only later.
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
    if (waiting.size >= mostWaiting) return Promise.reject(tooMany());
    const entry = { wanted, ...Promise.withResolvers<Found>() };
    waiting.set(key, entry);
    // Requests that have arrived, but were not handled yet, come along.
    if (waiting.size === 1) setImmediate(begin);
    return entry.promise;
  };
}

const tooMany = () =>
  new Failure('UNAVAILABLE', 'More is asked of the service than it can do soon. Try again in a few seconds.');

/** The same for reads that cannot be batched: only callers that want the same share one. */
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
