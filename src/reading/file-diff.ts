import type { FileStatus } from '../domain/article.ts';

export type { FileStatus } from '../domain/article.ts';

/** A run of changed lines with a little context. Its text stays in the bytes of the diff until somebody wants it. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** What git prints behind the line numbers: usually the function that the hunk is in. */
  heading: string;
  /** The lines with their first character, without the heading. */
  text: () => string;
}

/** One file of a diff. */
export interface FileDiff {
  path: string;
  /** Where it came from, when it was renamed or copied. */
  previousPath: string | null;
  status: FileStatus;
  oldMode: string | null;
  newMode: string | null;
  isBinary: boolean;
  isSubmodule: boolean;
  additions: number;
  deletions: number;
  hunks: Hunk[];
  /** This file's part of the diff, as it was printed. */
  bytes: Buffer;
}

export interface DiffLine {
  side: 'context' | 'added' | 'removed';
  text: string;
  /** Line numbers; null on the side where the line does not exist. */
  oldLine: number | null;
  newLine: number | null;
}

/** Several readers want the hunks of a file, one after the other; those of all files would take more memory than the diff. */
let known = new Map<Hunk, readonly DiffLine[]>();
const mostKnown = 1_000;
let knownLines = 0;

/** The lines of a hunk with their numbers. */
export function linesOf(hunk: Hunk): readonly DiffLine[] {
  const read = known.get(hunk);
  if (read) return read;
  const lines = readLines(hunk);
  knownLines += lines.length;
  if (knownLines > mostKnown) {
    // A map that is cleared leads on from what it held to what it will hold, and collects all of it in old memory.
    known = new Map();
    knownLines = lines.length;
  }
  known.set(hunk, lines);
  return lines;
}

function readLines(hunk: Hunk): DiffLine[] {
  const lines: DiffLine[] = [];
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  for (const line of hunk.text().split('\n')) {
    const text = line.slice(1);
    switch (line[0]) {
      case '+':
        lines.push({ side: 'added', text, oldLine: null, newLine: newLine++ });
        break;
      case '-':
        lines.push({ side: 'removed', text, oldLine: oldLine++, newLine: null });
        break;
      case '\\':
        break;
      default:
        lines.push({ side: 'context', text, oldLine: oldLine++, newLine: newLine++ });
    }
  }
  return lines;
}

/** Lines that went, and the numbers of those that now stand above and below the place where they stood. */
export interface Gap {
  firstOld: number;
  lastOld: number;
  above: number;
  below: number;
}

/** Where lines of a hunk went. What came in their place counts neither as above them nor as below. */
export function gapsIn(hunk: Hunk): Gap[] {
  const gaps: Gap[] = [];
  let open: Gap | null = null;
  let above = hunk.newStart - 1;
  for (const { side, oldLine, newLine } of linesOf(hunk)) {
    if (side === 'removed' && oldLine !== null) {
      if (!open) {
        open = { firstOld: oldLine, lastOld: oldLine, above, below: 0 };
        gaps.push(open);
      }
      open.lastOld = oldLine;
    } else if (side === 'context' && newLine !== null) {
      if (open) open.below = newLine;
      open = null;
      above = newLine;
    }
  }
  // At the end of a hunk without context the file ends.
  return gaps.filter(({ below }) => below > 0);
}
