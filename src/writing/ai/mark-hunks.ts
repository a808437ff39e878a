import { type DiffLine, type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';

/** Why a hunk is no news: its lines stand elsewhere now, or were only laid out anew. */
export type HunkMark = 'moved' | 'white space';

/** Fewer characters than this stand in many places by chance. */
const shortestMove = 40;

const squeeze = (lines: readonly DiffLine[], side: DiffLine['side']): string =>
  lines
    .filter((line) => line.side === side)
    .map(({ text }) => text)
    .join('')
    .replace(/\s+/g, '');

/** Marks the hunks in which nothing happened but that lines moved, or that white space changed. */
export function markHunks(diff: FileDiff[]): Map<Hunk, HunkMark> {
  const marks = new Map<Hunk, HunkMark>();
  const added = new Map<string, Hunk>();
  const removed = new Map<string, Hunk>();
  for (const hunk of diff.flatMap(({ hunks }) => hunks)) {
    const lines = linesOf(hunk);
    const before = squeeze(lines, 'removed');
    const after = squeeze(lines, 'added');
    if (before === after) marks.set(hunk, 'white space');
    else if (before === '' && after.length >= shortestMove) added.set(after, hunk);
    else if (after === '' && before.length >= shortestMove) removed.set(before, hunk);
  }
  for (const [text, hunk] of added) {
    const origin = removed.get(text);
    if (!origin) continue;
    marks.set(hunk, 'moved');
    marks.set(origin, 'moved');
  }
  return marks;
}
