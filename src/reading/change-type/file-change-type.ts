import type { ChangeType } from '../../domain/change-types.ts';
import type { FileKind } from '../facts.ts';
import type { FileDiff } from '../file-diff.ts';

const typeOfKind: Partial<Record<FileKind, ChangeType>> = {
  documentation: 'DOCS',
  test: 'TEST',
  build: 'BUILD',
  manifest: 'BUILD',
  lock: 'BUILD',
};

/** What kind of change was made to one file: what it is for says it, or else what the whole was for, if that is sure. */
export function fileChangeType(file: FileDiff, kind: FileKind, whole: ChangeType | null): ChangeType | null {
  const ofKind = typeOfKind[kind];
  if (ofKind) return ofKind;
  const isMoved = file.status === 'renamed' && file.additions + file.deletions === 0 && !file.isBinary;
  return isMoved ? 'REFACTOR' : whole;
}
