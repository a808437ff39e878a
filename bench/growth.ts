/** Filling the database may take any time. */
export const fillingPatienceMs = 3_600_000;

interface Measuring<Filled> {
  /** The sizes in ascending order; the smallest is the baseline. */
  all: Filled[];
  sizeOf: (filled: Filled) => string;
  /** The duration of each query in milliseconds. */
  timed: Record<string, (filled: Filled) => Promise<number>>;
  rounds: number;
  warmUp?: number;
}

/**
 * Prints the median time of each query at every size, taken in turn so that disturbances affect all of them, and the
 * growth.
 */
export async function printGrowth<Filled>(title: string, measuring: Measuring<Filled>): Promise<void> {
  const { all, sizeOf, timed } = measuring;
  const table: Record<string, Record<string, number>> = {};
  for (const [name, time] of Object.entries(timed)) {
    const ms = await medians(measuring, time);
    const columns = all.map((filled, index) => [`${sizeOf(filled)}, ms`, Number(ms[index]?.toFixed(3))]);
    const growth = Number(((ms.at(-1) ?? 0) / (ms[0] ?? 0)).toFixed(2));
    table[name] = { ...Object.fromEntries(columns), 'last to first': growth };
  }
  console.log(`\n${title}`);
  console.table(table);
}

async function medians<Filled>(
  { all, rounds, warmUp = 0 }: Measuring<Filled>,
  time: (filled: Filled) => Promise<number>,
): Promise<number[]> {
  const times = all.map((): number[] => []);
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const [index, filled] of all.entries()) {
      const ms = await time(filled);
      if (round >= 0) times[index]?.push(ms);
    }
  }
  return times.map((some) => some.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0);
}
