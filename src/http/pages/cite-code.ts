import { type Citation, citeLines, readFilesOfDiff } from '../../actions/pull-requests/cite-lines.ts';
import type { ArticleContent } from '../../contract/article.ts';
import type { Hunk } from '../../contract/told-parts.ts';
import type { ShownDiff } from '../../db/article-pages.ts';
import { type CitedCode, type CodeLine, type HunkCode, isGap } from '../../pages/article/cited-code.ts';
import { citationKey, itemsOf, placesByFile } from '../../pages/article/shown-article.ts';
import type { Highlighter, SetBlock } from './highlight.ts';
import { hunksOf, plainLine, setHunk } from './hunk-code.ts';
import { type PlainLine, setLines } from './set-lines.ts';

/** The code that comes with a page. */
interface PageCode {
  /** By what refers to it. */
  cited: Map<string, CitedCode>;
  hunks: Map<Hunk, HunkCode>;
  /** Whether all of it is as it would always be shown: colours are left out where too many pages want them at once. */
  isComplete: boolean;
}

const bounds = { linesEach: 24, linesInAll: 600, context: 2 };

/** What colours cost beside the code itself: with all of this, a page stays below 400 kB. */
const mostBytes = 190_000;
const bytesPerLine = 120;
const bytesPerToken = 24;

/** Sets the code of a page; without a diff, only what the article itself holds. */
export async function setCode(
  highlighter: Highlighter,
  content: ArticleContent,
  change: { files: ShownDiff['files']; diff: ShownDiff | null } | null,
): Promise<PageCode> {
  const languages = new Map(change?.files.map(({ fileName, language }) => [fileName, language ?? null]));
  const languageOf = (fileName: string) => languages.get(fileName) ?? null;
  const wanted = change?.diff ? citationsOf(content) : [];
  const files = await readFilesOfDiff(change?.diff?.parts ?? [], new Set(citedFiles(content)));
  const shown = citeLines(
    files,
    wanted.map(({ citation }) => citation),
    bounds,
  );
  const blocks: SetBlock[] = [];
  const hunks = new Map<Hunk, HunkCode>();
  for (const hunk of hunksOf(content)) {
    const source = { file: files.get(hunk.fileName), language: languageOf(hunk.fileName) };
    hunks.set(hunk, setHunk(blocks, hunk, source));
  }
  const candidates = wanted.flatMap(({ key, citation }, index) => {
    const one = shown[index];
    const language = languageOf(citation.fileName);
    const set = (run: PlainLine[]) => setLines(blocks, run.map(plainLine), { language }).lines;
    return one ? [{ key, runs: one.runs.map(set), omitted: one.omitted }] : [];
  });
  const isComplete = await highlighter.highlight(blocks);
  let left = mostBytes - bytesOf([...hunks.values()].flat().flatMap(linesIn));
  const cited = new Map<string, CitedCode>();
  for (const { key, runs, omitted } of candidates) {
    const bytes = bytesOf(runs.flat());
    if (bytes > left) continue;
    left -= bytes;
    cited.set(key, { runs, omitted });
  }
  return { cited, hunks, isComplete };
}

const linesIn = (one: HunkCode[number]): CodeLine[] => (isGap(one) ? (one.lines ?? []) : [one]);

/** The files of which lines come with a page. */
export const citedFiles = (content: ArticleContent): string[] => [
  ...new Set(
    [...citationsOf(content).map(({ citation }) => citation), ...hunksOf(content)].map(
      ({ fileName }) => fileName,
    ),
  ),
];

function citationsOf(content: ArticleContent): { key: string; citation: Citation }[] {
  return itemsOf(content).flatMap((item) =>
    [...placesByFile(item)].map(([fileName, ranges]) => ({
      key: citationKey(item.id, fileName),
      citation: { fileName, ranges },
    })),
  );
}

const bytesOf = (lines: CodeLine[]): number =>
  lines
    .flatMap(({ tokens }) => tokens)
    .reduce((sum, { text }) => sum + Buffer.byteLength(text) + bytesPerToken, lines.length * bytesPerLine);
