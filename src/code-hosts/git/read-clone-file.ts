import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clone } from '../git-runner/clone.ts';
import { UnreadableClone } from '../git-runner/run-git.ts';

/** No name of a branch is longer. */
const mostOfHead = 5_000;
/** A line for each commit at which a clone ends: 400,000 of them. */
const mostOfShallow = 16 * 1024 * 1024;

/** What HEAD of a clone stands for, or is taken to: the full name of a branch, or a commit; neither where it is something else. */
export async function readHead(clone: Clone): Promise<{ ref: string | null; sha: string | null }> {
  if (clone.defaultRef) return { ref: clone.defaultRef, sha: null };
  const head = await readCloneFile(clone, 'HEAD', mostOfHead);
  // A clone can have anything there: what is not a name of a ref must not become a parameter of git.
  const ref = /^ref: (refs\/[^\s\p{Cc}]+)\s*$/u.exec(head)?.[1] ?? null;
  const sha = /^([0-9a-f]{40})\s*$/.exec(head)?.[1] ?? null;
  return { ref, sha };
}

/** The commits below which a clone was told to keep nothing, as text; empty for a clone with all of its history. */
export const readShallow = (clone: Clone): Promise<string> => readCloneFile(clone, 'shallow', mostOfShallow);

/** Empty where there is none. It does not wait for what is no file, such as a pipe without a writer. */
async function readCloneFile(clone: Clone, name: string, mostBytes: number): Promise<string> {
  let file: FileHandle | undefined;
  try {
    file = await open(join(clone.gitFolder, name), constants.O_RDONLY | constants.O_NONBLOCK);
    const about = await file.stat();
    if (!about.isFile() || about.size > mostBytes)
      throw new Error(`${name} is no file, or larger than ${mostBytes} bytes`);
    return await file.readFile('utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw new UnreadableClone(clone, error);
  } finally {
    await file?.close();
  }
}
