import { alignUnits, type Pair } from './align.ts';
import { longestCommon } from './longest-common.ts';
import type { Unit } from './units.ts';

/** More differences than these are a file that was written anew: what stayed between its lines stays. */
const mostDifferences = 1_500;

/** Pairs the units of both sides that changed. They begin and end alike nearly everywhere: only what is between is compared. */
export function compareUnits(old: Unit[], current: Unit[]): Pair[] {
  const least = Math.min(old.length, current.length);
  const isSame = (i: number, j: number) => (old[i] as Unit).saysTheSameAs(current[j] as Unit);
  let start = 0;
  while (start < least && isSame(start, start)) start++;
  let end = 0;
  while (end < least - start && isSame(old.length - 1 - end, current.length - 1 - end)) end++;
  const [oldEnd, currentEnd] = [old.length - end, current.length - end];
  return [
    ...sameUnits(old.slice(0, start), current),
    ...compareMiddle(old.slice(start, oldEnd), current.slice(start, currentEnd)),
    ...sameUnits(old.slice(oldEnd), current.slice(currentEnd)),
  ];
}

/** Units that say the same are told of where their lines differ. */
const sameUnits = (old: Unit[], current: Unit[]): Pair[] =>
  old.map((unit, index): Pair => [unit, current[index] ?? null]).filter(hasTouched);

const hasTouched = ([old, current]: Pair): boolean => Boolean(old?.isTouched || current?.isTouched);

function compareMiddle(old: Unit[], current: Unit[]): Pair[] {
  if (old.length === 0 || current.length === 0) return alignUnits(old, current);
  const [before, after] = numberKeys(old, current);
  const differences = leastDifferences(before, after);
  if (differences > mostDifferences) return byLines(old, current);
  if (differences === old.length + current.length) return alignUnits(old, current);
  const common = longestCommon(before, after, mostDifferences);
  if (!common) return byLines(old, current);
  const changes: Pair[] = [];
  let [i, j] = [0, 0];
  for (const [oldAt, newAt] of [...common, [old.length, current.length] as const]) {
    if (i < oldAt || j < newAt) changes.push(...alignUnits(old.slice(i, oldAt), current.slice(j, newAt)));
    const same: Pair = [old[oldAt] ?? null, current[newAt] ?? null];
    if (hasTouched(same)) changes.push(same);
    i = oldAt + 1;
    j = newAt + 1;
  }
  return changes;
}

/** Units that say the same get the same number: numbers are compared faster than texts. */
function numberKeys(old: Unit[], current: Unit[]): [number[], number[]] {
  const numbers = new Map<string, number>();
  const numberOf = ({ key }: Unit): number => {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
  return [old.map(numberOf), current.map(numberOf)];
}

/** What has no equal on the other side differs, in whatever order the rest stands. */
function leastDifferences(before: number[], after: number[]): number {
  const balance = new Map<number, number>();
  for (const one of before) balance.set(one, (balance.get(one) ?? 0) + 1);
  for (const one of after) balance.set(one, (balance.get(one) ?? 0) - 1);
  return [...balance.values()].reduce((sum, count) => sum + Math.abs(count), 0);
}

/** Without a comparison of all of it: what git calls changed. */
const byLines = (old: Unit[], current: Unit[]): Pair[] => [
  ...old.filter(({ isTouched }) => isTouched).map((unit): Pair => [unit, null]),
  ...current.filter(({ isTouched }) => isTouched).map((unit): Pair => [null, unit]),
];
