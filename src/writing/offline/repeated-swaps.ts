import type { Edit, FileFacts } from '../../reading/facts.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';

/** A few tokens that give way to others; nothing gives way where they were only added. */
export interface Swap {
  from: string;
  to: string;
}

/** Edits that do the same in different lines, found anew for any of them. */
export type SwapOf = (edit: Edit) => Swap | null;

/** What is done so often in a change is told once. */
const leastEdits = 4;

/** Finds what is done in many lines of a change: one name for another, one option more. */
export function repeatedSwaps(files: FileFacts[]): SwapOf {
  const swaps = new Map<Edit, Swap>();
  const counts = new Map<string, number>();
  for (const edit of files.flatMap(({ edits }) => edits)) {
    const swap = edit.kind === 'replaced' && edit.before !== null ? swapIn(edit.before, edit.text) : null;
    if (!swap) continue;
    swaps.set(edit, swap);
    const key = keyOf(swap);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (edit) => {
    const swap = swaps.get(edit);
    return swap && (counts.get(keyOf(swap)) ?? 0) >= leastEdits ? swap : null;
  };
}

export const keyOf = ({ from, to }: Swap): string => `${from}\n${to}`;

const tokens = /[\p{L}\p{N}_$]+|[^\s]/gu;
const mostTokens = 3;

/** What tells two lines apart, where it is the same few tokens everywhere in them. */
function swapIn(before: string, after: string): Swap | null {
  const old = before.match(tokens) ?? [];
  const now = after.match(tokens) ?? [];
  const swap = old.length === now.length ? sameEverywhere(old, now) : null;
  const found = swap ?? middle(old, now, before, after);
  if (!found || !/[\p{L}\p{N}]{3,}/u.test(found.to)) return null;
  return found.from === '' || /[\p{L}\p{N}]{2,}/u.test(found.from) ? found : null;
}

function sameEverywhere(old: string[], now: string[]): Swap | null {
  const pairs = old.flatMap((from, at) => (from === now[at] ? [] : [{ from, to: now[at] ?? '' }]));
  const [first] = pairs;
  return first && pairs.every((pair) => keyOf(pair) === keyOf(first)) ? first : null;
}

function middle(old: string[], now: string[], before: string, after: string): Swap | null {
  const least = Math.min(old.length, now.length);
  let start = 0;
  while (start < least && old[start] === now[start]) start++;
  let end = 0;
  while (end < least - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  if (old.length - start - end > mostTokens || now.length - start - end > mostTokens) return null;
  return { from: textOf(before, start, old.length - end), to: textOf(after, start, now.length - end) };
}

/** Some tokens of a line, as they stand there. */
function textOf(line: string, from: number, to: number): string {
  const places = Array.from(line.matchAll(tokens), (match) => match);
  const [first, last] = [places[from], places[to - 1]];
  return first && last && to > from ? line.slice(first.index, last.index + last[0].length) : '';
}

/**
 * In how many places of a file a swap is made: as often as one of its sides goes, the other comes. Null where the two
 * numbers differ, so that something else happens to one of them as well.
 */
export function countSwaps({ from, to }: Swap, diff: FileDiff | undefined): number | null {
  if (!diff) return null;
  const lines = diff.hunks.flatMap(linesOf);
  const net = (name: string): number =>
    lines.reduce((sum, { side, text }) => {
      if (side === 'context' || !text.includes(name)) return sum;
      return sum + (side === 'added' ? 1 : -1) * countIn(text, name);
    }, 0);
  const come = net(to);
  return from === '' || -net(from) === come ? come : null;
}

/** How often a name stands in a line as a whole: neither a longer name nor one joined by a hyphen is the same. */
function countIn(line: string, name: string): number {
  let count = 0;
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + name.length)) {
    const [before, behind] = [
      line.slice(Math.max(0, at - 2), at),
      line.slice(at + name.length, at + name.length + 2),
    ];
    const isJoined =
      /[\p{L}\p{N}_]-$|[\p{L}\p{N}_$]$/u.test(before) || /^-\p{L}|^[\p{L}\p{N}_$]/u.test(behind);
    if (!isJoined || !/[\p{L}\p{N}_$]/u.test(name.charAt(0))) count += 1;
  }
  return count;
}
