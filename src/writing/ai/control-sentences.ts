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
  },
  ja: {
    gone: (line: string, path: string) => `\`${path}\` から \`${line}\` がなくなります。`,
    new: (line: string, path: string) => `\`${path}\` に \`${line}\` が新しく加わります。`,
  },
};

const fold = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Sentences that are false beyond doubt: a line that came is said to have gone, or the reverse. A reader that lets one of them
 * pass among others has not read those either.
 */
export function* controlSentences(
  { files }: Material,
  { paths, language, shuffle }: Wanted,
): Generator<Sentence> {
  const { gone, new: arrived } = language === 'ja' ? wordings.ja : wordings.en;
  const changed = shuffle(
    [...files.values()]
      .filter(({ path }) => paths.has(path) && !path.includes('`'))
      .flatMap(({ path, hunks }) =>
        hunks.flatMap((hunk) => linesOf(hunk).flatMap((line) => ({ ...line, path }))),
      ),
  );
  for (const { path, side, text, oldLine, newLine } of changed) {
    const line = fold(text);
    const at = side === 'added' ? newLine : oldLine;
    if (side === 'context' || at === null || !quotable.test(line) || !telling.test(line)) continue;
    if (changed.some((other) => other.side !== side && fold(other.text).includes(line))) continue;
    yield {
      text: side === 'added' ? gone(line, path) : arrived(line, path),
      basis: 'diff',
      quote: null,
      evidence: [{ fileName: path, side: side === 'added' ? 'new' : 'old', startLine: at, endLine: at }],
      words: [],
      facts: [],
    };
  }
}

interface Wanted {
  /** The files that the sentences among which it will stand are about. */
  paths: ReadonlySet<string>;
  language: string;
  shuffle: <Item>(items: Item[]) => Item[];
}
