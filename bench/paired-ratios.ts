// What benchmarks share that compare servers of which several were started: no two processes are equally fast, however equal their
// programs are, so that more turns of the same two say less than more processes.

export interface Estimate {
  /** How much more the one took than the other: 0.01 is one of a hundred. */
  more: number;
  /** Between which it lies, with 95 of 100. */
  from: number;
  to: number;
}

const resamples = 2_000;

const median = (numbers: number[]): number => {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
};

const mean = (numbers: number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

const resample = <Item>(items: Item[]): Item[] =>
  items.flatMap(() => {
    const any = Math.floor(Math.random() * items.length);
    return items.slice(any, any + 1);
  });

/** Ratios by start of the servers, each by turn: the median of turns, and the mean of starts, of which each counts the same. */
export function estimateMore(ratios: number[][]): Estimate {
  const estimate = (starts: number[][]) => mean(starts.map((turns) => median(turns))) - 1;
  const all = Array.from({ length: resamples }, () => estimate(resample(ratios).map(resample)));
  const sorted = all.sort((one, other) => one - other);
  const at = (part: number) => sorted[Math.floor(part * resamples)] ?? 0;
  return { more: estimate(ratios), from: at(0.025), to: at(0.975) };
}

const percent = (part: number): string => `${part < 0 ? '' : '+'}${(part * 100).toFixed(1)} %`;

export const describeEstimate = ({ more, from, to }: Estimate): string =>
  `${percent(more)} (${percent(from)} to ${percent(to)})`;
