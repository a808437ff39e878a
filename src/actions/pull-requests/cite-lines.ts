import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { parseDiff } from '../../reading/parse-diff.ts';

const decompress = promisify(zstdDecompress);

/** Parts contain files of up to 256 KiB together. A larger part is a single file, too large to show in an article. */
export const mostPartBytes = 4 * 1024 * 1024;

/** The limit for all parts together, so that sixty large files take no longer than two. */
const mostReadBytes = 2 * mostPartBytes;

interface CitedRange {
  startLine: number;
  endLine: number;
  side: 'old' | 'new';
}

export interface Citation {
  fileName: string;
  ranges: CitedRange[];
}

interface CitedLine extends DiffLine {
  isCited: boolean;
}

interface ShownCitation {
  runs: CitedLine[][];
  omitted: number;
}

interface CitationBounds {
  linesEach: number;
  linesInAll: number;
  context: number;
}

/** The wanted files of a diff, decompressing each part once. Files that are too large are left out. */
export async function readFilesOfDiff(
  parts: Uint8Array[],
  wanted: Pick<ReadonlySet<string>, 'has'>,
): Promise<Map<string, FileDiff>> {
  const found = new Map<string, FileDiff>();
  let left = mostReadBytes;
  for (const part of parts) {
    const maxOutputLength = Math.min(mostPartBytes, left);
    const bytes = maxOutputLength > 0 && (await decompress(part, { maxOutputLength }).catch(() => null));
    if (bytes) left -= bytes.length;
    for (const one of bytes ? parseDiff(bytes) : []) if (wanted.has(one.path)) found.set(one.path, one);
  }
  return found;
}

export function citeLines(
  files: Map<string, FileDiff>,
  citations: Citation[],
  bounds: CitationBounds,
): (ShownCitation | null)[] {
  let left = bounds.linesInAll;
  return citations.map(({ fileName, ranges }) => {
    const file = files.get(fileName);
    if (!file) return null;
    const shown = showCitedLines(file, ranges, bounds, left);
    left -= shown.runs.reduce((sum, run) => sum + run.length, 0);
    return shown.runs.length === 0 && shown.omitted === 0 ? null : shown;
  });
}

function showCitedLines(
  file: FileDiff,
  ranges: CitedRange[],
  { linesEach, context }: CitationBounds,
  most: number,
): ShownCitation {
  const runs: CitedLine[][] = [];
  let omitted = 0;
  let left = most;
  const counted = ranges.map((range) => ({ range, left: linesEach }));
  for (const hunk of file.hunks) {
    const near = counted.filter(({ range }) => reaches(range, hunk));
    if (near.length === 0) continue;
    const lines = linesOf(hunk);
    const cited = new Set<number>();
    for (const [index, line] of lines.entries()) {
      const citing = near.filter(({ range }) => isInRange(range, line));
      if (citing.length === 0) continue;
      if (citing.some((one) => one.left > 0)) cited.add(index);
      else omitted += 1;
      for (const one of citing) one.left -= 1;
    }
    for (const run of runsAround(lines, cited, context)) {
      const fits = run.slice(0, Math.max(0, left));
      omitted += run.slice(fits.length).filter(({ isCited }) => isCited).length;
      left -= fits.length;
      if (fits.some(({ isCited }) => isCited)) runs.push(fits);
    }
  }
  return { runs, omitted };
}

interface HunkRange {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
}

function reaches({ startLine, endLine, side }: CitedRange, hunk: HunkRange): boolean {
  const start = side === 'old' ? hunk.oldStart : hunk.newStart;
  const lines = side === 'old' ? hunk.oldLines : hunk.newLines;
  return startLine < start + lines && endLine >= start;
}

function isInRange({ startLine, endLine, side }: CitedRange, { oldLine, newLine }: DiffLine): boolean {
  const line = side === 'old' ? oldLine : newLine;
  return line !== null && line >= startLine && line <= endLine;
}

function runsAround(lines: readonly DiffLine[], cited: Set<number>, context: number): CitedLine[][] {
  const runs: CitedLine[][] = [];
  let last = -2;
  for (const index of [...cited].sort((one, other) => one - other)) {
    const from = Math.max(index - context, last + 1, 0);
    const to = Math.min(index + context, lines.length - 1);
    const next: CitedLine[] = [];
    for (let at = from; at <= to; at += 1) {
      const line = lines[at];
      if (line) next.push({ ...line, isCited: cited.has(at) });
    }
    if (from === last + 1 && runs.length > 0) runs.at(-1)?.push(...next);
    else runs.push(next);
    last = to;
  }
  return runs;
}

export { type FileDiff, linesOf } from '../../reading/file-diff.ts';

export interface LinePlace {
  side: 'old' | 'new';
  line: number;
}

export type Direction = 'above' | 'below';

export interface LinesBeside {
  from: DiffLine;
  lines: DiffLine[];
  left: number;
}

/** The lines directly above or below a line; null if no hunk of the file has them. */
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
