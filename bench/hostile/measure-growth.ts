import type { Place } from './places.ts';
import type { createSteps, Milliseconds } from './steps.ts';
import type { HostileText } from './texts.ts';

export const sizes = [10_000, 20_000, 40_000, 80_000];
export const mostGrowth = 2.5;
export const mostMs = 1_000;

/** What takes less than this is not measured well enough to say how it grows, and counts as this. */
const leastMs = 5;

/** What grows too fast is measured again before it is said: others on the machine, or a collection, may have been it. */
const moreRounds = 4;

/** Beyond this the larger sizes would only take time. */
const hopelessMs = 3_000;

export interface Growth {
  step: string;
  text: string;
  place: string;
  /** The most from one size to the next. */
  growth: number;
  /** The most at any size. */
  ms: number;
}

type Run = Awaited<ReturnType<typeof createSteps>>;

/** How each step grows with a text at a place. */
export async function measureGrowth(run: Run, text: HostileText, place: Place): Promise<Growth[]> {
  const bySize: Milliseconds[] = [];
  for (const size of sizes) {
    const spent = await run(place.put(text.make(size)));
    bySize.push(spent);
    if (Math.max(...Object.values(spent)) > hopelessMs) break;
  }
  for (let round = 0; round < moreRounds && growthsOf(bySize).some(isTooMuch); round += 1) {
    for (const [index, least] of bySize.entries()) {
      const spent = await run(place.put(text.make(sizes[index] ?? 0)));
      for (const [step, ms] of Object.entries(spent)) least[step] = Math.min(least[step] ?? ms, ms);
    }
  }
  return growthsOf(bySize).map((one) => ({ ...one, text: text.name, place: place.name }));
}

export const isTooMuch = ({ growth, ms }: { growth: number; ms: number }): boolean =>
  growth > mostGrowth || ms > mostMs;

function growthsOf(bySize: Milliseconds[]): Pick<Growth, 'step' | 'growth' | 'ms'>[] {
  return Object.keys(bySize[0] ?? {}).map((step) => {
    const times = bySize.map((spent) => spent[step] ?? 0);
    const growths = times
      .slice(1)
      .map((ms, index) => (ms > leastMs ? ms / Math.max(times[index] ?? 0, leastMs) : 0));
    return { step, growth: Math.max(0, ...growths), ms: Math.max(...times) };
  });
}
