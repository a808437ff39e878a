import type { FileStatus } from '../domain/articles.ts';

export type { FileStatus } from '../domain/articles.ts';

export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** What git prints behind the line numbers: usually the function that the hunk is in. */
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

/** Several readers want the hunks of a file, one after the other; those of all files would take more memory than the diff. */
let known = new Map<Hunk, readonly DiffLine[]>();
const mostKnown = 1_000;
let knownLines = 0;

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

/**
 * Every changed line of a pull request without white space, by a hash, with the sides that have it. A line on both
 * sides was moved or indented. A collision of hashes costs a fact, and never makes one up.
 */
export class WholeDiff {
  readonly #removed = new Set<number>();
  readonly #added = new Set<number>();

  note({ hunks }: FileDiff): void {
    for (const hunk of hunks)
      for (const { side, text } of linesOf(hunk)) {
        if (side === 'context') continue;
        const hash = hashOf(text);
        if (hash !== nothing) (side === 'added' ? this.#added : this.#removed).add(hash);
      }
  }

  /** Where nothing went, or nothing came, nothing can have moved, and no line needs to be looked for. */
  get mayHaveMoved(): boolean {
    return this.#removed.size > 0 && this.#added.size > 0;
  }

  isOnBothSides(text: string): boolean {
    if (!this.mayHaveMoved) return false;
    const hash = hashOf(text);
    return this.#removed.has(hash) && this.#added.has(hash);
  }
}

const nothing = 0x811c9dc5;
const space = 32;

/** Without what ends a line and says nothing: which of several lines is the last one decides whether it is there. */
function hashOf(text: string): number {
  let end = text.length;
  while (end > 0 && (text.charCodeAt(end - 1) <= space || ',;'.includes(text.charAt(end - 1)))) end--;
  let hash = nothing;
  for (let index = 0; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code > space) hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash;
}
