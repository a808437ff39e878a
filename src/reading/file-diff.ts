import type { FileStatus } from '../domain/file-kinds.ts';

export type { FileStatus } from '../domain/file-kinds.ts';

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

/** Who reads a hunk often reads it again at once; all of them together would take more memory than the diff. */
let last: { hunk: Hunk; lines: readonly DiffLine[] } | null = null;

/** The lines of a hunk with their numbers. */
export function linesOf(hunk: Hunk): readonly DiffLine[] {
  if (last?.hunk !== hunk) last = { hunk, lines: readLines(hunk) };
  return last.lines;
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
