import {
  type Citation,
  citeLines,
  type Direction,
  type FileDiff,
  type LinePlace,
  type LinesBeside,
  linesBeside,
  linesOf,
  readFilesOfDiff,
} from '../../actions/pull-requests/cite-lines.ts';
import type { Hunk } from '../../contract/article-parts.ts';
import type { ArticleContent } from '../../contract/articles.ts';
import { Type } from '../../contract/type.ts';
import type { ShownDiff } from '../../db/article-pages.ts';
import { Failure } from '../../domain/errors.ts';
import { linesPage as showLines } from '../../pages/articles/code.ts';
import { type DiffOfFile, diffPage as showDiff } from '../../pages/articles/diff.ts';
import { pagesOfDiff } from '../../pages/articles/diff-links.ts';
import {
  articleItems,
  type CitedCode,
  type CodeGap,
  type CodeLine,
  citationKey,
  type HunkCode,
  isGap,
  type Place,
  placesByFile,
} from '../../pages/articles/shown-article.ts';
import { mostPageBytes } from '../../pages/html.ts';
import type { Deps } from '../deps.ts';
import { pageAboutArticle } from './about-article.ts';
import type { Highlighter, SetBlock } from './highlight.ts';

interface PlainLine {
  side: 'added' | 'removed' | 'context';
  oldLine: number | null;
  newLine: number | null;
  text: string;
}

/** This much of a line is enough for minified code and data. */
const longestLine = 1_000;

export function setLines(
  blocks: SetBlock[],
  lines: PlainLine[],
  { language, mostIndent = Number.POSITIVE_INFINITY }: { language: string | null; mostIndent?: number },
): { lines: CodeLine[]; indent: string | null } {
  const texts = lines.map(({ text }) => shortenLine(text));
  const common = commonIndent(texts)?.slice(0, mostIndent) ?? null;
  const set = lines.map(({ side, oldLine, newLine }, index): CodeLine => {
    const text = texts[index] ?? '';
    const indent = leadingSpace(text);
    const code = text.slice(indent.length);
    return {
      side,
      oldLine,
      newLine,
      indent: indent.slice(common?.length),
      tokens: code === '' ? [] : [{ kind: null, text: code }],
      length: code.length,
      cut: Math.max(0, (lines[index]?.text.length ?? 0) - longestLine),
    };
  });
  blocks.push({ language, texts, lines: set });
  return { lines: set, indent: common };
}

export const shortenLine = (text: string): string =>
  text.length > longestLine ? text.slice(0, longestLine).toWellFormed() : text.replace(/\r$/, '');

const leadingSpace = (text: string): string => /^[ \t]*/.exec(text)?.[0] ?? '';

function commonIndent(texts: string[]): string | null {
  const indents = texts.filter((text) => text.trim() !== '').map(leadingSpace);
  let common = indents[0] ?? null;
  for (const indent of indents) {
    if (common === null) break;
    let length = 0;
    while (length < common.length && common[length] === indent[length]) length += 1;
    common = common.slice(0, length);
  }
  return common;
}

const hunksOfArticle = ({ mainChanges, review }: ArticleContent): Hunk[] =>
  [...mainChanges, ...(review?.points ?? [])].flatMap(({ hunk }) => hunk ?? []);

/** Hunks as they were when they were commented on. Their surrounding lines are in no stored diff. */
const reviewedHunksOf = ({ review }: ArticleContent): Hunk[] =>
  (review?.points ?? []).flatMap(({ hunkAsReviewed }) => hunkAsReviewed ?? []);

const mostWithPage = 6;

interface Source {
  file: FileDiff | undefined;
  language: string | null;
}

export function setHunk(blocks: SetBlock[], hunk: Hunk, { file, language }: Source): HunkCode {
  const plain = hunk.lines.map(({ kind, ...line }): PlainLine => ({ side: kind, ...line }));
  const { lines, indent } = setLines(blocks, plain, { language });
  const around = (direction: Direction): CodeGap[] => {
    const cutOff = direction === 'above' ? hunk.moreBefore : hunk.moreAfter;
    const found = file && linesAround(hunk, file, direction);
    if (!found) return cutOff > 0 ? [{ count: cutOff, lines: null }] : [];
    const { count, place } = found;
    const gap = { count, beside: { direction, ...place, indent: indent ?? '' } };
    if (!found.lines) return [{ ...gap, lines: null }];
    return [{ ...gap, ...setLines(blocks, found.lines, { language, mostIndent: gap.beside.indent.length }) }];
  };
  return [...around('above'), ...lines, ...around('below')];
}

