import type { Definition, Evidence, NamedRange } from '../../reading/facts.ts';
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

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

export class Ground {
  readonly lines: DiffLines;
  readonly #project: string[];
  readonly #words: SpokenWords[];
  readonly #folds = new Map<SpokenWords, string[]>();

  readonly #holding = new Map<string, string[]>();
  readonly #ranges: ReadonlyMap<string, NamedRange[]>;
  readonly #definitions: ReadonlyMap<string, Definition[]>;

  constructor({ diff, words, repository = '', ranges = new Map(), definitions = new Map() }: Material) {
    this.lines = new DiffLines(diff);
    this.#definitions = definitions;
    this.#ranges = ranges;
    this.#words = words;
    this.#project = [repository, repository.slice(repository.lastIndexOf('/') + 1)].map(lettersOf);
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
    return (this.#ranges.get(fileName) ?? []).filter(
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

  unchangedLines({ fileName, startLine, endLine, unchanged }: Evidence): PlacedLine[] {
    const around = this.#definitions
      .get(fileName)
      ?.find((one) => unchanged && one.startLine <= startLine && one.startLine + one.lines.length > endLine);
    const stays = { path: fileName, side: 'context' as const, hunk: -1, block: null };
    return Array.from({ length: around ? endLine - startLine + 1 : 0 }, (_, index) => {
      const at = startLine + index;
      return { ...stays, at, oldLine: null, newLine: at, text: around?.lines[at - around.startLine] ?? '' };
    });
  }

  isUnchanged(name: string): boolean {
    const isOne = [...this.#definitions.values()].flat().some((one) => isNamed(one.name, name));
    return isOne && !this.isDeclared(name);
  }

  /** Whether a line that changed declares it. */
  isDeclared(name: string): boolean {
    const last =
      name
        .replace(/\(\)$/, '')
        .split(/\.|::|#/)
        .at(-1) ?? name;
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
