import { setTimeout as wait } from 'node:timers/promises';
import { countWrong } from '../acknowledged/caller.ts';
import { countDoubled, People } from './people.ts';
import { type Stage, withProcesses } from './stage.ts';

/** People act for a random time up to this between two rounds. */
const mostCalmMs = 2_000;

const mostGapMs = 5_000;
const leastAnswered = 0.999;

export const median = (numbers: number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

interface Rounds {
  heading: string;
  rounds: number;
  /** Kills the primary, and settles when another one has taken over. */
  failOver: (round: number) => Promise<void>;
  /** Settles when the killed one is back and follows. */
  restore: (round: number) => Promise<void>;
  /** Whether changes that were acknowledged may be lost, as with asynchronous replication. */
  mayLose: boolean;
}

/** Kills the primary repeatedly while people use the service, prints the results, and returns the number of errors. */
export async function killRounds(stage: Stage, { heading, rounds, ...how }: Rounds): Promise<number> {
  const gaps: number[] = [];
  const takenOver: number[] = [];
  const { people, found, seconds } = await withProcesses(stage.environment, async (processes) => {
    const people = new People({ ...stage, processes });
    const begun = performance.now();
    const found = await people.during(async () => {
      for (let round = 0; round < rounds; round += 1) {
        await wait(Math.random() * mostCalmMs);
        const killed = performance.now();
        await how.failOver(round);
        takenOver.push(performance.now() - killed);
        await how.restore(round);
        gaps.push(people.longestGapMs(killed, performance.now()));
        if ((round + 1) % 10 === 0) process.stderr.write(`${heading}: ${round + 1} of ${rounds}\n`);
      }
      await wait(mostCalmMs);
    });
    return { people, found, seconds: Math.round((performance.now() - begun) / 1000) };
  });
  const doubled = await countDoubled(stage.environment);
  const { outcomes, ...reads } = people.reads;
  const share = reads.answered / (reads.answered + reads['not answered']);
  console.log(`${heading}: ${rounds} failovers in ${seconds} s`);
  console.table(found);
  console.table(doubled);
  console.table(people.outcomes);
  console.table({
    'reads of public pages': reads.answered + reads['not answered'],
    'answered, %': (100 * share).toFixed(3),
    'not answered, by status': JSON.stringify(outcomes),
    'slowest read, ms': reads['slowest, ms'],
    'longest time without a change, ms (median)': Math.round(median(gaps)),
    'at most': Math.round(Math.max(...gaps)),
    'until another one took over, ms (median)': Math.round(median(takenOver)),
    'requests that hung': people.hung,
    'slowest change': JSON.stringify(people.slowest),
  });
  const lost = countWrong(found);
  if (how.mayLose) console.log(`Lost with asynchronous replication: ${lost} of what was acknowledged.`);
  return (
    (how.mayLose ? 0 : lost + Object.values(doubled).reduce((sum, one) => sum + one, 0)) +
    people.hung +
    Number(share < leastAnswered) +
    Number(median(gaps) > mostGapMs)
  );
}
