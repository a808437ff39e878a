import type { Evidence } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { plainText } from '../plain-text.ts';

/** Words of scripts with spaces, and single characters of scripts without. */
const word =
  /[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]|[^\P{L}\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]+|\p{N}+/gu;

/** The words of a text with a space on either side, so that wrapping, markup and punctuation do not matter. */
const foldWords = (text: string): string => ` ${(text.toLowerCase().match(word) ?? []).join(' ')} `;

let known = new Map<string, string[]>();

/** Several names in a row are looked up in the same text; only the last few texts are cached. */
const mostKept = 8;

/** The forms in which a text may be quoted: as written, and without links and markup. */
export function foldsOf(text: string): string[] {
  const found = known.get(text);
  if (found) return found;
  if (known.size >= mostKept) known = new Map();
  const folds = [foldWords(text), foldWords(plainText(text))];
  known.set(text, folds);
  return folds;
}

/**
 * Whether words occur in a folded text in this order. An ellipsis marks omissions, and whole sentences may be left out.
 */
export function quotesFrom(folded: string[], quotation: string): boolean {
  const pieces = quotation.split(/…|\.\.\./u);
  const sentences = pieces.flatMap((piece) => piece.split(/(?<=[.!?]["”)]?)\s+|(?<=[。！？])/u));
  return folded.some((text) => areInOrder(text, pieces) || areInOrder(text, sentences));
}

function areInOrder(text: string, pieces: string[]): boolean {
  let from = 0;
  return pieces.every((piece) => {
    const words = foldWords(piece);
    if (words.trim() === '') return true;
    const found = text.indexOf(words, from);
    // The space after a piece is also the one before the next.
    from = found + words.length - 1;
    return found >= 0;
  });
}

export interface PlacedLine extends DiffLine {
  path: string;
  at: number;
  hunk: number;
  /** The number of the line's run of changed lines within its file; null for context. */
  block: number | null;
}

export const blocksOf = (lines: PlacedLine[]): PlacedLine[][] => [
  ...Map.groupBy(
    lines.filter(({ block }) => block !== null),
    ({ block }) => block,
  ).values(),
];

export class DiffLines {
  readonly #files: Map<string, FileDiff>;
  readonly #lines = new Map<string, PlacedLine[]>();
  readonly #hunks = new Map<string, Map<number, PlacedLine[]>>();
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

  ofHunk(path: string, hunk: number): PlacedLine[] {
    const hunks = this.#hunks.get(path) ?? Map.groupBy(this.of(path), (line) => line.hunk);
    this.#hunks.set(path, hunks);
    return hunks.get(hunk) ?? [];
  }

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

/** The index of the first of these ordered lines with at least this number. */
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
      placed.push({
        ...line,
        path: file?.path ?? '',
        at: placed.length,
        hunk,
        block: inBlock ? block : null,
      });
    }
  }
  return placed;
}

export type Side = Evidence['side'];

export class CitedFile {
  readonly path: string;
  readonly previousPath: string | null;
  readonly lines: PlacedLine[];
  /** All lines of the hunks of these lines, including unchanged ones. */
  readonly around: PlacedLine[];
  readonly headings: string[];
  readonly #texts = new Map<Side | 'added' | 'removed', string>();

  constructor(path: string, evidence: Evidence[], all: DiffLines) {
    const file = all.file(path);
    const [blocks, hunks, stayed] = [new Set<number>(), new Set<number>(), new Set<number>()];
    for (const { side, startLine, endLine } of evidence) {
      for (const line of all.between(path, side, startLine, endLine)) {
        hunks.add(line.hunk);
        if (line.block === null) stayed.add(line.at);
        else blocks.add(line.block);
      }
    }
    this.path = path;
    this.previousPath = file?.previousPath ?? null;
    const cited = [...hunks].sort((one, other) => one - other);
    this.around = cited.flatMap((hunk) => all.ofHunk(path, hunk));
    this.lines = this.around.filter(({ block, at }) => (block === null ? stayed.has(at) : blocks.has(block)));
    this.headings = cited.flatMap((hunk) => file?.hunks[hunk]?.heading ?? []).filter((text) => text !== '');
  }

  text(side: Side | 'added' | 'removed'): string {
    const known = this.#texts.get(side);
    if (known !== undefined) return known;
    const text = joinLines(this.lines, side);
    this.#texts.set(side, text);
    return text;
  }

  get folds(): string[] {
    return [...foldsOf(this.text('new')), ...foldsOf(this.text('old'))];
  }
}

export function joinLines(lines: PlacedLine[], side: Side | 'added' | 'removed'): string {
  const isOn = ({ side: own, oldLine, newLine }: PlacedLine): boolean =>
    side === 'new' ? newLine !== null : side === 'old' ? oldLine !== null : own === side;
  return lines
    .filter(isOn)
    .map(({ text }) => text)
    .join('\n');
}

/**
 * Valid references to changed lines within one hunk. A reference to unchanged lines around removed ones stands for the
 * removed ones; references without changed lines are dropped.
 */
export const validReferences = (references: Evidence[], lines: DiffLines): Evidence[] =>
  references.flatMap((one) => asChange(one, lines) ?? []);

export function cite(evidence: Evidence[], lines: DiffLines): CitedFile[] {
  const byFile = Map.groupBy(evidence, ({ fileName }) => fileName);
  return [...byFile].map(([path, some]) => new CitedFile(path, some, lines));
}

export function isCited(
  { oldLine, newLine }: PlacedLine,
  { startLine, endLine, side }: Omit<Evidence, 'fileName'>,
): boolean {
  const number = side === 'old' ? oldLine : newLine;
  return number !== null && number >= startLine && number <= endLine;
}

function asChange(reference: Evidence, lines: DiffLines): Evidence | null {
  const { fileName, startLine, endLine, side } = reference;
  const cited = lines.between(fileName, side, startLine, endLine);
  const [first] = cited;
  const last = cited.at(-1);
  const isWhole = endLine >= startLine && cited.length === endLine - startLine + 1;
  if (!isWhole || !first || !last || first.hunk !== last.hunk) return null;
  const changed = side === 'old' ? 'removed' : 'added';
  if (cited.some((line) => line.side === changed)) return reference;
  const others = lines
    .of(fileName)
    .slice(first.at, last.at + 1)
    .filter((line) => line.side !== 'context');
  return spanOf(fileName, others, side === 'old' ? 'new' : 'old');
}

function spanOf(fileName: string, lines: PlacedLine[], side: Side): Evidence | null {
  const numbers = lines.flatMap(({ oldLine, newLine }) => (side === 'old' ? oldLine : newLine) ?? []);
  const [startLine] = numbers;
  const endLine = numbers.at(-1);
  return startLine === undefined || endLine === undefined ? null : { fileName, startLine, endLine, side };
}

export function referenceTo({ path, oldLine, newLine }: PlacedLine): Evidence | null {
  const line = newLine ?? oldLine;
  if (line === null) return null;
  return { fileName: path, startLine: line, endLine: line, side: newLine === null ? 'old' : 'new' };
}
