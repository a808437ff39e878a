import type { Evidence } from '../../reading/facts.ts';
import type { SpokenWords } from '../draft.ts';
import {
  blocksOf,
  type CitedFile,
  cite,
  foldsOf,
  isCited,
  joinLines,
  type PlacedLine,
  quotesFrom,
  referenceTo,
  validReferences,
} from './diff-lines.ts';
import { declares, namesFile, occursIn } from './find-name.ts';
import type { Ground } from './ground.ts';

/**
 * The evidence that a sentence may use: the cited lines with their blocks, hunk headings and paths, and the cited
 * texts. Other lines of a cited file are added on demand.
 */
export class Scope {
  readonly ground: Ground;
  readonly #words: string[];
  /** Cited lines of unchanged definitions; cited lines of the diff are in the files. */
  readonly #unchanged: { path: string; lines: PlacedLine[] }[];
  #evidence: Evidence[];
  #files: CitedFile[];
  #isRepaired = false;

  constructor(ground: Ground, references: Evidence[], words: SpokenWords[]) {
    this.ground = ground;
    this.#evidence = references.flatMap((one) => {
      const changed = validReferences([one], ground.lines);
      // Lines that stay are cited for what they are, also if removed ones stood between them.
      const isChange = changed.some(({ side }) => side === one.side);
      return isChange || !this.#stays(one) ? changed : [one, ...changed];
    });
    this.#unchanged = this.#evidence.map((one) => ({
      path: one.fileName,
      lines: ground.unchangedLines(one),
    }));
    this.#files = cite(this.#evidence, ground.lines);
    const texts = words.map(({ text }) => text);
    const speakers = words.flatMap((one) => ground.speakersOf(one));
    this.#words = [...texts, ...(texts.length > 1 ? [texts.join(' ')] : []), ...speakers];
  }

  get evidence(): Evidence[] {
    return this.#evidence;
  }

  get files(): CitedFile[] {
    return this.#files;
  }

  get isRepaired(): boolean {
    return this.#isRepaired;
  }

  hasName(name: string): boolean {
    return (
      this.#files.some((file) => namesFile(name, file.path, file.previousPath) || standsIn(name, file)) ||
      this.wasWritten(name) ||
      this.staysIn(name)
    );
  }

  isNameOfWhole(name: string): boolean {
    const isInPath = [...this.ground.lines.files].some(({ path }) => path.split(/[/.]/).includes(name));
    return isInPath || this.ground.wasSpokenOf(name);
  }

  /** Whether the cited unchanged definitions contain a name. */
  staysIn(name: string): boolean {
    return this.#unchanged.some(({ path, lines }) => lines.some(({ text }) => occursIn(name, text, path)));
  }

  /** Whether cited lines contain a name, and all of them declare it. */
  onlyDeclares(name: string): boolean {
    const lines = [...this.#files, ...this.#unchanged].flatMap(({ path, lines: own }) =>
      own.filter(({ text }) => occursIn(name, text, path)),
    );
    return lines.length > 0 && lines.every(({ text }) => declares(text, name.replace(/\(\)$/, '')));
  }

  /** Whether a name is in unchanged lines of the cited hunks of a file, or elsewhere, and its changed lines do not contain it. */
  keepsName(name: string): boolean {
    const isKept = this.#files.some(({ path, around }) => {
      const sides = around.filter(({ text }) => occursIn(name, text, path)).map(({ side }) => side);
      return sides.length > 0 && sides.every((side) => side === 'context');
    });
    return isKept || this.staysIn(name);
  }

  /** Whether lines of the old or the new side are cited; unchanged lines are on both. */
  cites(side: 'old' | 'new'): boolean {
    const gone = side === 'old' ? 'added' : 'removed';
    return (
      this.#unchanged.some(({ lines }) => lines.length > 0) ||
      this.#files.some(({ lines }) => lines.some((line) => line.side !== gone))
    );
  }

  get citesChange(): boolean {
    return this.#files.some(({ lines }) => lines.some(({ side }) => side !== 'context'));
  }

  wasWritten(name: string): boolean {
    return this.#words.some((text) => occursIn(name, text));
  }

  hasQuotation(quotation: string): boolean {
    return (
      this.#words.some((text) => quotesFrom(foldsOf(text), quotation)) ||
      this.#files.some((file) => quotesFrom(file.folds, quotation)) ||
      this.#unchanged.some(({ lines }) =>
        quotesFrom(foldsOf(lines.map(({ text }) => text).join('\n')), quotation),
      )
    );
  }

  /** Adds the line of a cited file that contains a name, changed lines first. False if there is none. */
  reachForName(name: string): boolean {
    return this.#files.some(({ path }) => {
      const found = findLine(this.ground.lines.of(path), name, path);
      return found !== null && this.reach(found);
    });
  }

  /** Adds the lines of a cited file that contain a quotation, which may span several lines. */
  reachForQuotation(quotation: string): boolean {
    return this.#files.some(({ path }) => {
      for (const lines of blocksOf(this.ground.lines.of(path))) {
        const folds = [...foldsOf(joinLines(lines, 'new')), ...foldsOf(joinLines(lines, 'old'))];
        const line = lines.find(({ text }) => /[\p{L}\p{N}]/u.test(text));
        if (line && quotesFrom(folds, quotation)) return this.reach(line);
      }
      return false;
    });
  }

  /** Whether a reference is to unchanged lines: of a definition, or of one hunk. */
  #stays(one: Evidence): boolean {
    if (this.ground.unchangedLines(one).length > 0) return true;
    const lines = this.ground.lines.of(one.fileName).filter((line) => isCited(line, one));
    const isWhole = lines.length > 0 && lines.length === one.endLine - one.startLine + 1;
    return isWhole && lines[0]?.hunk === lines.at(-1)?.hunk;
  }

  /** Adds a line to the evidence, because it proves the statement. */
  reach(line: PlacedLine): boolean {
    const reference = referenceTo(line);
    if (!reference) return false;
    this.#isRepaired = true;
    return this.#add(reference);
  }

  #add(reference: Evidence): true {
    this.#evidence = [...this.#evidence, reference];
    this.#files = cite(this.#evidence, this.ground.lines);
    return true;
  }
}

