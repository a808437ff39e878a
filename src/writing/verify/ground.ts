import type { Definition, Evidence, LookedLines, NamedRange } from '../../reading/facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import type { SpokenWords } from '../draft.ts';
import { DiffLines, foldsOf, type PlacedLine, quotesFrom } from './diff-lines.ts';
import { declares, occursIn } from './find-name.ts';

export interface Material {
  diff: FileDiff[];
  words: SpokenWords[];
  /** As `owner/name`. */
  repository?: string;
  ranges?: ReadonlyMap<string, NamedRange[]>;
  /** Definitions that did not change and that the model may have been shown, by the paths of files. */
  definitions?: ReadonlyMap<string, Definition[]>;
}

/** Something is called by its name, with what it belongs to or without, and called with brackets or not. */
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

  /** Lines around the diff that a model was shown. */
  takeIn(looked: LookedLines[]): void {
    this.#looked = looked;
  }

  /** The project's name, and what the author's title names, every sentence may use. */
  isAboutAll(name: string): boolean {
    const letters = lettersOf(name);
    const isProject = letters !== '' && this.#project.includes(letters);
    // What is plain lower case may be a word of the title and no name.
    const isName = /[^\p{Ll}]/u.test(name);
    return (
      isProject ||
      (isName && this.#words.some(({ where, text }) => where === 'title' && occursIn(name, text)))
    );
  }

  /** The files whose part of the diff holds a word anywhere; most hold none, and need no search of their lines. */
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

  isUnchanged(name: string): boolean {
    const isDefined =
      [...this.#definitions.values()].flat().some((one) => isNamed(one.name, name)) ||
      this.#looked.some(({ lines }) => lines.some((line) => declares(line, lastOf(name))));
    return isDefined && !this.isDeclared(name);
  }

  /** Whether a line that changed declares it. */
  isDeclared(name: string): boolean {
    const last = lastOf(name);
    return this.filesHolding(last).some((path) =>
      this.lines.of(path).some(({ side, text }) => side !== 'context' && declares(text, last)),
    );
  }

  /** Whether people wrote of something that is no file of the diff. Anybody may comment. */
  wasSpokenOf(name: string): boolean {
    const isFile = [...this.lines.files].some(({ path }) => path === name || path.endsWith(`/${name}`));
    return !isFile && this.#words.some((one) => one.where !== 'comment' && occursIn(name, one.text));
  }

  /** Who wrote this where it is said to be written; an issue speaks by its number. Comments in the code are looked up there. */
  speakersOf({ where, text }: SpokenWords): string[] {
    return this.#words
      .filter((known) => known.where === where && quotesFrom(this.#foldsOf(known), text))
      .map(({ speaker }) => speaker);
  }

  /** Most of what people wrote is never quoted. */
  #foldsOf(known: SpokenWords): string[] {
    const folds = this.#folds.get(known) ?? foldsOf(known.text);
    this.#folds.set(known, folds);
    return folds;
  }
}
