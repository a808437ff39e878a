import {
  type Direction,
  type FileDiff,
  type LinePlace,
  linesBeside,
} from '../../actions/pull-requests/lines-beside.ts';
import type { ArticleContent } from '../../contract/article.ts';
import type { Hunk } from '../../contract/told-parts.ts';
import type { CodeGap, HunkCode } from '../../pages/article/cited-code.ts';
import type { SetBlock } from './highlight.ts';
import { type PlainLine, setLines } from './set-lines.ts';

/** The hunks of an article, in its order. */
export const hunksOf = ({ mainChanges }: ArticleContent): Hunk[] =>
  mainChanges.flatMap(({ hunk }) => hunk ?? []);

/** Lines beside a hunk come with its page up to so many; more are loaded. */
const mostWithPage = 6;

interface Source {
  /** The file, where its diff is there to be read. */
  file: FileDiff | undefined;
  language: string | null;
}

/** The lines of a hunk and what the diff has around them, all indented alike. */
export function setHunk(blocks: SetBlock[], hunk: Hunk, { file, language }: Source): HunkCode {
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
  /** Null where the page is not to have them. */
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
