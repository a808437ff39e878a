import { likenessOf, WordNumbers } from './likeness.ts';
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

/** Half of their words, or more. */
const alikeEnough = 0.5;
/** Where one stands against one, less will do. */
const alikeAlone = 0.3;
/** A region with more pairs than this was written anew. */
const mostPairs = 6_000;

type Pair = [old: Unit | null, current: Unit | null];

/**
 * Pairs what was removed from one place with what was added there, in their order, so that those stand together which have
 * the most in common. What has no partner stays alone.
 */
function alignUnits(removed: Unit[], added: Unit[]): Pair[] {
  const count = removed.length * added.length;
  if (count === 0 || count > mostPairs) return apart(removed, added);
  const scores = scoresOf(removed, added, count === 1 ? alikeAlone : alikeEnough);
  const width = added.length + 1;
  const best = bestSums(scores, removed.length, added.length);
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < removed.length || j < added.length) {
    const [old = null, current = null] = [removed[i], added[j]];
    const here = best[i * width + j] as number;
    const score = old && current ? (scores[i * added.length + j] as number) : 0;
    if (score > 0 && here === score + (best[(i + 1) * width + j + 1] as number)) {
      pairs.push([old, current]);
      i++;
      j++;
    } else if (old && here === best[(i + 1) * width + j]) {
      pairs.push([old, null]);
      i++;
    } else {
      pairs.push([null, current]);
      j++;
    }
  }
  return pairs;
}

const apart = (removed: Unit[], added: Unit[]): Pair[] => [
  ...removed.map((old): Pair => [old, null]),
  ...added.map((current): Pair => [null, current]),
];

/** How alike each is to each, row by row; 0 where that is less than enough. */
function scoresOf(removed: Unit[], added: Unit[], enough: number): Float64Array {
  const numbers = new WordNumbers();
  const read = (unit: Unit) => {
    const { text } = unit;
    return { unit, size: text.length, words: numbers.of(text) };
  };
  const [before, after] = [removed.map(read), added.map(read)];
  const scores = new Float64Array(removed.length * added.length);
  let place = 0;
  for (const old of before) {
    for (const current of after) {
      if (old.unit.isComment === current.unit.isComment) {
        const score = likenessOf(old.words, current.words);
        const [short, long] = old.size < current.size ? [old.unit, current.unit] : [current.unit, old.unit];
        scores[place] = score >= enough ? score : isTakenInto(short, long) ? alikeEnough : 0;
      }
      place++;
    }
  }
  return scores;
}

/** A statement that is taken into a larger one has become it. */
const isTakenInto = (short: Unit, long: Unit): boolean =>
  short.key.length >= 16 && long.key.includes(short.key);

/** The best sum of scores for what follows each pair of places. */
function bestSums(scores: Float64Array, rows: number, columns: number): Float64Array {
  const width = columns + 1;
  const best = new Float64Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const at = i * width + j;
      const score = scores[i * columns + j] as number;
      const together = score > 0 ? score + (best[at + width + 1] as number) : 0;
      best[at] = Math.max(together, best[at + width] as number, best[at + 1] as number);
    }
  }
  return best;
}

type Place = readonly [old: number, current: number];

/** What was dropped or put in, which way led there, and up to where both sides are the same behind it. */
interface Step {
  before: Step | null;
  /** The last place of the old side that was passed, and where the run of equal ones that it ends begins. */
  at: number;
  from: number;
  diagonal: number;
}

/**
 * The places of what two lists that differ have in common in their order, as much as can be (Myers, "An O(ND) Difference
 * Algorithm"); null where more than so many differ. No step is tried beyond the end of a list.
 */
function longestCommon(old: number[], current: number[], mostDifferences: number): Place[] | null {
  const go = (before: Step | null, start: number, diagonal: number): Step => {
    const end = Math.min(old.length, current.length + diagonal) - 1;
    let at = start;
    while (at < end && old[at + 1] === current[at + 1 - diagonal]) at++;
    return { before, at, from: start + 1, diagonal };
  };
  const isAtEnd = ({ at, diagonal }: Step): boolean =>
    at + 1 >= old.length && at + 1 - diagonal >= current.length;
  const most = Math.min(old.length + current.length, mostDifferences);
  const best = new Array<Step | null>(2 * most + 3).fill(null);
  const middle = most + 1;
  best[middle] = go(null, -1, 0);
  let [lowest, highest] = [-most, most];
  for (let differences = 1; differences <= most; differences++) {
    // Bounds move while a round goes on.
    for (let k = Math.max(lowest, -differences); k <= Math.min(highest, differences); k += 2) {
      const left = best[middle + k - 1] ?? null;
      const right = best[middle + k + 1] ?? null;
      best[middle + k - 1] = null;
      best[middle + k] = null;
      const canAdd = right !== null && right.at - k >= 0 && right.at - k < current.length;
      const canDrop = left !== null && left.at + 1 < old.length;
      const step =
        canDrop && !(canAdd && left.at < right.at)
          ? go(left, left.at + 1, k)
          : canAdd
            ? go(right, right.at, k)
            : null;
      if (!step) continue;
      if (isAtEnd(step)) return placesOf(step);
      best[middle + k] = step;
      if (step.at + 1 >= old.length) highest = Math.min(highest, k - 1);
      if (step.at + 1 - k >= current.length) lowest = Math.max(lowest, k + 1);
    }
  }
  return null;
}

function placesOf(last: Step): Place[] {
  const places: Place[] = [];
  for (let step: Step | null = last; step; step = step.before)
    for (let at = step.at; at >= step.from; at--) places.push([at, at - step.diagonal]);
  return places.reverse();
}
