import { changeTypes } from '../../src/domain/change-types.ts';

const types = changeTypes.length;

/** How often what was expected, by row, was judged to be what, by column; both in the order of changeTypes. */
export class Confusion {
  readonly #counts = new Int32Array(types * types);

  add(expected: number, judged: number): void {
    const place = expected * types + judged;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
  }

  count(expected: number, judged: number): number {
    return this.#counts[expected * types + judged] ?? 0;
  }

  get total(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  expected(type: number): number {
    return this.#sum((other) => this.count(type, other));
  }

  judged(type: number): number {
    return this.#sum((other) => this.count(other, type));
  }

  precision(type: number): number {
    return this.count(type, type) / (this.judged(type) || 1);
  }

  recall(type: number): number {
    return this.count(type, type) / (this.expected(type) || 1);
  }

  f1(type: number): number {
    return (2 * this.count(type, type)) / (this.expected(type) + this.judged(type) || 1);
  }

  /** The mean over the types, each counting the same however rare it is. */
  get macroF1(): number {
    return this.#sum((type) => this.f1(type)) / types;
  }

  get accuracy(): number {
    return this.#sum((type) => this.count(type, type)) / (this.total || 1);
  }

  #sum(count: (type: number) => number): number {
    return changeTypes.reduce((sum, _, type) => sum + count(type), 0);
  }
}
