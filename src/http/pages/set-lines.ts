import type { CodeLine, CodeToken } from '../../pages/article/cited-code.ts';
import type { Highlighter } from './highlight.ts';

/** A line of a diff as it is printed. */
export interface PlainLine {
  side: 'added' | 'removed' | 'context';
  oldLine: number | null;
  newLine: number | null;
  text: string;
}

/** Longer lines are cut: nobody reads them in a page, and the host shows them. */
const longestLine = 2_000;

export interface SetLines {
  lines: CodeLine[];
  /** The indentation that all of them had, and were set without; null where there are only blank ones. */
  indent: string | null;
}

/** Has lines coloured, without the indentation that all of them have, or so much of it. */
export function setLines(
  highlighter: Highlighter,
  lines: PlainLine[],
  { language, mostIndent = Number.POSITIVE_INFINITY }: { language: string | null; mostIndent?: number },
): SetLines {
  const texts = lines.map(({ text }) => {
    const shown = text.replace(/\r$/, '');
    return shown.length > longestLine ? `${shown.slice(0, longestLine)}…` : shown;
  });
  const common = commonIndent(texts)?.slice(0, mostIndent) ?? null;
  const tokens = highlighter.highlight(texts, language);
  const set = lines.map(({ side, oldLine, newLine }, index) => {
    const text = texts[index] ?? '';
    const indent = indentOf(text);
    const code = withoutStart(tokens[index] ?? [], indent.length);
    return {
      side,
      oldLine,
      newLine,
      indent: indent.slice(common?.length),
      tokens: code,
      length: text.length - indent.length,
    };
  });
  return { lines: set, indent: common };
}

const indentOf = (text: string): string => /^[ \t]*/.exec(text)?.[0] ?? '';

function commonIndent(texts: string[]): string | null {
  const told = texts.filter((text) => text.trim() !== '').map(indentOf);
  let common = told[0] ?? null;
  for (const indent of told) {
    if (common === null) break;
    let length = 0;
    while (length < common.length && common[length] === indent[length]) length += 1;
    common = common.slice(0, length);
  }
  return common;
}

/** Tokens without the first so many characters. */
function withoutStart(tokens: CodeToken[], characters: number): CodeToken[] {
  let left = characters;
  return tokens.flatMap(({ kind, text }) => {
    const cut = Math.min(left, text.length);
    left -= cut;
    return cut === text.length ? [] : [{ kind, text: text.slice(cut) }];
  });
}
