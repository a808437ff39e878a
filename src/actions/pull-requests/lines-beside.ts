import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';

export type { FileDiff } from '../../reading/file-diff.ts';

/** A line of a file, before the change or after it. */
export interface LinePlace {
  side: 'old' | 'new';
  line: number;
}

export type Direction = 'above' | 'below';

/** Lines that a hunk has beside one of its own, and how many more it has beyond them. */
export interface LinesBeside {
  /** The one that was asked about. */
  from: DiffLine;
  lines: DiffLine[];
  left: number;
}

/** The lines directly above or below one; null where no hunk of the file has that. */
export function linesBeside(
  file: FileDiff,
  { side, line }: LinePlace,
  direction: Direction,
  most: number,
): LinesBeside | null {
  const numberOf = ({ oldLine, newLine }: DiffLine) => (side === 'old' ? oldLine : newLine);
  const hunk = file.hunks.find((one) => {
    const [start, lines] = side === 'old' ? [one.oldStart, one.oldLines] : [one.newStart, one.newLines];
    return line >= start && line < start + lines;
  });
  const all = hunk ? linesOf(hunk) : [];
  const at = all.findIndex((one) => numberOf(one) === line);
  const from = all[at];
  if (!from) return null;
  const beside = direction === 'above' ? all.slice(0, at) : all.slice(at + 1);
  const lines = direction === 'above' ? beside.slice(-most) : beside.slice(0, most);
  return { from, lines, left: beside.length - lines.length };
}
