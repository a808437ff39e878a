import type { CodeLine } from '../../pages/article/cited-code.ts';
import type { SetBlock } from './highlight.ts';

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

/** Sets lines without the indentation that all of them have, or so much of it, and adds them to the blocks to colour. */
export function setLines(
  blocks: SetBlock[],
  lines: PlainLine[],
  { language, mostIndent = Number.POSITIVE_INFINITY }: { language: string | null; mostIndent?: number },
): SetLines {
  const texts = lines.map(({ text }) => {
    const shown = text.replace(/\r$/, '');
    return shown.length > longestLine ? `${shown.slice(0, longestLine)}…` : shown;
  });
  const common = commonIndent(texts)?.slice(0, mostIndent) ?? null;
  const set = lines.map(({ side, oldLine, newLine }, index): CodeLine => {
    const text = texts[index] ?? '';
    const indent = indentOf(text);
    const code = text.slice(indent.length);
    return {
      side,
      oldLine,
      newLine,
      indent: indent.slice(common?.length),
      tokens: code === '' ? [] : [{ kind: null, text: code }],
      length: code.length,
    };
  });
  blocks.push({ language, texts, lines: set });
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
