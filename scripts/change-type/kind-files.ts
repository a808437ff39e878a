import type { KindedFile } from '../../src/reading/change-type/change-features.ts';
import { classifyFile } from '../../src/reading/classify-file.ts';
import type { FileDiff } from '../../src/reading/file-diff.ts';

/** The files with what they are for, as the service itself sees them. */
export const kindFiles = (files: FileDiff[]): KindedFile[] =>
  files.map((file) => ({ file, kind: classifyFile(file).kind }));
