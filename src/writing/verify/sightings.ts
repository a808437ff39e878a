import type { PlacedLine } from './diff-lines.ts';
import type { Ground } from './ground.ts';
import type { Scope } from './scope.ts';

export type ChangedSide = 'added' | 'removed';

/** A changed line and the file that it stands in. */
export interface Sighting {
  path: string;
  line: PlacedLine;
}

export const otherSide = (side: ChangedSide): ChangedSide => (side === 'added' ? 'removed' : 'added');

/** Changed lines of what a sentence cites. */
export const citedLines = ({ files }: Scope, side: ChangedSide): Sighting[] =>
  files.flatMap(({ path, lines }) =>
    lines.filter((line) => line.side === side).map((line) => ({ path, line })),
  );

/** Changed lines of a file. */
export const fileLines = (ground: Ground, path: string, side: ChangedSide): Sighting[] =>
  ground.lines
    .of(path)
    .filter((line) => line.side === side)
    .map((line) => ({ path, line }));

/** Changed lines of all files that hold a word; the bytes are searched first, because most files hold none. */
export const linesHolding = (ground: Ground, word: string, side: ChangedSide): Sighting[] =>
  ground.filesHolding(word).flatMap((path) => fileLines(ground, path, side));

/** The longest run of letters and digits, by which a text can be searched for however it is spaced. */
export const longestWord = (text: string): string =>
  (text.match(/[\p{L}\p{N}_$]+/gu) ?? []).reduce(
    (best, word) => (word.length > best.length ? word : best),
    '',
  );
