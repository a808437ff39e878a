import { setTimeout as wait } from 'node:timers/promises';
import type { StallPoint } from './follow-statements.ts';
import { type Round, roundsOnAny, type Used } from './round.ts';
import type { StallingThread } from './stalling-thread.ts';

/** The ways in which the thread of the embedded database stalls, or ends, which takes longest and comes least often. */
export function embeddedRounds({ trap }: StallingThread, used: Used): Round[] {
  const stalls = (place: StallPoint): Round => ({
    place,
    async run(ms) {
      const stalled = await trap.set(place, async (message) => {
        message.stall(ms);
        await wait(ms);
        return true;
      });
      return stalled ?? false;
    },
  });
  const endAt = (place: StallPoint) =>
    trap.set(place, (message) => {
      message.endThread();
      return true;
    });
  const stalling = [
    stalls('BEGIN'),
    stalls('a statement in the middle'),
    stalls('the last statement'),
    stalls('COMMIT'),
    stalls('ROLLBACK'),
    stalls('a statement alone'),
    ...roundsOnAny(used),
  ];
  const ending: Round[] = [
    {
      place: 'the thread ends, and again as it listens',
      run: async () =>
        (await endAt('a statement in the middle')) !== null && (await endAt('LISTEN')) !== null,
    },
    { place: 'the thread ends at COMMIT', run: async () => (await endAt('COMMIT')) !== null },
    { place: 'the thread ends at ROLLBACK', run: async () => (await endAt('ROLLBACK')) !== null },
  ];
  return ending.flatMap((end) => [...stalling, ...stalling, end]);
}
