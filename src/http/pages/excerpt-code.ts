import type { Citation, CitedRange, ShownCitation } from '../../actions/pull-requests/cite-lines.ts';
import {
  type Direction,
  type FileDiff,
  type LinePlace,
  linesBeside,
} from '../../actions/pull-requests/lines-beside.ts';
import type { ArticleContent } from '../../contract/article.ts';
import type { Excerpt } from '../../contract/told-parts.ts';
import type { CodeGap, ExcerptCode } from '../../pages/article/cited-code.ts';
import type { SetBlock } from './highlight.ts';
import { type PlainLine, setLines } from './set-lines.ts';

/** What an excerpt leaves out at one place. */
export interface Gap {
  excerpt: Excerpt;
  /** How many lines that are, as far as their numbers tell. */
  count: number;
  citation: Citation;
}

/** The excerpts of an article, in its order. */
export const excerptsOf = ({ mainChanges }: ArticleContent): Excerpt[] =>
  mainChanges.flatMap(({ excerpts }) => excerpts);

export function gapsOf(content: ArticleContent): Gap[] {
  return excerptsOf(content).flatMap((excerpt) =>
    excerpt.lines.flatMap(({ kind }, place) => (kind === 'gap' ? [gapAt(excerpt, place)] : [])),
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

/** Lines that are not shown at once; null where the page is not to have them. */
export interface HiddenLines {
  count: number;
  lines: PlainLine[] | null;
}

/** The lines of a gap where the diff has all of them: others are known by their number alone. */
export function wholeGap({ count, citation }: Gap, found: ShownCitation | null): HiddenLines {
  const lines = (found?.runs.flat() ?? []).filter(({ isCited }) => isCited).map(plainLine);
  const isWhole = citation.ranges.every(({ side, startLine, endLine }) => {
    const onSide = lines.filter((line) => (side === 'old' ? line.oldLine : line.newLine) !== null);
    return onSide.length === endLine - startLine + 1;
  });
  return lines.length > 0 && isWhole ? { count: lines.length, lines } : { count, lines: null };
}

/** Lines beside an excerpt come with its page up to so many; more are loaded. */
const mostWithPage = 6;

interface Source {
  /** What the gaps of the excerpt leave out, one after the other. */
  hidden: HiddenLines[];
  /** The file, where its diff is there to be read. */
  file: FileDiff | undefined;
  language: string | null;
}

/** An excerpt, what it leaves out and what its hunk has around it, all indented alike. */
export function setExcerpt(blocks: SetBlock[], excerpt: Excerpt, source: Source): ExcerptCode {
  const { hidden, file, language } = source;
  let gap = 0;
  const shown = excerpt.lines.map(({ kind, ...line }): PlainLine | HiddenLines =>
    kind === 'gap' ? (hidden[gap++] ?? { count: 0, lines: null }) : { side: kind, ...line },
  );
  const plain = shown.flatMap((one) => ('count' in one ? (one.lines ?? []) : [one]));
  const { lines, indent } = setLines(blocks, plain, { language });
  let taken = 0;
  const take = (count: number) => {
    taken += count;
    return lines.slice(taken - count, taken);
  };
  const code = shown.flatMap(
    (one): ExcerptCode =>
      'count' in one ? [{ count: one.count, lines: one.lines && take(one.lines.length) }] : take(1),
  );
  const around = (direction: Direction): CodeGap[] => {
    const found = file && linesAround(excerpt, file, direction);
    if (!found) return [];
    const { count, place } = found;
    const beside = { direction, ...place, indent: indent ?? '' };
    if (!found.lines) return [{ count, lines: null, beside }];
    const mostIndent = beside.indent.length;
    return [{ count, beside, ...setLines(blocks, found.lines, { language, mostIndent }) }];
  };
  const [above, below] = [around('above'), around('below')];
  // A gap at an end says that there is more; what there is says it better.
  const from = above.length > 0 ? excerpt.lines.findIndex(isLine) : 0;
  const to = below.length > 0 ? excerpt.lines.findLastIndex(isLine) + 1 : code.length;
  return [...above, ...code.slice(from, to), ...below];
}

const isLine = ({ kind }: Excerpt['lines'][number]): boolean => kind !== 'gap';

/** What the hunk of an excerpt has above or below it; null where that is nothing. */
function linesAround(
  { lines }: Excerpt,
  file: FileDiff,
  direction: Direction,
): (HiddenLines & { place: LinePlace }) | null {
  const line = direction === 'above' ? lines.find(isLine) : lines.findLast(isLine);
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
