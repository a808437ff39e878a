import type { KindedFile } from '../../src/reading/change-type/change-features.ts';
import { classifyFile } from '../../src/reading/classify-file.ts';
import type { FileDiff } from '../../src/reading/file-diff.ts';
import { parseGitAttributes } from '../../src/reading/git-attributes.ts';

/** The files with what they are for, as the service itself sees them. */
export function kindFiles(files: FileDiff[]): KindedFile[] {
  const attributes = parseGitAttributes(files);
  return files.map((file) => ({ file, kind: classifyFile(file, attributes).kind }));
}
