import {
  type Citation,
  type CitedRange,
  citeLines,
  type ShownCitation,
} from '../../actions/pull-requests/cite-lines.ts';
import type { ArticleContent } from '../../contract/article.ts';
import type { Excerpt } from '../../contract/told-parts.ts';
import type { ShownDiff } from '../../db/article-pages.ts';
import type { CitedCode, CodeGap, CodeLine, ExcerptCode } from '../../pages/article/cited-code.ts';
import { citationKey, itemsOf, placesByFile } from '../../pages/article/shown-article.ts';
import { Highlighter } from './highlight.ts';
import { type PlainLine, setLines } from './set-lines.ts';

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
    const wanted = change?.diff ? citationsOf(content) : [];
    const gaps = change?.diff ? gapsOf(content) : [];
    const shown = change?.diff
      ? await citeLines(
          change.diff,
          [...wanted, ...gaps].map(({ citation }) => citation),
          bounds,
        )
      : [];
    let left = mostBytes;
    const excerpts = new Map<Excerpt, ExcerptCode>();
    for (const { excerpts: own } of content.mainChanges) {
      for (const excerpt of own) {
        const hidden = gaps.flatMap((gap, index) =>
          gap.excerpt === excerpt ? [wholeGap(gap, shown[wanted.length + index] ?? null)] : [],
        );
        const code = setExcerpt(highlighter, excerpt, hidden, languages.get(excerpt.fileName) ?? null);
        excerpts.set(excerpt, code);
        left -= code.reduce((sum, one) => sum + ('count' in one ? 0 : bytesOf(one)), 0);
      }
    }
    const cited = new Map<string, CitedCode>();
    for (const [index, { key }] of wanted.entries()) {
      const one = shown[index];
      if (!one) continue;
      const runs = one.runs.map((run) => setLines(highlighter, run.map(plainLine), one.language));
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
  ...new Set([...citationsOf(content), ...gapsOf(content)].map(({ citation }) => citation.fileName)),
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

/** What an excerpt leaves out at one place. */
interface Gap {
  excerpt: Excerpt;
  /** How many lines that are, as far as their numbers tell. */
  count: number;
  citation: Citation;
}

function gapsOf({ mainChanges }: ArticleContent): Gap[] {
  return mainChanges.flatMap(({ excerpts }) =>
    excerpts.flatMap((excerpt) =>
      excerpt.lines.flatMap(({ kind }, place) => (kind === 'gap' ? [gapAt(excerpt, place)] : [])),
    ),
  );
}

function gapAt(excerpt: Excerpt, place: number): Gap {
  const { fileName, lines } = excerpt;
  const ranges = (['old', 'new'] as const).flatMap((side): CitedRange[] => {
    const numberOf = ({ oldLine, newLine }: Excerpt['lines'][number]) => (side === 'old' ? oldLine : newLine);
    const before = lines.slice(0, place).findLast((line) => numberOf(line) !== null);
    const behind = lines.slice(place + 1).find((line) => numberOf(line) !== null);
    const startLine = ((before && numberOf(before)) ?? Number.NaN) + 1;
    const endLine = ((behind && numberOf(behind)) ?? Number.NaN) - 1;
    return startLine <= endLine ? [{ side, startLine, endLine }] : [];
  });
  const count = Math.max(0, ...ranges.map(({ startLine, endLine }) => endLine - startLine + 1));
  return { excerpt, count, citation: { fileName, ranges } };
}

interface HiddenLines {
  count: number;
  lines: PlainLine[] | null;
}

/** The lines of a gap where the diff has all of them: others are known by their number alone. */
function wholeGap({ count, citation }: Gap, found: ShownCitation | null): HiddenLines {
  const lines = (found?.runs.flat() ?? []).filter(({ isCited }) => isCited).map(plainLine);
  const isWhole = citation.ranges.every(({ side, startLine, endLine }) => {
    const onSide = lines.filter((line) => (side === 'old' ? line.oldLine : line.newLine) !== null);
    return onSide.length === endLine - startLine + 1;
  });
  return lines.length > 0 && isWhole ? { count: lines.length, lines } : { count, lines: null };
}

/** An excerpt and what it leaves out are set together, so that they are indented alike. */
function setExcerpt(
  highlighter: Highlighter,
  { lines }: Excerpt,
  hidden: HiddenLines[],
  language: string | null,
): ExcerptCode {
  let gap = 0;
  const all = lines.flatMap(({ kind, ...line }): (PlainLine | { gap: number })[] => {
    if (kind !== 'gap') return [{ side: kind, ...line }];
    gap += 1;
    return [{ gap: gap - 1 }, ...(hidden[gap - 1]?.lines ?? [])];
  });
  const set = setLines(
    highlighter,
    all.filter((one) => 'side' in one),
    language,
  );
  const code: ExcerptCode = [];
  let next = 0;
  let left = 0;
  for (const one of all) {
    if ('gap' in one) {
      const { count = 0, lines: own = null } = hidden[one.gap] ?? {};
      left = own?.length ?? 0;
      code.push({ count, lines: own && set.slice(next, next + own.length) } satisfies CodeGap);
      continue;
    }
    const line = set[next++];
    if (left > 0) left -= 1;
    else if (line) code.push(line);
  }
  return code;
}

const plainLine = ({ side, oldLine, newLine, text }: PlainLine): PlainLine => ({
  side,
  oldLine,
  newLine,
  text,
});

const bytesOf = ({ tokens }: CodeLine): number =>
  tokens.reduce((sum, { text }) => sum + Buffer.byteLength(text) + bytesPerToken, bytesPerLine);