function linesAround({ lines }: Hunk, file: FileDiff, direction: Direction) {
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
    lines: left === 0 ? found.lines : null,
  };
}

interface PageCode {
  cited: Map<string, CitedCode>;
  hunks: Map<Hunk, HunkCode>;
  isComplete: boolean;
}

const bounds = { linesEach: 24, linesInAll: 600, context: 2 };

/** The limits for lines and tokens, which keep a page below 400 kB. */
const mostBytes = 190_000;
const bytesPerLine = 120;
const bytesPerToken = 24;

export async function setCode(
  highlighter: Highlighter,
  content: ArticleContent,
  change: { files: ShownDiff['files']; diff: Pick<ShownDiff, 'parts'> | null } | null,
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
  for (const hunk of hunksOfArticle(content)) {
    const source = { file: files.get(hunk.fileName), language: languageOf(hunk.fileName) };
    hunks.set(hunk, setHunk(blocks, hunk, source));
  }
  for (const hunk of reviewedHunksOf(content))
    hunks.set(hunk, setHunk(blocks, hunk, { file: undefined, language: languageOf(hunk.fileName) }));
  const candidates = wanted.flatMap(({ key, citation, stays }, index) => {
    const one = shown[index];
    const language = languageOf(citation.fileName);
    const set = (run: PlainLine[]) => setLines(blocks, run, { language }).lines;
    const { runs = [], omitted = 0 } = one ?? {};
    const all = [...runs, ...stays].toSorted((first, second) => firstLine(first) - firstLine(second));
    return all.length > 0 ? [{ key, runs: all.map(set), omitted }] : [];
  });
  const isComplete = await highlighter.highlight(blocks);
  let left = mostBytes - codeLineBytes([...hunks.values()].flat().flatMap(linesOfGap));
  const cited = new Map<string, CitedCode>();
  for (const { key, runs, omitted } of candidates) {
    const bytes = codeLineBytes(runs.flat());
    if (bytes > left) continue;
    left -= bytes;
    cited.set(key, { runs, omitted });
  }
  return { cited, hunks, isComplete };
}

const linesOfGap = (one: HunkCode[number]): CodeLine[] => (isGap(one) ? (one.lines ?? []) : [one]);

export const citedFiles = (content: ArticleContent): string[] => [
  ...new Set(
    [...citationsOf(content).map(({ citation }) => citation), ...hunksOfArticle(content)].map(
      ({ fileName }) => fileName,
    ),
  ),
];

const firstLine = (run: PlainLine[]): number => run[0]?.newLine ?? run[0]?.oldLine ?? 0;

/** Unchanged lines that came with the article instead of a diff. */
const stayingLines = ({ side, startLine, lines = [] }: Place): PlainLine[] =>
  lines.map((text, at) => ({
    side: 'context',
    oldLine: side === 'old' ? startLine + at : null,
    newLine: side === 'new' ? startLine + at : null,
    text,
  }));

interface Cited {
  key: string;
  citation: Citation;
  stays: PlainLine[][];
}

function citationsOf(content: ArticleContent): Cited[] {
  return articleItems(content).flatMap((item) =>
    [...placesByFile(item)].map(([fileName, ranges]) => ({
      key: citationKey(item.id, fileName),
      citation: { fileName, ranges },
      stays: ranges.map(stayingLines).filter(({ length }) => length > 0),
    })),
  );
}

const codeLineBytes = (lines: CodeLine[]): number =>
  lines
    .flatMap(({ tokens }) => tokens)
    .reduce((sum, { text }) => sum + Buffer.byteLength(text) + bytesPerToken, lines.length * bytesPerLine);

const mostLines = 40;

const mostIndent = 1_000;

