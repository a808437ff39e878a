import { indentedLanguages } from '../../reading/compare/units.ts';
import type { Evidence, FileFacts, NamedRange, UnitChange } from '../../reading/facts.ts';
import { type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import { innermostRange } from '../../reading/name-ranges.ts';

/** What stands above each hunk: what it lies in, as git says or as our own reading does, and what in it is no news. */
export function headHunks({ hunks }: FileDiff, facts: FileFacts): Map<Hunk, string> {
  const markOf = markHunks(facts);
  return new Map(
    hunks.map((hunk) => {
      const mark = markOf(hunk);
      const heading = headingOf(hunk, facts.ranges);
      return [hunk, `${heading}${mark === null ? '' : ` (${mark})`}`.trim()];
    }),
  );
}

/**
 * What the first change of a hunk lies in and that begins above it: what begins in the hunk is to be seen there. Git names what
 * begins last above a hunk, which may have ended there.
 */
function headingOf(hunk: Hunk, ranges: NamedRange[]): string {
  const { oldStart, newStart, heading } = hunk;
  const stayed = linesOf(hunk).findIndex(({ side }) => side !== 'context');
  const around = (of: NamedRange[], side: 'old' | 'new', start: number): NamedRange | null => {
    const line = start + Math.max(0, stayed);
    return innermostRange(of, { side, startLine: line, endLine: line });
  };
  const inner = around(ranges, 'new', newStart) ?? around(ranges, 'old', oldStart);
  if (inner === null) return heading;
  const above = (start: number) => ranges.filter((range) => range.startLine < start);
  const own =
    (around(above(newStart), 'new', newStart) ?? around(above(oldStart), 'old', oldStart))?.name ?? '';
  const last = own.split(/[.#:]/).at(-1) ?? '';
  return last !== '' && heading.includes(last) ? heading : own;
}

/** Why lines are no news: they stand elsewhere now, or were only laid out anew. */
type Mark = 'moved' | 'white space';

/** A changed line, by its number and side, and why it is no news; null where it is. */
interface MarkedLine {
  side: Evidence['side'];
  number: number;
  mark: Mark | null;
}

/** A mark has no room for more places. */
const mostPlaces = 6;

/**
 * Says of the hunks of a file which of their lines only moved, or were laid out anew, as the comparison of both sides found it:
 * `moved` where that is all of them, `moved +12-18, -30` where others are news.
 */
function markHunks(file: FileFacts): (hunk: Hunk) => string | null {
  const marks = { old: new Map<number, Mark>(), new: new Map<number, Mark>() };
  for (const change of file.changes) {
    const mark = markOf(change, file);
    if (mark === null) continue;
    for (const span of [change.old, change.new])
      for (let line = span?.startLine ?? 1; line <= (span?.endLine ?? 0); line += 1)
        if (span) marks[span.side].set(line, mark);
  }
  return (hunk) => {
    const all = linesOf(hunk).flatMap(({ side: kind, text, oldLine, newLine }) => {
      const [side, number] = kind === 'added' ? (['new', newLine] as const) : (['old', oldLine] as const);
      if (kind === 'context' || number === null) return [];
      return [{ side, number, text, mark: marks[side].get(number) ?? null }];
    });
    // Signs that stand alone belong to whatever stands beside them.
    const telling = all.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
    const lines: MarkedLine[] = telling.length > 0 ? telling : all;
    const isSame = signsOn('old', all) === signsOn('new', all);
    if (telling.length === 0 && isSame) return 'white space';
    const told = (['moved', 'white space'] as const).flatMap((mark) => {
      const own = lines.filter((line) => line.mark === mark);
      // A line that only got another depth may be in another block now.
      if (own.length === 0 || (mark === 'white space' && own.length === lines.length && !isSame)) return [];
      return own.length === lines.length ? [mark] : [`${mark} ${placesOf(own)}`];
    });
    return told.length > 0 ? told.join('; ') : null;
  };
}

const signsOn = (side: Evidence['side'], lines: (MarkedLine & { text: string })[]): string =>
  lines.map((line) => (line.side === side ? line.text.replace(/\s+/g, '') : '')).join('');

/** What moved inside of one function may run in another order now. */
function markOf(
  { kind, of, old, new: now, counterpart }: UnitChange,
  { path, ranges, language }: FileFacts,
): Mark | null {
  // Where depth decides what a line belongs to, white space may be news.
  if (kind === 'rewrapped') return indentedLanguages.has(language ?? '') ? null : 'white space';
  const own = now ?? old;
  if (kind !== 'moved' || !own || !counterpart) return null;
  if (of !== 'code' || counterpart.fileName !== path) return 'moved';
  const [here, there] = [innermostRange(ranges, own), innermostRange(ranges, counterpart)];
  return here?.isFunction && here.name === there?.name ? null : 'moved';
}

/** Lines in a row are one place, as they are cited. */
function placesOf(lines: MarkedLine[]): string {
  const places: { side: Evidence['side']; from: number; to: number }[] = [];
  for (const { side, number } of lines) {
    const last = places.findLast((place) => place.side === side);
    if (last && last.to + 1 === number) last.to = number;
    else places.push({ side, from: number, to: number });
  }
  const printed = places.map(
    ({ side, from, to }) => `${side === 'new' ? '+' : '-'}${from}${to > from ? `-${to}` : ''}`,
  );
  return [...printed.slice(0, mostPlaces), ...(printed.length > mostPlaces ? ['…'] : [])].join(', ');
}
