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
  const found = files
    .flatMap(({ edits }) => edits)
    .flatMap((edit) => {
      const swap = edit.kind === 'replaced' && edit.before !== null ? swapIn(edit.before, edit.text) : null;
      return swap ? [{ edit, swap }] : [];
    });
  const swaps = new Map<Edit, Swap>();
  for (const same of Map.groupBy(found, ({ swap }) => keyOf(swap)).values()) {
    const [first] = same;
    if (!first || same.length < leastEdits) continue;
    const whole = withWhatItBelongsTo(
      first.swap,
      same.map(({ edit }) => edit.text),
    );
    for (const { edit } of same) swaps.set(edit, whole);
  }
  return (edit) => swaps.get(edit) ?? null;
}

const behind = /^(?:(?:\.|::)[\p{L}_$][\p{L}\p{N}_$]*)+/u;
const ahead = /(?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::))+$/u;
/** No name is longer with all that it is joined to. */
const mostAhead = 200;
const parts = /[\p{L}_$][\p{L}\p{N}_$]*|\.|::/gu;

/** A name with those before and behind it that it is joined to wherever it comes: a part of a name is another thing. */
function withWhatItBelongsTo({ from, to }: Swap, lines: string[]): Swap {
  if (from === '' || !/[\p{L}\p{N}_$]$/u.test(to) || !/^[\p{L}\p{N}_$]/u.test(to)) return { from, to };
  const places = lines.flatMap((line) => {
    const at = line.indexOf(to);
    return at < 0 ? [] : [{ before: line.slice(0, at), after: line.slice(at + to.length) }];
  });
  if (places.length < lines.length) return { from, to };
  const tails = places.map(({ after }) => behind.exec(after)?.[0].match(parts) ?? []);
  const heads = places.map(({ before }) =>
    (ahead.exec(before.slice(-mostAhead))?.[0].match(parts) ?? []).reverse(),
  );
  const tail = sharedStart(tails);
  const head = sharedStart(heads).reverse();
  return { from: [...head, from, ...tail].join(''), to: [...head, to, ...tail].join('') };
}

/** What all of them begin with, by whole names, each with the sign that joins it. */
function sharedStart(all: string[][]): string[] {
  const [first = [], ...others] = all;
  let length = 0;
  while (length < first.length && others.every((one) => one[length] === first[length])) length++;
  return first.slice(0, length - (length % 2));
}

export const keyOf = ({ from, to }: Swap): string => `${from}\n${to}`;

/** Names, joined by hyphens where these stand between letters, and signs. */
const tokens = /[\p{L}_$][\p{L}\p{N}_$]*(?:-[\p{L}_$][\p{L}\p{N}_$]*)*|\p{N}[\p{L}\p{N}_$]*|[^\s]/gu;
const mostTokens = 3;

/** A module is named with the one that it is in. */
function withModule(swap: Swap, before: string, after: string): Swap {
  const at = after.indexOf(swap.to);
  const rest = at < 0 || swap.from === '' ? '' : after.slice(at + swap.to.length);
  const module = /^(?:(?:\.|::)\p{Lu}[\p{L}\p{N}_$]*)+/u.exec(rest)?.[0] ?? '';
  return module !== '' && before.includes(swap.from + module)
    ? { from: swap.from + module, to: swap.to + module }
    : swap;
}

/** What tells two lines apart, where it is the same few tokens everywhere in them. */
function swapIn(before: string, after: string): Swap | null {
  const old = before.match(tokens) ?? [];
  const now = after.match(tokens) ?? [];
  const swap = old.length === now.length ? sameEverywhere(old, now) : null;
  const found = swap ?? middle(old, now, before, after);
  if (!found || !/[\p{L}\p{N}]{3,}/u.test(found.to)) return null;
  const isNamed = found.from === '' || /[\p{L}\p{N}]{2,}/u.test(found.from);
  return isNamed ? withModule(found, before, after) : null;
}

const pairsIn = (old: string[], now: string[]): Swap[] =>
  old.flatMap((from, at) => (from === now[at] ? [] : [{ from, to: now[at] ?? '' }]));

/** The first of the names that tell two lines apart, where it is nothing but names; and whether it is the only one. */
export function firstSwapIn(before: string, after: string): { swap: Swap; isOnly: boolean } | null {
  const only = swapIn(before, after);
  if (only) return only.from === '' ? null : { swap: only, isOnly: true };
  const old = before.match(tokens) ?? [];
  const now = after.match(tokens) ?? [];
  const pairs = old.length === now.length ? pairsIn(old, now) : [];
  const [swap] = pairs;
  const isName = (text: string): boolean => /^[\p{L}_$][\p{L}\p{N}_$]{2,}$/u.test(text);
  const areNames = pairs.every(({ from, to }) => isName(from) && isName(to));
  return swap && areNames && pairs.length * 2 <= old.length ? { swap, isOnly: false } : null;
}

function sameEverywhere(old: string[], now: string[]): Swap | null {
  const pairs = pairsIn(old, now);
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

/** Whether one name has taken the place of the other in a file, as far as is shown: neither stands on the other's side. */
export function isWholeSwap({ from, to }: Swap, diff: FileDiff | undefined): boolean {
  const lines = (diff?.hunks ?? []).flatMap(linesOf);
  return (
    from === '' ||
    !lines.some(
      ({ side, text }) =>
        (side !== 'removed' && countIn(text, from) > 0) || (side !== 'added' && countIn(text, to) > 0),
    )
  );
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
    const isJoined = /[\p{L}_]-$|[\p{L}\p{N}_$]$/u.test(before) || /^-\p{L}|^[\p{L}\p{N}_$]/u.test(behind);
    if (!isJoined || !/[\p{L}\p{N}_$]/u.test(name.charAt(0))) count += 1;
  }
  return count;
}
