/** A small generator of numbers, the same for the same seed (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  from(least: number, most: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return least + (((mixed ^ (mixed >>> 14)) >>> 0) % (most - least + 1));
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
