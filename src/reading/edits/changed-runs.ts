import type { Evidence } from '../facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../file-diff.ts';

/** Changed lines that follow each other without a line between them that stayed. */
export interface ChangedRun {
  removed: DiffLine[];
  added: DiffLine[];
  /** The line after the change at which the run begins. */
  newStart: number;
}

// Longer lines are data, or were written by a program.
const longestLine = 300;

export function changedRuns(file: FileDiff): ChangedRun[] {
  const runs: ChangedRun[] = [];
  for (const hunk of file.hunks) {
    let run: ChangedRun | null = null;
    let newLine = hunk.newStart;
    for (const line of linesOf(hunk)) {
      if (line.side === 'context') run = null;
      else {
        if (!run) {
          run = { removed: [], added: [], newStart: newLine };
          runs.push(run);
        }
        if (line.text.length <= longestLine) run[line.side].push(line);
      }
      if (line.newLine !== null) newLine = line.newLine + 1;
    }
  }
  return runs;
}

/** Where lines of one side stand, first to last. */
export function evidenceOf(fileName: string, lines: DiffLine[]): Evidence {
  const isNew = lines.some(({ newLine }) => newLine !== null);
  const numbers = lines
    .map(({ oldLine, newLine }) => (isNew ? newLine : oldLine))
    .filter((number) => number !== null);
  return {
    fileName,
    startLine: Math.min(...numbers),
    endLine: Math.max(...numbers),
    side: isNew ? 'new' : 'old',
  };
}
