import type { CommentSigns } from './comment-signs.ts';
import { type Hunk, linesOf } from './file-diff.ts';

export type Hidden = 'code' | 'comment' | 'string';

export interface HunkLine {
  text: string;
  indent: number;
  isChanged: boolean;
  oldLine: number | null;
  newLine: number | null;
  /** Consecutive changed lines have the same number, which is unique in their file. */
  run: number;
  hidden: Hidden;
  isComment: boolean;
  signs: CommentSigns;
}

export interface HunkLines {
  hunk: Hunk;
  all: HunkLine[];
  old: HunkLine[];
  new: HunkLine[];
  hidden: { old?: Hidden[]; new?: Hidden[] };
}

// Longer lines are data or minified code.
const longestLine = 1000;
const tabWidth = 4;

export function readHunkLines(hunks: Hunk[], signs: CommentSigns): HunkLines[] {
  let run = 0;
  return hunks.map((hunk) => {
    const read: HunkLines = { hunk, all: [], old: [], new: [], hidden: {} };
    let wasChanged = false;
    let above: HunkLine | null = null;
    let textAbove = '';
    for (const { side, text, oldLine, newLine } of linesOf(hunk)) {
      const isChanged = side !== 'context';
      if (side === 'added' && above?.newLine === null && textAbove === text) {
        // A last line that only gained or lost its line break counts as unchanged.
        Object.assign(above, { newLine, isChanged: false, run: 0 });
        read.new.push(above);
        wasChanged = false;
        above = null;
        continue;
      }
      if (isChanged && !wasChanged) run++;
      wasChanged = isChanged;
      const line = readLine(text, { isChanged, oldLine, newLine, run: isChanged ? run : 0, signs });
      read.all.push(line);
      above = line;
      textAbove = text;
      if (oldLine !== null) read.old.push(line);
      if (newLine !== null) read.new.push(line);
    }
    return read;
  });
}

export function readWholeLines(texts: string[], signs: CommentSigns): HunkLines {
  const lines = texts.map((text, index) =>
    readLine(text, { isChanged: false, oldLine: index + 1, newLine: index + 1, run: 0, signs }),
  );
  const all = { oldStart: 1, oldLines: lines.length, newStart: 1, newLines: lines.length, heading: '' };
  return { hunk: { ...all, text: () => '' }, all: lines, old: lines, new: lines, hidden: {} };
}

function readLine(text: string, known: Omit<HunkLine, 'text' | 'indent' | 'hidden' | 'isComment'>): HunkLine {
  const { isChanged, oldLine, newLine, run, signs } = known;
  const trimmed = text.length > longestLine ? '' : text.trim();
  const indent = trimmed === '' ? 0 : indentOf(text);
  const isComment = signs.line.test(trimmed);
  return { text: trimmed, indent, isChanged, oldLine, newLine, run, hidden: 'code', isComment, signs };
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

export interface SideLine {
  text: string;
  number: number;
  isChanged: boolean;
  run: number;
}

export interface HunkSides {
  old: SideLine[];
  new: SideLine[];
}

const longestDeclaration = 500;

export function sidesOf(hunk: Hunk): HunkSides {
  const sides: HunkSides = { old: [], new: [] };
  let run = 0;
  let wasChanged = false;
  for (const { side, text, oldLine, newLine } of linesOf(hunk)) {
    const isChanged = side !== 'context';
    if (isChanged && !wasChanged) run++;
    wasChanged = isChanged;
    if (text.length > longestDeclaration) continue;
    const clean = text.endsWith('\r') ? text.slice(0, -1) : text;
    if (oldLine !== null) sides.old.push({ text: clean, number: oldLine, isChanged, run });
    if (newLine !== null) sides.new.push({ text: clean, number: newLine, isChanged, run });
  }
  return sides;
}
