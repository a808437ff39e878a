import { type FileDiff, linesOf } from '../../reading/file-diff.ts';
import type { Piece } from './code-pieces.ts';
import { join } from './compare-lines.ts';
import { leastAlike, likeness, wordSet } from './likeness.ts';

/** A word or two that stand in a line twice as long are not what that line was made out of. */
const holdsByChance = (long: string, short: string): boolean =>
  wordSet(short).size <= 2 && wordSet(long).size >= 2 * wordSet(short).size;

/** A word as long as this is seldom there by chance: two lines that share one need less else in common. */
const longWord = /[\p{L}\p{N}_$]{12,}/gu;
const alikeWithLong = 0.45;

/** What a line gives a value or a type to, where its name is long enough to be the same thing in another line. */
export const givenName = (text: string): string | undefined =>
  /^["'\s]*([\p{L}_$][\p{L}\p{N}_$]{9,})["']?\??\s*[:=]/u.exec(text)?.[1];

/** Of more lines than these, a program wrote the most. */
const mostCompared = 1000;

/**
 * Whether a piece of code that comes or goes has one on the other side that reads much like it, on a line or over
 * several: then it was altered, sorted or laid out anew, and neither came nor went.
 */
export function alteredIn(
  diff: FileDiff,
  side: 'removed' | 'added',
  others: Piece[],
): (piece: Piece) => boolean {
  let known: string[] | undefined;
  return ({ lines }) => {
    known ??= [
      ...others.filter((other) => other.lines.length > 1).map((other) => join(other.lines)),
      ...diff.hunks.flatMap((hunk) => linesOf(hunk).flatMap((line) => (line.side === side ? line.text : []))),
    ].slice(0, mostCompared);
    const text = join(lines);
    const long = text.match(longWord) ?? [];
    const key = givenName(text);
    return known.some((other) => {
      if (key !== undefined && givenName(other) === key) return true;
      const alike = likeness(other, text);
      const sharesLong = alike >= alikeWithLong && long.some((word) => other.includes(word));
      return (alike >= leastAlike || sharesLong) && !holdsByChance(text, other);
    });
  };
}