export type ChangedSide = 'added' | 'removed';

export const otherSide = (side: ChangedSide): ChangedSide => (side === 'added' ? 'removed' : 'added');

export const citedLines = ({ files }: Scope, side: ChangedSide): PlacedLine[] =>
  files.flatMap(({ lines }) => lines.filter((line) => line.side === side));

export const fileLines = (ground: Ground, path: string, side: ChangedSide): PlacedLine[] =>
  ground.lines.of(path).filter((line) => line.side === side);

/** Changed lines of all files that contain a word. The bytes are searched first, because most files contain none. */
export const linesHolding = (ground: Ground, word: string, side: ChangedSide): PlacedLine[] =>
  ground.filesHolding(word).flatMap((path) => fileLines(ground, path, side));

/** The longest run of letters and digits, by which a text can be searched for regardless of spacing. */
export const longestWord = (text: string): string =>
  text.match(/[\p{L}\p{N}_$]+/gu)?.reduce((best, word) => (word.length > best.length ? word : best)) ?? '';

const standsIn = (name: string, file: CitedFile): boolean =>
  [file.text('new'), file.text('old'), ...file.headings].some((text) => occursIn(name, text, file.path));

function findLine(lines: PlacedLine[], name: string, path: string): PlacedLine | null {
  const found = lines.filter(({ text }) => occursIn(name, text, path));
  return (
    found.find(({ side }) => side === 'added') ??
    found.find(({ side }) => side === 'removed') ??
    found[0] ??
    null
  );
}
