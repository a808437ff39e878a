import {
  type Citation,
  citeLines,
  type Direction,
  type FileDiff,
  type LinePlace,
  linesBeside,
  readFilesOfDiff,
} from '../../actions/pull-requests/cite-lines.ts';
import type { ArticleContent } from '../../contract/article.ts';
import type { Hunk } from '../../contract/article-parts.ts';
import type { ShownDiff } from '../../db/article-pages.ts';
import {
  type CitedCode,
  type CodeGap,
  type CodeLine,
  type HunkCode,
  isGap,
} from '../../pages/article/cited-code.ts';
import { citationKey, itemsOf, placesByFile } from '../../pages/article/shown-article.ts';
import type { Highlighter, SetBlock } from './highlight.ts';

interface PlainLine {
  side: 'added' | 'removed' | 'context';
  oldLine: number | null;
  newLine: number | null;
  text: string;
}

/** Longer lines are cut: the host shows them whole. */
const longestLine = 2_000;

interface SetLines {
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
  const indents = texts.filter((text) => text.trim() !== '').map(indentOf);
  let common = indents[0] ?? null;
  for (const indent of indents) {
    if (common === null) break;
    let length = 0;
    while (length < common.length && common[length] === indent[length]) length += 1;
    common = common.slice(0, length);
  }
  return common;
}

const hunksOf = ({ mainChanges }: ArticleContent): Hunk[] => mainChanges.flatMap(({ hunk }) => hunk ?? []);

const mostWithPage = 6;

interface Source {
  file: FileDiff | undefined;
  language: string | null;
}

/** The lines of a hunk and what the diff has around them, all indented alike. */
function setHunk(blocks: SetBlock[], hunk: Hunk, { file, language }: Source): HunkCode {
  const plain = hunk.lines.map(({ kind, ...line }): PlainLine => ({ side: kind, ...line }));
  const { lines, indent } = setLines(blocks, plain, { language });
  const around = (direction: Direction): CodeGap[] => {
    const cutOff = direction === 'above' ? hunk.moreBefore : hunk.moreAfter;
    const found = file && linesAround(hunk, file, direction);
    if (!found) return cutOff > 0 ? [{ count: cutOff, lines: null }] : [];
    const { count, place } = found;
    const gap = { count, cutOff, beside: { direction, ...place, indent: indent ?? '' } };
    if (!found.lines) return [{ ...gap, lines: null }];
    return [{ ...gap, ...setLines(blocks, found.lines, { language, mostIndent: gap.beside.indent.length }) }];
  };
  return [...around('above'), ...lines, ...around('below')];
}

interface LinesAround {
  count: number;
  lines: PlainLine[] | null;
  place: LinePlace;
}

/** What the diff has above or below a hunk; null where that is nothing. */
function linesAround({ lines }: Hunk, file: FileDiff, direction: Direction): LinesAround | null {
  const line = lines.at(direction === 'above' ? 0 : -1);
  const number = line?.newLine ?? line?.oldLine;
  if (!line || !number) return null;
  const place: LinePlace = { side: line.newLine === null ? 'old' : 'new', line: number };
  const found = linesBeside(file, place, direction, mostWithPage);
  if (!found || found.lines.length === 0) return null;
  const { left } = found;
  return {
    place,
    count: found.lines.length + left,
    lines: left === 0 ? found.lines.map(plainLine) : null,
  };
}

export const plainLine = ({ side, oldLine, newLine, text }: PlainLine): PlainLine => ({
  side,
  oldLine,
  newLine,
  text,
});

interface PageCode {
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
