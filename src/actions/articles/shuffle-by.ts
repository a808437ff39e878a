import { createHash } from 'node:crypto';

/** An order that tells nothing, and is the same whenever the same job is worked on. */
export const shuffleBy =
  (seed: string) =>
  <Item>(items: Item[]): Item[] => {
    const place = (index: number) => createHash('sha256').update(`${seed} ${index}`).digest('hex');
    return items
      .map((item, index) => ({ item, place: place(index) }))
      .sort((one, other) => (one.place < other.place ? -1 : 1))
      .map(({ item }) => item);
  };
