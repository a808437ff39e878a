import type { FileDiff } from '../src/reading/file-diff.ts';
import { parseDiff } from '../src/reading/parse-diff.ts';

interface DiffOptions {
  /** The number of the first line, on both sides. */
  start?: number;
  status?: 'added' | 'removed' | 'modified';
  heading?: string;
}

/** One file's diff as git prints it, with one hunk for each body; the lines of a body begin with ` `, `+` or `-`. */
export function diffOf(
  path: string,
  bodies: string | string[],
  { start = 1, status = 'modified', heading = '' }: DiffOptions = {},
): FileDiff {
  const header = [`diff --git a/${path} b/${path}`];
  if (status === 'added') header.push('new file mode 100644');
  if (status === 'removed') header.push('deleted file mode 100644');
  header.push('index 1111111..2222222 100644');
  header.push(`--- ${status === 'added' ? '/dev/null' : `a/${path}`}`);
  header.push(`+++ ${status === 'removed' ? '/dev/null' : `b/${path}`}`);
  const hunks = [bodies].flat().map((body, index) => printHunk(body, start + index * 100, heading));
  const [file] = parseDiff(Buffer.from(`${[...header, ...hunks].join('\n')}\n`));
  if (!file) throw new Error('The test wrote no diff.');
  return file;
}

function printHunk(body: string, start: number, heading: string): string {
  const lines = body.replace(/^\n/, '').replace(/\n *$/, '').split('\n');
  const count = (sign: string): number => lines.filter((line) => line[0] !== sign).length;
  return [`@@ -${start},${count('+')} +${start},${count('-')} @@ ${heading}`, ...lines].join('\n');
}
