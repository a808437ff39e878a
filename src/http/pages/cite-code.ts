import { type Citation, citeLines, readFilesOfDiff } from '../../actions/pull-requests/cite-lines.ts';
import type { ArticleContent } from '../../contract/article.ts';
import type { Excerpt } from '../../contract/told-parts.ts';
import type { ShownDiff } from '../../db/article-pages.ts';
import type { CitedCode, CodeLine, ExcerptCode } from '../../pages/article/cited-code.ts';
import { citationKey, itemsOf, placesByFile } from '../../pages/article/shown-article.ts';
import { excerptsOf, gapsOf, plainLine, setExcerpt, wholeGap } from './excerpt-code.ts';
import { Highlighter } from './highlight.ts';
import { setLines } from './set-lines.ts';

/** The code that comes with a page. */
export interface PageCode {
  /** By what refers to it. */
  cited: Map<string, CitedCode>;
  excerpts: Map<Excerpt, ExcerptCode>;
}

/** Has the code of a page set; without a diff, only what the article itself holds. */
export type CodeSetter = (
  content: ArticleContent,
  change: { files: ShownDiff['files']; diff: ShownDiff | null } | null,
) => Promise<PageCode>;

const bounds = { linesEach: 24, linesInAll: 600, context: 2 };

/** What colours cost beside the code itself: with all of this, a page stays below 400 kB. */
const mostBytes = 190_000;
const bytesPerLine = 120;
const bytesPerToken = 24;

export function createCodeSetter(): CodeSetter {
  const highlighter = new Highlighter();
  return async (content, change) => {
    const languages = new Map(change?.files.map(({ fileName, language }) => [fileName, language ?? null]));
    const languageOf = (fileName: string) => languages.get(fileName) ?? null;
    const wanted = change?.diff ? citationsOf(content) : [];
    const gaps = change?.diff ? gapsOf(content) : [];
    const files = await readFilesOfDiff(change?.diff?.parts ?? [], new Set(citedFiles(content)));
    const citations = [...wanted, ...gaps].map(({ citation }) => citation);
    const shown = citeLines(files, citations, bounds);
    let left = mostBytes;
    const excerpts = new Map<Excerpt, ExcerptCode>();
    for (const excerpt of excerptsOf(content)) {
      const hidden = gaps.flatMap((gap, index) =>
        gap.excerpt === excerpt ? [wholeGap(gap, shown[wanted.length + index] ?? null)] : [],
      );
      const source = { hidden, file: files.get(excerpt.fileName), language: languageOf(excerpt.fileName) };
      const code = setExcerpt(highlighter, excerpt, source);
      excerpts.set(excerpt, code);
      const lines = code.flatMap((one) => ('count' in one ? (one.lines ?? []) : [one]));
      left -= lines.reduce((sum, one) => sum + bytesOf(one), 0);
    }
    const cited = new Map<string, CitedCode>();
    for (const [index, { key, citation }] of wanted.entries()) {
      const one = shown[index];
      if (!one) continue;
      const language = languageOf(citation.fileName);
      const runs = one.runs.map((run) => setLines(highlighter, run.map(plainLine), { language }).lines);
      const bytes = runs.flat().reduce((sum, line) => sum + bytesOf(line), 0);
      if (bytes > left) continue;
      left -= bytes;
      cited.set(key, { runs, omitted: one.omitted });
    }
    return { cited, excerpts };
  };
}

/** The files of which lines come with a page. */
export const citedFiles = (content: ArticleContent): string[] => [
  ...new Set(
    [...citationsOf(content).map(({ citation }) => citation), ...excerptsOf(content)].map(
      ({ fileName }) => fileName,
    ),
  ),
];

function citationsOf(content: ArticleContent): { key: string; citation: Citation }[] {
  return itemsOf(content).flatMap((item) =>
    [...placesByFile(item)].flatMap(([fileName, places]) => {
      const ranges = places.filter(({ isShown }) => !isShown);
      return ranges.length === 0
        ? []
        : [{ key: citationKey(item.id, fileName), citation: { fileName, ranges } }];
    }),
  );
}

const bytesOf = ({ tokens }: CodeLine): number =>
  tokens.reduce((sum, { text }) => sum + Buffer.byteLength(text) + bytesPerToken, bytesPerLine);
