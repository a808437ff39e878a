import { likenessOf, WordNumbers } from './likeness.ts';
import type { Unit } from './units.ts';

/** Half of their words, or more. */
const alikeEnough = 0.5;
/** Where one stands against one, less will do. */
const alikeAlone = 0.3;
/** A region with more pairs than this was written anew. */
const mostPairs = 6_000;

export type Pair = [old: Unit | null, current: Unit | null];

/**
 * Pairs what was removed from one place with what was added there, in their order, so that those stand together which have
 * the most in common. What has no partner stays alone.
 */
export function alignUnits(removed: Unit[], added: Unit[]): Pair[] {
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
