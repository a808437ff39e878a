import type { FileDiff } from '../../../reading/file-diff.ts';

/** A part in two: between files, or between the hunks of its only one; null where a single hunk is left. */
export function halvePart(files: FileDiff[]): [FileDiff[], FileDiff[]] | null {
  const middle = Math.ceil(files.length / 2);
  if (files.length > 1) return [files.slice(0, middle), files.slice(middle)];
  const [file] = files;
  if (!file || file.hunks.length < 2) return null;
  const half = Math.ceil(file.hunks.length / 2);
  return [[{ ...file, hunks: file.hunks.slice(0, half) }], [{ ...file, hunks: file.hunks.slice(half) }]];
}
