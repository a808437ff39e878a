/** What is found of all that was acknowledged. */
export interface Findings {
  acknowledged: number;
  /** Acknowledged and not there, or not as it was acknowledged. */
  lost: number;
  /** Acknowledged as taken away, or known to be undone, and there. */
  'still there': number;
}

/** Writes one kind of thing through a service, one after the other, and remembers what was acknowledged. */
export interface Writer {
  kind: string;
  /** Writes the next one; answers whether that was acknowledged. */
  write: () => Promise<boolean>;
  find: () => Promise<Findings>;
}

/** Does some work for each of many, a few at a time. */
export async function forEach<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const take = async (): Promise<void> => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: 8 }, take));
}

/** What is found of all that any of them wrote, by kind. */
export async function findAll(writers: Writer[]): Promise<Record<string, Findings>> {
  const byKind: Record<string, Findings> = {};
  for (const writer of writers) {
    const found = await writer.find();
    const sum = byKind[writer.kind] ?? { acknowledged: 0, lost: 0, 'still there': 0 };
    byKind[writer.kind] = {
      acknowledged: sum.acknowledged + found.acknowledged,
      lost: sum.lost + found.lost,
      'still there': sum['still there'] + found['still there'],
    };
  }
  return byKind;
}

/** How many are not as they were acknowledged. */
export const countWrong = (byKind: Record<string, Findings>): number =>
  Object.values(byKind).reduce((sum, found) => sum + found.lost + found['still there'], 0);
