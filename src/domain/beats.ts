import type { ExcerptLineKind } from './article.ts';

/** Lines that a sentence cites. */
export interface CitedLines {
  fileName: string;
  startLine: number;
  endLine: number;
  side: 'old' | 'new';
}

/** Lines that are shown. */
interface ShownLines {
  fileName: string;
  lines: { kind: ExcerptLineKind; oldLine: number | null; newLine: number | null }[];
}

/** Some sentences, and the lines that are shown behind them. */
export interface Beat<Told, Shown> {
  statements: Told[];
  excerpts: Shown[];
}

/**
 * How a change is told: an excerpt follows the last sentence that cites it, and the first one where none does. Every sentence
 * and every excerpt stands in one beat, in its order.
 */
export function beatsOf<Told extends { evidence: CitedLines[] }, Shown extends ShownLines>(
  statements: Told[],
  excerpts: Shown[],
): Beat<Told, Shown>[] {
  const ends = excerpts.map((excerpt) =>
    Math.max(
      0,
      statements.findLastIndex(({ evidence }) => evidence.some((lines) => touches(excerpt, lines))),
    ),
  );
  const beats: Beat<Told, Shown>[] = [];
  let told: Told[] = [];
  for (const [index, statement] of statements.entries()) {
    told.push(statement);
    const shown = excerpts.filter((_, place) => ends[place] === index);
    if (shown.length === 0 && index < statements.length - 1) continue;
    beats.push({ statements: told, excerpts: shown });
    told = [];
  }
  return beats;
}

const numberOn = (side: 'old' | 'new', line: ShownLines['lines'][number]): number | null =>
  side === 'old' ? line.oldLine : line.newLine;

/** Whether an excerpt has one of the lines that are cited. */
export function touches({ fileName, lines }: ShownLines, cited: CitedLines): boolean {
  return (
    fileName === cited.fileName &&
    lines.some((line) => {
      const number = numberOn(cited.side, line);
      return number !== null && number >= cited.startLine && number <= cited.endLine;
    })
  );
}

/** Whether an excerpt has all lines that are cited, those included that it opens. */
export function showsAll(excerpt: ShownLines, cited: CitedLines): boolean {
  if (excerpt.fileName !== cited.fileName) return false;
  const numbers = excerpt.lines.flatMap((line) => numberOn(cited.side, line) ?? []);
  const [first, last] = [numbers[0], numbers.at(-1)];
  return first !== undefined && last !== undefined && cited.startLine >= first && cited.endLine <= last;
}
