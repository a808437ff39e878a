import type { FileFacts, NamedRange } from '../../reading/facts.ts';
import { type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import { innermostRange } from '../../reading/name-ranges.ts';
import { markHunks } from './mark-hunks.ts';

/** What stands above each hunk: what it lies in, as git says or as our own reading does, and what in it is no news. */
export function headHunks({ hunks }: FileDiff, facts: FileFacts): Map<Hunk, string> {
  const markOf = markHunks(facts);
  return new Map(
    hunks.map((hunk) => {
      const mark = markOf(hunk);
      const heading = hunk.heading || nameAbove(hunk, facts.ranges);
      return [hunk, `${heading}${mark === null ? '' : ` (${mark})`}`.trim()];
    }),
  );
}

/** What the first change of a hunk lies in and that begins above it: what begins in the hunk is to be seen there. */
function nameAbove(hunk: Hunk, ranges: NamedRange[]): string {
  const { oldStart, newStart } = hunk;
  const stayed = linesOf(hunk).findIndex(({ side }) => side !== 'context');
  const around = (side: 'old' | 'new', start: number): NamedRange | null => {
    const line = start + Math.max(0, stayed);
    const above = ranges.filter((range) => range.startLine < start);
    return innermostRange(above, { side, startLine: line, endLine: line });
  };
  return (around('new', newStart) ?? around('old', oldStart))?.name ?? '';
}
