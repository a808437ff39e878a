import { inTime } from '../../src/domain/concurrency.ts';
import type { StallPoint } from './follow-statements.ts';

/** Longer than it takes until a statement gets to any place, with people writing all the time. */
const mostMs = 20_000;

/** Waits in a place for the first that comes there, and does something to it. */
export class Trap<Victim> {
  #set: { place: StallPoint; spring: (victim: Victim) => void } | null = null;

  /** Settles with whatever is done, when it is done; null where no statement came. */
  async set<Result>(
    place: StallPoint,
    spring: (victim: Victim) => Promise<Result> | Result,
  ): Promise<Result | null> {
    const { promise, resolve } = Promise.withResolvers<Result>();
    this.#set = { place, spring: (victim) => resolve(spring(victim)) };
    return inTime(promise, mostMs, () => {
      this.#set = null;
      return null;
    });
  }

  spring(place: StallPoint | null, victim: Victim): void {
    const set = this.#set;
    if (!set || set.place !== place) return;
    this.#set = null;
    set.spring(victim);
  }
}
