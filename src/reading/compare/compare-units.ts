import { diffArrays } from 'diff';
import type { WholeDiff } from '../whole-diff.ts';
import { likeness } from './likeness.ts';
import type { Unit } from './units.ts';

/** More differences than these are a file that was written anew: what stayed between its lines stays. */
const mostDifferences = 1_500;

type Pair = [old: Unit | null, current: Unit | null];

/** Pairs the units of both sides that changed. They begin and end alike nearly everywhere: only what is between is compared. */
export function compareUnits(old: Unit[], current: Unit[], whole: WholeDiff): Pair[] {
  const least = Math.min(old.length, current.length);
  const isSame = (i: number, j: number) => (old[i] as Unit).saysTheSameAs(current[j] as Unit);
  let start = 0;
  while (start < least && isSame(start, start)) start++;
  let end = 0;
  while (end < least - start && isSame(old.length - 1 - end, current.length - 1 - end)) end++;
  const [oldEnd, currentEnd] = [old.length - end, current.length - end];
  return [
    ...sameUnits(old.slice(0, start), current),
    ...compareMiddle(old.slice(start, oldEnd), current.slice(start, currentEnd), whole),
    ...sameUnits(old.slice(oldEnd), current.slice(currentEnd)),
  ];
}

/** Units that say the same are told of where their lines differ. */
const sameUnits = (old: Unit[], current: Unit[]): Pair[] =>
  old.map((unit, index): Pair => [unit, current[index] ?? null]).filter(isTouched);

const isTouched = ([old, current]: Pair): boolean => Boolean(old?.isTouched || current?.isTouched);

function compareMiddle(old: Unit[], current: Unit[], whole: WholeDiff): Pair[] {
  const keysOf = (units: Unit[]) => units.map(({ key }) => key);
  const steps = diffArrays(keysOf(old), keysOf(current), { maxEditLength: mostDifferences });
  if (!steps) return apart(old, current).filter(isTouched);
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  let [removed, added]: [Unit[], Unit[]] = [[], []];
  for (const { value, removed: isRemoved, added: isAdded } of steps) {
    const [gone, come] = [old.slice(i, i + value.length), current.slice(j, j + value.length)];
    if (!isAdded) i += value.length;
    if (!isRemoved) j += value.length;
    if (isRemoved) removed = gone;
    else if (isAdded) added = come;
    else {
      pairs.push(...replaced(removed, added, whole), ...sameUnits(gone, come));
      [removed, added] = [[], []];
    }
  }
  // A text that begins above the hunk can divide the same lines into other units: of those nothing is said.
  return [...pairs, ...replaced(removed, added, whole)].filter(isTouched);
}

/** How much of their words two units of several must have in common. */
const alikeEnough = 0.5;
/** Where one stands against one, less will do. */
const alikeAlone = 0.3;
/** A region with more pairs than this was written anew. */
const mostPairs = 6_000;

/** What was removed from a place became the next unit there that is like it; what has no partner stays alone. */
function replaced(removed: Unit[], added: Unit[], whole: WholeDiff): Pair[] {
  const count = removed.length * added.length;
  if (count === 0 || count > mostPairs) return apart(removed, added);
  const enough = count === 1 ? alikeAlone : alikeEnough;
  // A line that stands on both sides went elsewhere, or came from there.
  const isHere = ({ lines }: Unit): boolean =>
    !lines.some(({ isChanged, text }) => isChanged && whole.standsOnBoth(text));
  const candidates = added.map((unit) => isHere(unit) && unit);
  const pairs: Pair[] = [];
  let next = 0;
  for (const old of removed) {
    const found = isHere(old)
      ? candidates.findIndex(
          (unit, index) =>
            index >= next &&
            unit &&
            unit.isComment === old.isComment &&
            likeness(old.text, unit.text) >= enough,
        )
      : -1;
    if (found >= 0) pairs.push(...apart([], added.slice(next, found)));
    pairs.push([old, added[found] ?? null]);
    if (found >= 0) next = found + 1;
  }
  return [...pairs, ...apart([], added.slice(next))];
}

const apart = (removed: Unit[], added: Unit[]): Pair[] => [
  ...removed.map((old): Pair => [old, null]),
  ...added.map((current): Pair => [null, current]),
];
