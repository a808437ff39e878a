/** Pseudorandom numbers from 0 to 1, the same for each seed (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const again = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((again ^ (again >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Pseudorandom choices, the same for each seed. */
export class Chance {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = numbersFrom(seed);
  }

  from(least: number, most: number): number {
    return least + ((this.#next() * 2 ** 32) % (most - least + 1));
  }

  pick<Item>(items: Item[]): Item | undefined {
    return items[this.from(0, items.length - 1)];
  }

  one<Item>(items: Item[]): Item {
    const item = this.pick(items);
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  }
}
