import { isImportLine } from '../../reading/edits/import-line.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { isWorthMention } from './compare-lines.ts';
import type { Told } from './outline.ts';
import { keyOfLine, markedIn } from './prose-lines.ts';

/** Whether lines come to a file that none of these shows, and that say something. */
export function leavesOut(diff: FileDiff, told: Told[]): boolean {
  const shown = told
    .flatMap(({ evidence }) => evidence)
    .filter(({ fileName, side }) => fileName === diff.path && side === 'new');
  const marked = markedIn(diff);
  return diff.hunks.flatMap(linesOf).some(
    (line) =>
      line.side === 'added' &&
      isWorthMention(line.text) &&
      !isImportLine(line.text) &&
      !marked.has(keyOfLine(line)) &&
      !shown.some(({ startLine, endLine }) => {
        const at = line.newLine ?? 0;
        return at >= startLine && at <= endLine;
      }),
  );
}
