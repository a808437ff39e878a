import type { InjectionPoint } from './injection-points.ts';
import type { RunSteps, Taken, TakenByStep } from './steps.ts';
import type { HostileText } from './texts.ts';

export const sizes = [10_000, 20_000, 40_000, 80_000];
export const mostGrowth = 2.5;
export const mostMs = 1_000;

/** The shortest time that can be measured well enough; shorter ones count as this. */
const leastMs = 5;

/** The time of one size after which larger sizes are not tried. */
const hopelessMs = 3_000;

export interface Growth {
  step: string;
  text: string;
  place: string;
  /** The strongest growth from one size to the next. */
  growth: number;
  /** The longest time at any size. */
  ms: number;
}

/** The times of each step with a text in a place, at each size and in each measurement. */
export interface Measured {
  text: HostileText;
  place: InjectionPoint;
  rounds: TakenByStep[][];
}

export async function measure(run: RunSteps, text: HostileText, place: InjectionPoint): Promise<Measured> {
  const bySize: TakenByStep[] = [];
  // The smallest size is measured last, and only if needed: if the next size takes less than the limit, it has not
  // grown, because shorter times count as the limit.
  const [smallest = 0, ...larger] = sizes;
  for (const [index, size] of larger.entries()) {
    const taken = await run(place.put(text.make(size)));
    bySize[index + 1] = taken;
    if (Object.values(taken).some(({ ms }) => ms > hopelessMs)) break;
  }
  const next = bySize[1] ?? {};
  const matters = Object.values(next).some(({ paced }) => paced > leastMs * mostGrowth);
  bySize[0] = matters ? await run(place.put(text.make(smallest))) : { ...next };
  return { text, place, rounds: [bySize] };
}

/** Other programs, a garbage collection or a compilation may have slowed a measurement. */
export async function measureAgain(run: RunSteps, { text, place, rounds }: Measured): Promise<void> {
  const bySize: TakenByStep[] = [];
  for (const size of sizes.slice(0, rounds[0]?.length)) bySize.push(await run(place.put(text.make(size))));
  rounds.push(bySize);
}

export const isTooMuch = ({ growth, ms }: { growth: number; ms: number }): boolean =>
  growth > mostGrowth || ms > mostMs;

export function growthsOf({ text, place, rounds }: Measured): Growth[] {
  const [first = []] = rounds;
  return Object.keys(first[0] ?? {}).map((step) => {
    const middle = (size: number, by: keyof Taken): number =>
      median(rounds.map((bySize) => bySize[size]?.[step]?.[by] ?? 0));
    const times = first.map((_, size) => middle(size, 'paced'));
    const growths = times
      .slice(1)
      .map((ms, index) => (ms > leastMs ? ms / Math.max(times[index] ?? 0, leastMs) : 0));
    return {
      step,
      text: text.name,
      place: place.name,
      growth: Math.max(0, ...growths),
      ms: Math.max(...first.map((_, size) => middle(size, 'ms'))),
    };
  });
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? 0;
}
