import { type Citation, type CitedLine, citeLines } from '../../actions/pull-requests/cite-lines.ts';
import type { ArticleContent } from '../../contract/article.ts';
import type { ShownDiff } from '../../db/article-pages.ts';
import type { CitedCode, CodeLine, CodeToken } from '../../pages/article/cited-code.ts';
import { placesByFile } from '../../pages/article/evidence.ts';
import { citationKey, itemsOf } from '../../pages/article/shown-article.ts';
import { Highlighter } from './highlight.ts';

/** The cited lines that come with a page, by what refers to them. */
export type CodeCiter = (diff: ShownDiff, content: ArticleContent) => Promise<Map<string, CitedCode>>;

const bounds = { linesEach: 24, linesInAll: 600, context: 2 };

/** Longer lines are cut, because they are too long to read beside an article. */
const longestLine = 240;

/** What colours cost beside the code itself: with all of this, a page stays below 400 kB. */
const mostBytes = 190_000;
const bytesPerLine = 80;
const bytesPerToken = 24;

export function createCodeCiter(): CodeCiter {
  const highlighter = new Highlighter();
  return async (diff, content) => {
    const wanted = citationsOf(content);
    const citations = wanted.map(({ citation }) => citation);
    const shown = await citeLines(diff, citations, bounds);
    const cited = new Map<string, CitedCode>();
    let left = mostBytes;
    for (const [index, { key }] of wanted.entries()) {
      const one = shown[index];
      if (!one) continue;
      const runs = one.runs.map((run) => colour(highlighter, run, one.language));
      const bytes = runs.flat().reduce((sum, line) => sum + bytesOf(line), 0);
      if (bytes > left) continue;
      left -= bytes;
      cited.set(key, { runs, omitted: one.omitted });
    }
    return cited;
  };
}

/** The files of which lines come with a page. */
export const citedFiles = (content: ArticleContent): string[] => [
  ...new Set(citationsOf(content).map(({ citation }) => citation.fileName)),
];

function citationsOf(content: ArticleContent): { key: string; citation: Citation }[] {
  return itemsOf(content).flatMap(({ id, statements }) =>
    [...placesByFile(statements)].map(([fileName, ranges]) => ({
      key: citationKey(id, fileName),
      citation: { fileName, ranges },
    })),
  );
}

function colour(highlighter: Highlighter, run: CitedLine[], language: string | null): CodeLine[] {
  const texts = run.map(({ text }) => (text.length > longestLine ? `${text.slice(0, longestLine)}…` : text));
  const tokens = highlighter.highlight(texts, language);
  return run.map(({ oldLine, newLine, side, isCited }, index) => ({
    number: newLine ?? oldLine ?? 0,
    side,
    isCited,
    tokens: tokens[index] ?? [],
  }));
}

const bytesOf = ({ tokens }: { tokens: CodeToken[] }): number =>
  tokens.reduce((sum, { text }) => sum + Buffer.byteLength(text) + bytesPerToken, bytesPerLine);
