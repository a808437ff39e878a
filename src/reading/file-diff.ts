import type { FileStatus } from '../domain/articles.ts';

export type { FileStatus } from '../domain/articles.ts';

export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** The text that git prints after the line numbers: usually the function that the hunk is in. */
  heading: string;
  text: () => string;
}

export interface FileDiff {
  path: string;
  previousPath: string | null;
  status: FileStatus;
  oldMode: string | null;
  newMode: string | null;
  isBinary: boolean;
  isSubmodule: boolean;
  additions: number;
  deletions: number;
  hunks: Hunk[];
  bytes: Buffer;
}

export interface DiffLine {
  side: 'context' | 'added' | 'removed';
  text: string;
  oldLine: number | null;
  newLine: number | null;
}

/**
 * Several readers need the lines of a file in turn; keeping those of all files would take more memory than the diff.
 */
let known = new Map<Hunk, readonly DiffLine[]>();
const mostKnown = 1_000;
let knownLines = 0;

export function linesOf(hunk: Hunk): readonly DiffLine[] {
  const read = known.get(hunk);
  if (read) return read;
  const lines = readHunkLines(hunk);
  knownLines += lines.length;
  if (knownLines > mostKnown) {
    // A cleared map keeps its memory in the old generation; a new one does not.
    known = new Map();
    knownLines = lines.length;
  }
  known.set(hunk, lines);
  return lines;
}

function readHunkLines(hunk: Hunk): DiffLine[] {
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

export interface Gap {
  firstOld: number;
  lastOld: number;
  above: number;
  below: number;
}

/** The places where lines of a hunk were removed. Lines added there count neither as above nor as below. */
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
  // In a diff without context, no line below means the end of the file.
  return gaps.filter(({ below }) => below > 0);
}

/**
 * Hashes of all changed lines of a pull request, without white space, with the sides that have them. A line on both
 * sides was moved or indented. A collision can hide a fact but not invent one.
 */
export class WholeDiff {
  readonly #removed = new Set<number>();
  readonly #added = new Set<number>();

  note({ hunks }: FileDiff): void {
    for (const hunk of hunks)
      for (const { side, text } of linesOf(hunk)) {
        if (side === 'context') continue;
        const hash = lineHash(text);
        if (hash !== nothing) (side === 'added' ? this.#added : this.#removed).add(hash);
      }
  }

  /** If nothing was removed, or nothing added, nothing was moved, and no line needs to be looked up. */
  get mayHaveMoved(): boolean {
    return this.#removed.size > 0 && this.#added.size > 0;
  }

  isOnBothSides(text: string): boolean {
    if (!this.mayHaveMoved) return false;
    const hash = lineHash(text);
    return this.#removed.has(hash) && this.#added.has(hash);
  }
}

const nothing = 0x811c9dc5;
const space = 32;

/** Ignores commas and semicolons at the end, which depend on whether the line is the last of a list. */
function lineHash(text: string): number {
  let end = text.length;
  while (end > 0 && (text.charCodeAt(end - 1) <= space || ',;'.includes(text.charAt(end - 1)))) end--;
  let hash = nothing;
  for (let index = 0; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code > space) hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash;
}
