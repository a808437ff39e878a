import type { Series } from './histogram.ts';

/** One in so many is timed, for those before it too: looking at the clock takes longer than counting. */
const timedEach = 16;

/** Answers from memory under one combination of labels. An answer keeps its own, so that nothing is looked up when it is sent. */
export class Hits {
  readonly #series: Series;
  #untimed = 0;
  #lastSeconds = 0;
  total = 0;

  constructor(series: Series) {
    this.#series = series;
  }

  /** Whether the next one is to be timed. */
  get isDue(): boolean {
    return this.#untimed >= timedEach - 1;
  }

  /** Counts one, with null where it was not timed. One that had to be made ready stands for no other. */
  count(seconds: number | null, isReady: boolean): void {
    this.total += 1;
    if (!isReady) {
      this.#series.observe(seconds ?? 0);
      return;
    }
    this.#untimed += 1;
    if (seconds === null) return;
    this.#lastSeconds = seconds;
    this.settle();
  }

  /** Those that were not timed took as long as the last one that was. */
  settle(): void {
    this.#series.observe(this.#lastSeconds, this.#untimed);
    this.#untimed = 0;
  }
}
