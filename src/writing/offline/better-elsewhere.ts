import type { DiffLine } from '../../reading/file-diff.ts';
import type { Block } from './compare-lines.ts';
import { leastAlike, likenessOf, wordSet } from './likeness.ts';
import { type Pair, statementsOf } from './pair-statements.ts';

/** More changed lines than these were made by a program. */
const mostAround = 1000;

/** A line is compared with many others. */
const known = new WeakMap<DiffLine, Set<string>>();

export function wordsIn(line: DiffLine): Set<string> {
  const words = known.get(line) ?? wordSet(line.text);
  known.set(line, words);
  return words;
}

const knownOf = new WeakMap<DiffLine[], Set<string>[]>();

/** The words of each line that comes or goes in a place, and of each statement that several of them make. */
function wordsOfEach(lines: DiffLine[]): Set<string>[] {
  const words = knownOf.get(lines) ?? [
    ...lines.map(wordsIn),
    ...statementsOf(lines)
      .filter((one) => one.lines.length > 1)
      .map(({ code }) => wordSet(code)),
  ];
  knownOf.set(lines, words);
  return words;
}

/** Whether one of two statements is as like one that comes, or goes, in another place and has no one there as like it. */
export function isBetterElsewhere([old, now]: Pair, own: Block, around: Block[]): boolean {
  const [was, is] = [wordSet(old.code), wordSet(now.code)];
  const least = Math.max(likenessOf(was, is), leastAlike);
  if (around.reduce((sum, one) => sum + one.removed.length + one.added.length, 0) > mostAround) return false;
  const isBetter = (words: Set<string>, lines: DiffLine[], others: DiffLine[]): boolean =>
    wordsOfEach(lines).some((found) => {
      const alike = likenessOf(words, found);
      return alike >= least && !wordsOfEach(others).some((other) => likenessOf(other, found) >= alike);
    });
  return around.some(
    ({ removed, added }) =>
      removed !== own.removed &&
      added !== own.added &&
      (isBetter(was, added, removed) || isBetter(is, removed, added)),
  );
}
