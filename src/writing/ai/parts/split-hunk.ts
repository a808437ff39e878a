import { type DiffLine, type Hunk, linesOf } from '../../../reading/file-diff.ts';

const signs = { added: '+', removed: '-', context: ' ' };

/**
 * Cuts a hunk that is too large into several that have its lines between them, each of at most so many bytes unless a single
 * block is larger: what was removed stays with what replaces it as long as that goes.
 */
export function splitHunk(hunk: Hunk, mostBytes: number, sizeOf: (line: DiffLine) => number): Hunk[] {
  const pieces: DiffLine[][] = [];
  let size = 0;
  for (const block of blocksOf(linesOf(hunk), mostBytes, sizeOf)) {
    const bytes = block.reduce((sum, line) => sum + sizeOf(line), 0);
    if (pieces.length === 0 || size + bytes > mostBytes) {
      pieces.push([]);
      size = 0;
    }
    pieces.at(-1)?.push(...block);
    size += bytes;
  }
  let { oldStart, newStart } = hunk;
  return pieces.map((lines) => {
    const oldLines = lines.filter(({ side }) => side !== 'added').length;
    const newLines = lines.filter(({ side }) => side !== 'removed').length;
    const text = lines.map(({ side, text: line }) => `${signs[side]}${line}`).join('\n');
    const piece = { oldStart, oldLines, newStart, newLines, heading: hunk.heading, text: () => text };
    oldStart += oldLines;
    newStart += newLines;
    return piece;
  });
}

/** Lines that stay, each by itself, and runs of changed lines; a run that is too large is cut wherever it is full. */
function blocksOf(
  lines: readonly DiffLine[],
  mostBytes: number,
  sizeOf: (line: DiffLine) => number,
): DiffLine[][] {
  const blocks: DiffLine[][] = [];
  let size = 0;
  let above: DiffLine['side'] = 'context';
  for (const line of lines) {
    const bytes = sizeOf(line);
    const begins =
      line.side === 'context' || above === 'context' || (line.side === 'removed' && above === 'added');
    if (begins || size + bytes > mostBytes) {
      blocks.push([]);
      size = 0;
    }
    blocks.at(-1)?.push(line);
    size += bytes;
    above = line.side;
  }
  return blocks;
}
