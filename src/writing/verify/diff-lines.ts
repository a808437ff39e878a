import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';

/** A line of a diff and the company it keeps. */
export interface PlacedLine extends DiffLine {
  hunk: number;
  /** The run of changed lines that it belongs to, counted through the file; null for context. */
  block: number | null;
}

/** The lines of a diff, file by file, read when somebody asks for them. */
export class DiffLines {
  readonly #files: Map<string, FileDiff>;
  readonly #lines = new Map<string, PlacedLine[]>();

  constructor(diff: FileDiff[]) {
    this.#files = new Map(diff.map((file) => [file.path, file]));
  }

  get files(): Iterable<FileDiff> {
    return this.#files.values();
  }

  get count(): number {
    return this.#files.size;
  }

  file(path: string): FileDiff | undefined {
    return this.#files.get(path);
  }

  of(path: string): PlacedLine[] {
    const known = this.#lines.get(path);
    if (known) return known;
    const lines = placeLines(this.#files.get(path));
    this.#lines.set(path, lines);
    return lines;
  }
}

function placeLines(file: FileDiff | undefined): PlacedLine[] {
  const placed: PlacedLine[] = [];
  let block = -1;
  for (const [hunk, one] of (file?.hunks ?? []).entries()) {
    let inBlock = false;
    for (const line of linesOf(one)) {
      if (line.side !== 'context' && !inBlock) block += 1;
      inBlock = line.side !== 'context';
      placed.push({ ...line, hunk, block: inBlock ? block : null });
    }
  }
  return placed;
}
