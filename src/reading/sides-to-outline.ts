import type { KindedFile } from './classify-file.ts';
import type { Evidence, FileKind } from './facts.ts';
import { type FileDiff, linesOf } from './file-diff.ts';
import { gapsIn } from './gaps-in.ts';
import { skippedFor } from './read-file.ts';
import { type FileSide, hasOutline } from './symbols/outline-file.ts';

/** A side of a file whose whole text would tell what its changed lines lie in. */
interface SideToOutline extends Omit<FileSide, 'text'> {
  /** What the diff calls the file, whichever side it is. */
  fileName: string;
}

/** As many files as a person looks at; what changes more of them changes all in the same way. */
const mostSides = 300;

const later: Partial<Record<FileKind, number>> = {
  test: 1,
  build: 2,
  manifest: 2,
  configuration: 2,
  documentation: 3,
};

/** Which texts are worth fetching, the most telling first. Those of files that came or went stand in the diff. */
export function sidesToOutline(files: Iterable<KindedFile>): SideToOutline[] {
  const wanted: { order: number; side: SideToOutline }[] = [];
  for (const kinded of files) {
    const { file, kind, language } = kinded;
    if (file.status === 'added' || file.status === 'removed' || file.isBinary || file.isSubmodule) continue;
    if (skippedFor(kinded) !== null) continue;
    for (const [side, path] of pathsOf(file)) {
      if (!hasOutline(path, language)) continue;
      const changed = changedLines(file, side);
      wanted.push({ order: later[kind] ?? 0, side: { fileName: file.path, path, language, side, changed } });
    }
  }
  return wanted
    .sort((one, other) => one.order - other.order)
    .slice(0, mostSides)
    .map(({ side }) => side);
}

/** The old side is looked at for what went without anything in its place. */
function pathsOf(file: FileDiff): [Evidence['side'], string][] {
  const paths: [Evidence['side'], string][] = [];
  if (file.hunks.length > 0) paths.push(['new', file.path]);
  const isRemoving = file.hunks.some((hunk) => linesOf(hunk).every(({ side }) => side !== 'added'));
  if (isRemoving) paths.push(['old', file.previousPath ?? file.path]);
  return paths;
}

/** In their order. On the new side also what stands above and below lines that went, because they lay in the same. */
function changedLines(file: FileDiff, side: Evidence['side']): number[] {
  const wanted = side === 'new' ? 'added' : 'removed';
  const numbers = new Set<number>();
  for (const hunk of file.hunks) {
    for (const line of linesOf(hunk)) {
      const number = side === 'new' ? line.newLine : line.oldLine;
      if (line.side === wanted && number !== null) numbers.add(number);
    }
    if (side === 'new') for (const { above, below } of gapsIn(hunk)) numbers.add(above).add(below);
  }
  return [...numbers].sort((one, other) => one - other);
}
