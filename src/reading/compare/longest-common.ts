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
export function longestCommon(old: number[], current: number[], mostDifferences: number): Place[] | null {
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
