import { type Hunk, linesOf } from './file-diff.ts';

/** Lines that went, and the numbers of those that now stand above and below the place where they stood. */
export interface Gap {
  firstOld: number;
  lastOld: number;
  above: number;
  below: number;
}

/** Where lines of a hunk went. What came in their place counts neither as above them nor as below. */
export function gapsIn(hunk: Hunk): Gap[] {
  const gaps: Gap[] = [];
  let open: Gap | null = null;
  let above = hunk.newStart - 1;
  for (const { side, oldLine, newLine } of linesOf(hunk)) {
    if (side === 'removed' && oldLine !== null) {
      if (!open) {
        open = { firstOld: oldLine, lastOld: oldLine, above, below: 0 };
        gaps.push(open);
      }
      open.lastOld = oldLine;
    } else if (side === 'context' && newLine !== null) {
      if (open) open.below = newLine;
      open = null;
      above = newLine;
    }
  }
  // At the end of a hunk without context the file ends.
  return gaps.filter(({ below }) => below > 0);
}
