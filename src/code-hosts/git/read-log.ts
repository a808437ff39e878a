import { StringDecoder } from 'node:string_decoder';
import type { Clone } from '../git-runner/clone.ts';
import { type GitRunner, streamGit } from '../git-runner/run-git.ts';

/** Something that git tells of a commit. */
export interface LogField {
  /** How `git log` is asked for it. */
  format: string;
  /** How many characters are kept of it. */
  most: number;
}

export const shaField: LogField = { format: '%H', most: 64 };
/** Longer ones are cut even where titles are shown in full. */
export const subjectField: LogField = { format: '%s', most: 1_000 };

/**
 * What `git log` tells of each commit, as it comes; the parameters say of which. Strangers write commits: what is longer
 * than is kept loses its middle before it can fill the memory.
 */
export async function* readLog(
  git: GitRunner,
  clone: Clone,
  fields: LogField[],
  parameters: string[],
  input = '',
): AsyncGenerator<string[], void> {
  // No field can hold the byte that parts them, and -z ends each record with it too.
  const format = `--format=${fields.map((field) => field.format).join('%x00')}`;
  const decoder = new StringDecoder('utf8');
  let record: string[] = [];
  let unfinished = '';
  for await (const chunk of streamGit(git, clone, ['log', '-z', format, ...parameters], { input })) {
    const pieces = decoder.write(chunk).split('\0');
    for (const [index, piece] of pieces.entries()) {
      unfinished = withoutMiddle(unfinished + piece, fields[record.length]?.most ?? 0);
      if (index === pieces.length - 1) break;
      record.push(unfinished);
      unfinished = '';
      if (record.length < fields.length) continue;
      yield record;
      record = [];
    }
  }
}

/** Beginning and end, where a text is longer than is kept. Done again with more at its end, it is as if done once. */
function withoutMiddle(text: string, most: number): string {
  const half = most >> 1;
  if (text.length <= 2 * half + 1) return text;
  return `${text.slice(0, half)}…${text.slice(-half)}`.toWellFormed();
}
