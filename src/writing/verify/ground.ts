import type { Definition, Evidence, LookedLines, NamedRange } from '../../reading/facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import type { SpokenWords } from '../draft.ts';
import { DiffLines, foldsOf, type PlacedLine, quotesFrom } from './diff-lines.ts';
import { declares, occursIn } from './find-name.ts';

export interface Material {
  diff: FileDiff[];
  words: SpokenWords[];
  /** The repository as `owner/name`. */
  repository?: string;
  ranges?: ReadonlyMap<string, NamedRange[]>;
  /** Unchanged definitions that the model may have been shown, by file path. */
  definitions?: ReadonlyMap<string, Definition[]>;
}

/** Whether a name refers to something, with or without its qualifier and parentheses. */
export const isNamed = (whole: string, name: string): boolean => {
  const called = name.replace(/\(\)$/, '');
  return whole === called || whole.split(/\.|::|#/).at(-1) === called;
};

const lastOf = (name: string): string =>
  name
    .replace(/\(\)$/, '')
    .split(/\.|::|#/)
    .at(-1) ?? name;

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

export class Ground {
  readonly lines: DiffLines;
  readonly #project: string[];
  readonly #words: SpokenWords[];
  readonly #folds = new Map<SpokenWords, string[]>();

  readonly #holding = new Map<string, string[]>();
  readonly #ranges: ReadonlyMap<string, NamedRange[]>;
  readonly #definitions: ReadonlyMap<string, Definition[]>;
  #looked: LookedLines[] = [];

  constructor({ diff, words, repository = '', ranges = new Map(), definitions = new Map() }: Material) {
    this.lines = new DiffLines(diff);
    this.#definitions = definitions;
    this.#ranges = ranges;
    this.#words = words;
    this.#project = [repository, repository.slice(repository.lastIndexOf('/') + 1)].map(lettersOf);
  }

  /** Adds unchanged lines that a model was shown. */
  takeIn(looked: LookedLines[]): void {
    this.#looked = looked;
  }

  /** Every sentence may use the name of the project and names in the author's title. */
  isAboutAll(name: string): boolean {
    const letters = lettersOf(name);
    const isProject = letters !== '' && this.#project.includes(letters);
    // Lower-case words of the title may be ordinary words, not names.
    const isName = /[^\p{Ll}]/u.test(name);
    return (
      isProject ||
      (isName && this.#words.some(({ where, text }) => where === 'title' && occursIn(name, text)))
    );
  }

  /** The files whose diff contains a word. Most contain none, so their lines need not be searched. */
  filesHolding(word: string): string[] {
    const known = this.#holding.get(word);
    if (known) return known;
    const bytes = Buffer.from(word);
    const found = [...this.lines.files].filter((file) => file.bytes.includes(bytes)).map(({ path }) => path);
    this.#holding.set(word, found);
    return found;
  }

  rangesAround({ fileName, side, startLine, endLine }: Evidence): NamedRange[] {
    const looked = this.#looked
      .filter((one) => one.fileName === fileName && one.name !== '')
      .map(({ lines, ...one }) => ({ ...one, endLine: one.startLine + lines.length - 1, isFunction: false }));
    return [...(this.#ranges.get(fileName) ?? []), ...looked].filter(
      (range) => range.side === side && range.startLine <= endLine && range.endLine >= startLine,
    );
  }

  functionsAround(lines: Evidence): string[] {
    return this.rangesAround(lines)
      .filter(
        ({ isFunction, startLine, endLine }) =>
          isFunction && startLine <= lines.startLine && endLine >= lines.endLine,
      )
      .map(({ name }) => name);
  }

  unchangedLines({ fileName, side, startLine, endLine, unchanged }: Evidence): PlacedLine[] {
    const definitions = (side === 'new' && this.#definitions.get(fileName)) || [];
    const looked = this.#looked.filter((one) => one.fileName === fileName && one.side === side);
    const around = [...looked, ...definitions].find(
      (one) => unchanged && one.startLine <= startLine && one.startLine + one.lines.length > endLine,
    );
    const stays = { path: fileName, side: 'context' as const, hunk: -1, block: null };
    return Array.from({ length: around ? endLine - startLine + 1 : 0 }, (_, index) => {
      const at = startLine + index;
      const numbers = side === 'new' ? { oldLine: null, newLine: at } : { oldLine: at, newLine: null };
      return { ...stays, at, ...numbers, text: around?.lines[at - around.startLine] ?? '' };
    });
  }

  /** A class is not unchanged if a line within it changed. */
  isUnchanged(name: string): boolean {
    const isAround = [...this.#ranges].some(([path, ranges]) =>
      ranges.some(
        (range) =>
          isNamed(range.name, name) &&
          this.lines.of(path).some(({ side, oldLine, newLine }) => {
            const line = range.side === 'new' ? newLine : oldLine;
            return side !== 'context' && line !== null && line >= range.startLine && line <= range.endLine;
          }),
      ),
    );
    if (isAround) return false;
    const isDefined =
      [...this.#definitions.values()].flat().some((one) => isNamed(one.name, name)) ||
      this.#looked.some(({ lines }) => lines.some((line) => declares(line, lastOf(name))));
    return isDefined && !this.isDeclared(name);
  }

  /** Whether lines of the diff, or lines that were looked at, contain all words of which a name is made. */
  shows(name: string): boolean {
    const definitions = [...this.#definitions.values()].flat().map(({ lines }) => lines);
    const stays = [...definitions, ...this.#looked.map(({ lines }) => lines)].flat();
    const holds = (word: string): boolean =>
      this.filesHolding(word).length > 0 || stays.some((line) => line.includes(word));
    const words = name.match(/\p{Lu}?[\p{Ll}\p{N}]+|\p{Lu}+/gu) ?? [];
    return words.every((word) => holds(word) || holds(word.toLowerCase()));
  }

  /** Whether a changed line declares it. */
  isDeclared(name: string): boolean {
    const last = lastOf(name);
    return this.filesHolding(last).some((path) =>
      this.lines.of(path).some(({ side, text }) => side !== 'context' && declares(text, last)),
    );
  }

  /**
   * Whether people wrote about something that is not a file of the diff. Comments do not count, because anybody may
   * write them.
   */
  wasSpokenOf(name: string): boolean {
    const isFile = [...this.lines.files].some(({ path }) => path === name || path.endsWith(`/${name}`));
    return !isFile && this.#words.some((one) => one.where !== 'comment' && occursIn(name, one.text));
  }

  /**
   * The authors of a text in the given place; an issue is named by its number. Comments in the code are looked up
   * there.
   */
  speakersOf({ where, text }: SpokenWords): string[] {
    return this.#words
      .filter((known) => known.where === where && quotesFrom(this.#foldsOf(known), text))
      .map(({ speaker }) => speaker);
  }

  /** Computed on demand, because most texts are never quoted. */
  #foldsOf(known: SpokenWords): string[] {
    const folds = this.#folds.get(known) ?? foldsOf(known.text);
    this.#folds.set(known, folds);
    return folds;
  }
}
