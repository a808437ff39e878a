import { linesOf } from '../../reading/file-diff.ts';
import type { Sentence } from '../draft.ts';
import type { Material } from './material.ts';

/** A line that is short enough to be quoted, and long enough to stand in one place only. */
const quotable = /^[^`]{4,80}$/u;
const telling = /(?:[\p{L}\p{N}].*){3}/u;

const wordings = {
  en: {
    gone: (line: string, path: string) => `\`${line}\` no longer stands in \`${path}\`.`,
    new: (line: string, path: string) => `\`${line}\` is new in \`${path}\`.`,
    empty: (path: string) => `Nothing at all changes in \`${path}\`.`,
  },
  ja: {
    gone: (line: string, path: string) => `\`${path}\` から \`${line}\` がなくなります。`,
    new: (line: string, path: string) => `\`${path}\` に \`${line}\` が新しく加わります。`,
    empty: (path: string) => `\`${path}\` では何も変わりません。`,
  },
};

/** Lines that differ in signs alone say the same to most who read them. */
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');

const fold = (text: string): string => text.replace(/\s+/g, ' ').trim();

interface Wanted {
  /** The files that the sentences among which it will stand are about. */
  paths: ReadonlySet<string>;
  language: string;
  shuffle: <Item>(items: Item[]) => Item[];
  /** How many of them were used before. */
  used: number;
}

/**
 * A sentence that is false beyond doubt: a line that came is said to have gone, or the reverse; where no line is fit for that,
 * that nothing changes at all. A reader that lets it pass among others has not read those either.
 */
export function controlSentence(
  { files }: Material,
  { paths, language, shuffle, used }: Wanted,
): Sentence | null {
  const { gone, new: arrived, empty } = language === 'ja' ? wordings.ja : wordings.en;
  const shown = [...files.values()].filter(({ path }) => paths.has(path));
  const lines = (shown.length > 0 ? shown : [...files.values()]).flatMap(({ path, hunks }) =>
    hunks.flatMap((hunk) => linesOf(hunk).map((line) => ({ ...line, path, text: fold(line.text) }))),
  );
  const changed = shuffle(lines.filter(({ side }) => side !== 'context'));
  const isFit = ({ text, side, path }: (typeof lines)[number]) =>
    quotable.test(text) &&
    telling.test(text) &&
    !path.includes('`') &&
    !lines.some((other) => other.side !== side && lettersOf(other.text).includes(lettersOf(text)));
  const fit = firstOf(changed, isFit, used + 1).at(-1);
  const { path, side, text, oldLine, newLine } = fit ?? changed[0] ?? {};
  const line = side === 'added' ? newLine : oldLine;
  if (path === undefined || text === undefined || typeof line !== 'number') return null;
  const claim = !fit ? empty(path) : side === 'added' ? gone(text, path) : arrived(text, path);
  return {
    text: claim,
    basis: 'diff',
    quote: null,
    evidence: [{ fileName: path, side: side === 'added' ? 'new' : 'old', startLine: line, endLine: line }],
    words: [],
    facts: [],
  };
}

/** As many as are wanted, if there are as many; the rest is not looked at. */
function firstOf<One>(items: One[], isWanted: (item: One) => boolean, most: number): One[] {
  const found: One[] = [];
  for (const item of items) {
    if (found.length === most) break;
    if (isWanted(item)) found.push(item);
  }
  return found;
}
