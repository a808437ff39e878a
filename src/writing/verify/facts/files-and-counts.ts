import type { FileDiff } from '../../../reading/file-diff.ts';
import type { FactOf } from '../../draft.ts';
import type { Ground } from '../ground.ts';

export function fileHolds({ path, status, from }: FactOf<'file'>, ground: Ground): boolean {
  const file = ground.lines.file(path);
  if (!file) return false;
  const isExecutable = (mode: string | null) => mode?.endsWith('755') ?? false;
  const isMade = file.oldMode !== null && file.newMode !== null;
  switch (status) {
    case 'changed':
      return true;
    case 'binary':
      return file.isBinary;
    case 'submodule':
      return file.isSubmodule;
    case 'executable':
      return isMade && !isExecutable(file.oldMode) && isExecutable(file.newMode);
    case 'notExecutable':
      return isMade && isExecutable(file.oldMode) && !isExecutable(file.newMode);
    default:
      return file.status === status && (from === null || file.previousPath === from);
  }
}

/** How many of these files there are, or how many of their lines come or go. */
export function countOf(of: FactOf<'count'>['of'], files: FileDiff[], ground: Ground): number {
  if (of === 'files') return files.length;
  const side = of === 'additions' ? 'added' : 'removed';
  return files.reduce(
    (sum, { path }) => sum + ground.lines.of(path).filter((line) => line.side === side).length,
    0,
  );
}
