import { likeness } from './likeness.ts';
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
  const [gone] = removed;
  const [come] = added;
  if (!gone || !come || removed.length * added.length > mostPairs) return apart(removed, added);
  if (removed.length === 1 && added.length === 1)
    return scoreOf(gone, come) >= alikeAlone ? [[gone, come]] : apart(removed, added);
  const best = bestScores(removed, added);
  const at = (i: number, j: number): number => best[i]?.[j] ?? 0;
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < removed.length || j < added.length) {
    const [old = null, current = null] = [removed[i], added[j]];
    const score = old && current ? scoreOf(old, current) : 0;
    if (old && current && score >= alikeEnough && at(i, j) === score + at(i + 1, j + 1)) {
      pairs.push([old, current]);
      i++;
      j++;
    } else if (old && at(i, j) === at(i + 1, j)) {
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

const textOf = ({ lines }: Unit): string => lines.map(({ text }) => text).join(' ');

function scoreOf(old: Unit, current: Unit): number {
  if ((old.kind === 'comment') !== (current.kind === 'comment')) return 0;
  const [before, after] = [textOf(old), textOf(current)];
  const score = likeness(before, after);
  // A statement that is taken into a larger one has become it.
  const [short, long] = before.length < after.length ? [old.key, current.key] : [current.key, old.key];
  return short.length >= 16 && long.includes(short) ? Math.max(score, alikeEnough) : score;
}

/** The best sum of scores for what follows each pair of places. */
function bestScores(removed: Unit[], added: Unit[]): number[][] {
  const best: number[][] = Array.from({ length: removed.length + 1 }, () =>
    new Array<number>(added.length + 1).fill(0),
  );
  for (let i = removed.length - 1; i >= 0; i--) {
    for (let j = added.length - 1; j >= 0; j--) {
      const score = scoreOf(removed[i] as Unit, added[j] as Unit);
      const row = best[i] as number[];
      const together = score >= alikeEnough ? score + (best[i + 1]?.[j + 1] ?? 0) : 0;
      row[j] = Math.max(together, best[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return best;
}
