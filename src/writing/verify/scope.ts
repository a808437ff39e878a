import type { Evidence } from '../../reading/facts.ts';
import type { SpokenWords } from '../draft.ts';
import { type Citation, type CitedFile, cite, referenceTo, validReferences } from './citation.ts';
import type { PlacedLine } from './diff-lines.ts';
import { foldsOf, quotesFrom } from './fold-words.ts';
import type { Ground } from './ground.ts';
import { namePattern } from './name-pattern.ts';

/**
 * What one sentence may speak of: the lines that it cites with their blocks, hunk headings and paths, and the words that
 * it cites. What stands elsewhere in a cited file is added to the evidence when it is asked for.
 */
export class Scope {
  #citation: Citation;
  readonly #ground: Ground;
  readonly #words: string[];
  #added: Evidence[] = [];

  constructor(ground: Ground, references: Evidence[], words: SpokenWords[]) {
    this.#ground = ground;
    this.#citation = cite(validReferences(references, ground.lines), ground.lines);
    const texts = words.map(({ text }) => text);
    const speakers = words.flatMap((one) => ground.speakersOf(one));
    this.#words = [...texts, ...(texts.length > 1 ? [texts.join(' ')] : []), ...speakers];
  }

  get evidence(): Evidence[] {
    return this.#citation.evidence;
  }

  get files(): CitedFile[] {
    return this.#citation.files;
  }

  get isRepaired(): boolean {
    return this.#added.length > 0;
  }

  /** What was cited and what was found beside it. */
  get added(): Evidence[] {
    return this.#added;
  }

  hasName(name: string): boolean {
    return (
      this.files.some((file) => namesFile(name, file) || standsInFile(name, file)) || this.wasWritten(name)
    );
  }

  /** Whether it stands in the words that are cited. */
  wasWritten(name: string): boolean {
    const pattern = namePattern(name);
    return this.#words.some((text) => (pattern ? text.search(pattern) >= 0 : text.includes(name)));
  }

  hasQuotation(quotation: string): boolean {
    return (
      this.#words.some((text) => quotesFrom(foldsOf(text), quotation)) ||
      this.files.some((file) => quotesFrom(foldsOfLines(file.lines), quotation))
    );
  }

  /** Takes in the line of a cited file on which a name stands; changed lines first. False where there is none. */
  reachForName(name: string): boolean {
    return this.files.some(({ path }) => {
      const found = findLine(this.#ground.lines.of(path), name);
      return found !== null && this.#add(path, found);
    });
  }

  /** The same for somebody's words, which may run over several lines. */
  reachForQuotation(quotation: string): boolean {
    return this.files.some(({ path }) => {
      const lines = this.#ground.lines.of(path);
      const blocks = Map.groupBy(lines, ({ hunk, block }) => `${hunk} ${block}`);
      const found = [...blocks.values()].find(
        ([first, ...rest]) =>
          first?.block !== null && quotesFrom(foldsOfLines(first ? [first, ...rest] : []), quotation),
      );
      const line = found?.find(({ text }) => /[\p{L}\p{N}]/u.test(text));
      return line !== undefined && this.#add(path, line);
    });
  }

  /** Takes in lines, because what is said shows there. */
  reach(path: string, line: PlacedLine): boolean {
    return this.#add(path, line);
  }

  #add(path: string, line: PlacedLine): boolean {
    const reference = referenceTo(path, line);
    if (!reference) return false;
    this.#added = [...this.#added, reference];
    this.#citation = cite([...this.#citation.evidence, reference], this.#ground.lines);
    return true;
  }
}

/** A file is named by its path, by the end of its path, or by a folder that it is in. */
export function namesFile(
  name: string,
  { path, previousPath }: Pick<CitedFile, 'path' | 'previousPath'>,
): boolean {
  const wanted = name.replace(/^\.?\//, '').replace(/\/$/, '');
  return [path, previousPath].some(
    (one) =>
      one !== null &&
      wanted !== '' &&
      (one === wanted || one.endsWith(`/${wanted}`) || `/${one}`.includes(`/${wanted}/`)),
  );
}

const sideText = (lines: PlacedLine[], side: 'oldLine' | 'newLine'): string =>
  lines
    .filter((line) => line[side] !== null)
    .map(({ text }) => text)
    .join('\n');

function standsInFile(name: string, { path, lines, headings }: CitedFile): boolean {
  const texts = [sideText(lines, 'newLine'), sideText(lines, 'oldLine'), ...headings];
  return texts.some((text) => standsInText(name, text, path));
}

const codeFile =
  /\.(?:c|cc|cpp|cs|cts|cxx|dart|ex|exs|go|h|hh|hpp|java|js|jsx|kt|kts|m|mjs|mm|mts|php|py|rb|rs|scala|swift|ts|tsx|zig)$/i;

/** In code a hyphen between two names is usually a minus; inside of quotation marks it never is. */
export function standsInText(name: string, text: string, path: string): boolean {
  const strict = namePattern(name);
  if (strict === null) return text.includes(name);
  if (text.search(strict) >= 0) return true;
  const lenient = codeFile.test(path) ? namePattern(name, 'operators') : null;
  return lenient !== null && [...text.matchAll(lenient)].some(({ index }) => !isInQuotes(text, index));
}

function isInQuotes(text: string, index: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', index) + 1, index);
  return (before.match(/["'`]/g)?.length ?? 0) % 2 === 1;
}

function findLine(lines: PlacedLine[], name: string): PlacedLine | null {
  const pattern = namePattern(name);
  const standsOn = ({ text }: PlacedLine) => (pattern ? text.search(pattern) >= 0 : text.includes(name));
  return (
    lines.find((line) => line.side === 'added' && standsOn(line)) ??
    lines.find((line) => line.side === 'removed' && standsOn(line)) ??
    lines.find(standsOn) ??
    null
  );
}

/** What lines read like when they are joined, once before and once after the change. */
function foldsOfLines(lines: PlacedLine[]): string[] {
  return [...foldsOf(sideText(lines, 'newLine')), ...foldsOf(sideText(lines, 'oldLine'))];
}
