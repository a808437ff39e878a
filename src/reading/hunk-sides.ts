import { type Hunk, linesOf } from './file-diff.ts';

/** A line as it stands on one side of a hunk. */
export interface SideLine {
  text: string;
  number: number;
  /** Whether it stands on this side only. */
  isChanged: boolean;
  /** Changed lines that follow each other without one between them that stayed have the same number in their hunk. */
  run: number;
}

export interface HunkSides {
  old: SideLine[];
  new: SideLine[];
}

// Nobody writes declarations this long; what is longer is data, and searching it would cost more than it tells.
const longestLine = 500;

/** A hunk as it read before and as it reads after the change, without lines that are too long to be written by hand. */
export function sidesOf(hunk: Hunk): HunkSides {
  const sides: HunkSides = { old: [], new: [] };
  let run = 0;
  let wasChanged = false;
  for (const { side, text, oldLine, newLine } of linesOf(hunk)) {
    const isChanged = side !== 'context';
    if (isChanged && !wasChanged) run++;
    wasChanged = isChanged;
    if (text.length > longestLine) continue;
    const clean = text.endsWith('\r') ? text.slice(0, -1) : text;
    if (oldLine !== null) sides.old.push({ text: clean, number: oldLine, isChanged, run });
    if (newLine !== null) sides.new.push({ text: clean, number: newLine, isChanged, run });
  }
  return sides;
}
