import type { FileFacts } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { squeeze } from './compare-lines.ts';

/** The other file in which most lines of a file that came stood before, or most of one that went stand now; or null. */
export type OriginOf = (file: FileFacts) => string | null;

/** Of fewer lines, too many stand anywhere. */
const leastLines = 10;
const mostOf = 0.6;

/** A larger change was made by a program, and nobody asks which of its lines moved. */
const mostBytes = 4_000_000;

/** How names and texts are quoted differs from one format to another. */
const fold = (text: string): string => squeeze(text).replace(/["'`,;]/g, '');

const telling = (text: string): boolean => fold(text).length >= 8;

export function findOrigins(diff: FileDiff[]): OriginOf {
  const isLarge = diff.reduce((sum, { bytes }) => sum + bytes.length, 0) > mostBytes;
  const known: Partial<Record<DiffLine['side'], Map<string, string>>> = {};
  const pathsOf = (side: 'added' | 'removed'): Map<string, string> => {
    known[side] ??= new Map(
      diff.flatMap(({ path, hunks }) =>
        hunks
          .flatMap((hunk) => linesOf(hunk).filter((line) => line.side === side && telling(line.text)))
          .map(({ text }): [string, string] => [fold(text), path]),
      ),
    );
    return known[side];
  };
  return ({ path, status, additions, deletions }) => {
    const side = status === 'added' ? 'added' : status === 'removed' ? 'removed' : null;
    if (side === null || isLarge || Math.max(additions, deletions) < leastLines) return null;
    const others = pathsOf(side === 'added' ? 'removed' : 'added');
    const own = (diff.find((file) => file.path === path)?.hunks ?? [])
      .flatMap((hunk) => linesOf(hunk))
      .filter(({ text }) => telling(text));
    const counts = new Map<string, number>();
    for (const { text } of own) {
      const other = others.get(fold(text));
      if (other !== undefined && other !== path) counts.set(other, (counts.get(other) ?? 0) + 1);
    }
    const [best] = [...counts].sort((one, other) => other[1] - one[1]);
    return best && own.length >= leastLines && best[1] >= own.length * mostOf ? best[0] : null;
  };
}
