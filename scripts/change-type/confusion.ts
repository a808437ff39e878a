import { type ChangeType, changeTypes } from '../../src/domain/article.ts';

const types = changeTypes.length;
const columns = types + 1;

/**
 * How often what was expected, by row, was judged to be what, by column; both in the order of changeTypes. The last
 * column is for what got no verdict.
 */
export class Confusion {
  readonly #counts = new Int32Array(types * columns);

  add(expected: ChangeType, judged: ChangeType | null): void {
    const column = judged === null ? types : changeTypes.indexOf(judged);
    const place = changeTypes.indexOf(expected) * columns + column;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
  }

  count(expected: number, judged: number): number {
    return this.#counts[expected * columns + judged] ?? 0;
  }

  get total(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  expected(type: number): number {
    return this.unjudged(type) + this.#sum((other) => this.count(type, other));
  }

  unjudged(type: number): number {
    return this.count(type, types);
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

  /** How many got a verdict, of all. */
  get coverage(): number {
    return this.#sum((type) => this.judged(type)) / (this.total || 1);
  }

  /** How many verdicts are right, of those that there are. */
  get accuracy(): number {
    return this.#sum((type) => this.count(type, type)) / (this.#sum((type) => this.judged(type)) || 1);
  }

  #sum(count: (type: number) => number): number {
    return changeTypes.reduce((sum, _, type) => sum + count(type), 0);
  }
}
