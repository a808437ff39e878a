import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';

/** A line of a diff and the company it keeps. */
export interface PlacedLine extends DiffLine {
  /** Its place among the lines of its file's diff. */
  at: number;
  hunk: number;
  /** The run of changed lines that it belongs to, counted through the file; null for context. */
  block: number | null;
}

/** Lines by the runs of changed ones that they belong to. */
export const blocksOf = (lines: PlacedLine[]): PlacedLine[][] => [
  ...Map.groupBy(
    lines.filter(({ block }) => block !== null),
    ({ block }) => block,
  ).values(),
];

/** The lines of a diff, file by file, read when somebody asks for them. */
export class DiffLines {
  readonly #files: Map<string, FileDiff>;
  readonly #lines = new Map<string, PlacedLine[]>();
  readonly #hunks = new Map<string, Map<number, PlacedLine[]>>();
  readonly #texts = new Map<string, string>();
  readonly #sides = new Map<string, Record<'old' | 'new', PlacedLine[]>>();

  constructor(diff: FileDiff[]) {
    this.#files = new Map(diff.map((file) => [file.path, file]));
  }

  get files(): Iterable<FileDiff> {
    return this.#files.values();
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

  /** All lines of a file that were added, or all that were removed, as one text. */
  changed(path: string, side: 'added' | 'removed'): string {
    const key = `${side} ${path}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const lines = this.of(path).filter((line) => line.side === side);
    const text = lines.map((line) => line.text).join('\n');
    this.#texts.set(key, text);
    return text;
  }

  ofHunk(path: string, hunk: number): PlacedLine[] {
    const hunks = this.#hunks.get(path) ?? Map.groupBy(this.of(path), (line) => line.hunk);
    this.#hunks.set(path, hunks);
    return hunks.get(hunk) ?? [];
  }

  /** The lines of one side of a file from one number to another. */
  between(path: string, side: 'old' | 'new', from: number, to: number): PlacedLine[] {
    const sides = this.#sides.get(path) ?? {
      old: this.of(path).filter(({ oldLine }) => oldLine !== null),
      new: this.of(path).filter(({ newLine }) => newLine !== null),
    };
    this.#sides.set(path, sides);
    const lines = sides[side];
    const numberOf = (line: PlacedLine): number => (side === 'old' ? line.oldLine : line.newLine) ?? 0;
    return lines.slice(firstAtLeast(lines, numberOf, from), firstAtLeast(lines, numberOf, to + 1));
  }
}

/** Where the first of some lines stands, which are in order, that has this number or a greater one. */
function firstAtLeast(lines: PlacedLine[], numberOf: (line: PlacedLine) => number, number: number): number {
  let [from, to] = [0, lines.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const line = lines[middle];
    if (line && numberOf(line) < number) from = middle + 1;
    else to = middle;
  }
  return from;
}

function placeLines(file: FileDiff | undefined): PlacedLine[] {
  const placed: PlacedLine[] = [];
  let block = -1;
  for (const [hunk, one] of (file?.hunks ?? []).entries()) {
    let inBlock = false;
    for (const line of linesOf(one)) {
      if (line.side !== 'context' && !inBlock) block += 1;
      inBlock = line.side !== 'context';
      placed.push({ ...line, at: placed.length, hunk, block: inBlock ? block : null });
    }
  }
  return placed;
}
