import { performance } from 'node:perf_hooks';

/** Steps that take less than this are over before the machine changes its pace. */
const leastMs = 2;

/**
 * How fast the machine is. Other programs take half of its pace for seconds at a time, so that a step could seem to grow
 * that only came later: the same work is done again beside each step, and shows by how much everything is slower.
 */
export class Pace {
  #last: number;
  #best: number;

  constructor() {
    // Until it is compiled it shows nothing.
    for (let times = 0; times < 50; times += 1) sameWork();
    this.#last = sameWork();
    this.#best = this.#last;
  }

  /** How many times as long as at its best the machine took for whatever was done in the last so many milliseconds. */
  since(ms: number): number {
    const before = this.#last;
    if (ms >= leastMs) this.#last = Math.min(sameWork(), sameWork());
    this.#best = Math.min(this.#best, this.#last);
    return (before + this.#last) / 2 / this.#best;
  }
}

const keys = Array.from({ length: 2_000 }, (_, index) => `key ${index}`);

/** Like what reading does: texts that are made, looked up and dropped. Tells how long it took. */
function sameWork(): number {
  const start = performance.now();
  const known = new Map<string, number>();
  for (let round = 0; round < 4; round += 1) {
    for (const key of keys) known.set(`${key} ${round}`, key.length);
  }
  return performance.now() - start;
}
