import { type Hunk, linesOf } from '../file-diff.ts';

/** A line of a hunk as far as finding declarations needs it. A line of the context is one object on both sides. */
export interface HunkLine {
  /** Without white space around it; empty when the line is too long to be read. */
  text: string;
  indent: number;
  isChanged: boolean;
  oldLine: number | null;
  newLine: number | null;
}

export interface HunkSides {
  old: HunkLine[];
  new: HunkLine[];
}

// Nobody writes a declaration this long; such lines are data or minified.
const longestLine = 1000;
const tabWidth = 4;

export function sidesOf(hunk: Hunk): HunkSides {
  const sides: HunkSides = { old: [], new: [] };
  for (const { side, text, oldLine, newLine } of linesOf(hunk)) {
    const trimmed = text.length > longestLine ? '' : text.trim();
    const isChanged = side !== 'context';
    const line = { text: trimmed, indent: trimmed === '' ? 0 : indentOf(text), isChanged, oldLine, newLine };
    if (oldLine !== null) sides.old.push(line);
    if (newLine !== null) sides.new.push(line);
  }
  return sides;
}

function indentOf(text: string): number {
  let width = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 9) width += tabWidth;
    else if (code === 32) width++;
    else break;
  }
  return width;
}
