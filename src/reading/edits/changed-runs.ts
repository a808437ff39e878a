import type { Evidence } from '../facts.ts';
import type { HunkLine, HunkLines } from '../hunk-lines.ts';
import { haveSameCode } from '../layout.ts';
import type { WholeDiff } from '../whole-diff.ts';

/** Changed lines that follow each other without a line between them that stayed. */
export interface ChangedRun {
  removed: HunkLine[];
  added: HunkLine[];
  /** Those of them that stand on one side of the whole pull request only: not moved, and not indented. */
  gone: HunkLine[];
  come: HunkLine[];
  /** The line after the change at which the run begins. */
  newStart: number;
  hunk: HunkLines;
}

// Longer lines are data, or were written by a program.
export const longestLine = 300;

/** Runs in which something is said that was not said before: not those that only have other line breaks. */
export function changedRuns(hunks: HunkLines[], whole: WholeDiff): ChangedRun[] {
  const runs: ChangedRun[] = [];
  for (const hunk of hunks) {
    let run: ChangedRun | null = null;
    let newLine = hunk.hunk.newStart;
    for (const line of hunk.all) {
      if (!line.isChanged) run = null;
      else {
        if (!run) {
          run = { removed: [], added: [], gone: [], come: [], newStart: newLine, hunk };
          runs.push(run);
        }
        addTo(run, line, whole);
      }
      if (line.newLine !== null) newLine = line.newLine + 1;
    }
  }
  return runs.filter(({ removed, added }) => removed.length === 0 || !haveSameCode(removed, added));
}

function addTo(run: ChangedRun, line: HunkLine, whole: WholeDiff): void {
  if (line.text === '' || line.text.length > longestLine) return;
  const isNew = line.newLine !== null;
  (isNew ? run.added : run.removed).push(line);
  if (!whole.standsOnBoth(line.text)) (isNew ? run.come : run.gone).push(line);
}

/** Where lines of one side stand, first to last. */
export function evidenceOf(fileName: string, lines: HunkLine[]): Evidence {
  const isNew = lines.some(({ newLine }) => newLine !== null);
  const numbers = lines
    .map(({ oldLine, newLine }) => (isNew ? newLine : oldLine))
    .filter((number) => number !== null);
  return {
    fileName,
    startLine: numbers.reduce((least, number) => Math.min(least, number), Number.POSITIVE_INFINITY),
    endLine: numbers.reduce((most, number) => Math.max(most, number), 0),
    side: isNew ? 'new' : 'old',
  };
}