export const getLinesPage = (deps: Deps) =>
  pageAboutArticle(deps, {
    query: {
      file: Type.String({ minLength: 1, maxLength: 4_096 }),
      direction: Type.Enum(['above', 'below'], { type: 'string' }),
      side: Type.Enum(['old', 'new'], { type: 'string' }),
      line: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      indent: Type.Optional(Type.Integer({ minimum: 0, maximum: mostIndent })),
    },
    async show({ query, about, context, findChange }) {
      const { file, direction, side, line, indent = 0 } = query;
      const change = await findChange([file]);
      const diffs = change?.isSame ? change.parts : [];
      const found = (await readFilesOfDiff(diffs, new Set([file]))).get(file);
      const beside = found && linesBeside(found, { side, line }, direction, mostLines);
      if (!beside || beside.lines.length === 0)
        throw new Failure('NOT_FOUND', 'The diff of this article does not contain these lines.');
      const setting = { language: languageOf(file, change), mostIndent: indent };
      const blocks: SetBlock[] = [];
      const set = setLines(blocks, beside.lines, setting);
      const isComplete = await deps.highlighter.highlight(blocks);
      const shown = { file, ...set, beyond: linesBeyond(beside, direction, indent) };
      return { page: showLines(context, { ...about, change }, shown), isComplete };
    },
  });

export const languageOf = (
  file: string,
  change: Pick<ShownDiff, 'files'> | null | undefined,
): string | null => change?.files.find(({ fileName }) => fileName === file)?.language ?? null;

function linesBeyond({ lines, left }: LinesBeside, direction: Direction, indent: number): CodeGap | null {
  const last = lines.at(direction === 'above' ? 0 : -1);
  const line = last?.newLine ?? last?.oldLine;
  if (left === 0 || !line) return null;
  const side = last?.newLine === null ? 'old' : 'new';
  return { count: left, lines: null, beside: { direction, side, line, indent: ' '.repeat(indent) } };
}

const mostLinesOfFile = 1_500;

/** A line has more markup than this. */
const bytesOfMarkup = 100;

/** Lines that cannot fit on the page are not highlighted either. */
function diffOfFile(
  blocks: SetBlock[],
  { file, language }: { file: FileDiff; language: string | null },
  page: { left: number },
): DiffOfFile {
  let left = mostLinesOfFile;
  let omitted = 0;
  const hunks: DiffOfFile['hunks'] = [];
  for (const hunk of file.hunks) {
    const lines = linesOf(hunk);
    const shown = lines.slice(0, left).filter(({ text }) => {
      page.left -= shortenLine(text).length + bytesOfMarkup;
      return page.left > 0;
    });
    omitted += lines.length - shown.length;
    left -= shown.length;
    if (shown.length > 0)
      hunks.push({
        heading: hunk.heading,
        lines: setLines(blocks, shown, { language, mostIndent: 0 }).lines,
      });
  }
  return { hunks, omitted };
}

/** The lines of files as far as they fit on a page, and whether all have their colors. */
export async function setDiffs(
  highlighter: Highlighter,
  files: Map<string, FileDiff>,
  change: Pick<ShownDiff, 'files'> | null,
): Promise<{ diffs: Map<string, DiffOfFile>; isComplete: boolean }> {
  const blocks: SetBlock[] = [];
  const room = { left: mostPageBytes };
  const set = [...files].map(
    ([name, file]) => [name, diffOfFile(blocks, { file, language: languageOf(name, change) }, room)] as const,
  );
  return { diffs: new Map(set), isComplete: await highlighter.highlight(blocks) };
}

export const getDiffPage = (deps: Deps) =>
  pageAboutArticle(deps, {
    query: { page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })) },
    async show({ query: { page = 1 }, about, context, findChange }) {
      const all = (await findChange([]))?.files ?? [];
      const starts = pagesOfDiff(all);
      if (page > Math.max(1, starts.length))
        throw new Failure('NOT_FOUND', 'The diff of this article has fewer pages.');
      const names = all.slice(starts[page - 1], starts[page]).map(({ fileName }) => fileName);
      const change = await findChange(names);
      const files = await readFilesOfDiff(change?.parts ?? [], new Set(names));
      const { diffs, isComplete } = await setDiffs(deps.highlighter, files, change);
      return { page: showDiff(context, { ...about, change }, { page, diffs }), isComplete };
    },
  });
