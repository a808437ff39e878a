import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isRepositoryName } from '../../domain/repository-name.ts';
import type { Clone } from '../git-runner/clone.ts';
import { leadsOutside } from './leads-outside.ts';

/** Why a clone is not read: git would read what lies elsewhere, or may not read what is there. */
export type PassedOver = 'borrows' | 'leadsOutside' | 'unreadable';

/**
 * Finds `owner/name` or `owner/name.git` below the root, whatever its case. Of several that differ only in case or
 * ending, it is always the same one, whichever spelling was asked for: they share one id.
 */
export async function findClone(
  root: string,
  owner: string,
  name: string,
  /** Hears of those that are passed over. */
  onPassedOver?: (clone: Clone, reason: PassedOver) => void,
): Promise<Clone | null> {
  for await (const clone of clonesNamed(root, owner, name)) {
    const reason = await whyPassedOver(clone);
    if (!reason) return clone;
    onPassedOver?.(clone, reason);
  }
  return null;
}

/** All clones below the root, one at a time, so that a reader of the first few does not wait for the rest. */
export async function* listClones(root: string): AsyncGenerator<Clone> {
  for (const owner of (await entries(root)).filter(isRepositoryName)) {
    for await (const clone of clonesOf(root, owner)) if (!(await whyPassedOver(clone))) yield clone;
  }
}

/** Those that are passed over because they borrow from others, as `git clone --shared` makes them. */
export async function* listBorrowers(root: string): AsyncGenerator<Clone> {
  for (const owner of (await entries(root)).filter(isRepositoryName)) {
    for await (const clone of clonesOf(root, owner)) if (await borrows(clone)) yield clone;
  }
}

/** Every folder that a name can mean, also those that are passed over because of what they hold. */
export async function* clonesNamed(root: string, owner: string, name: string): AsyncGenerator<Clone> {
  if (!isRepositoryName(owner) || !isRepositoryName(name)) return;
  for (const folder of (await entries(root)).filter((candidate) => isNamed(candidate, owner)))
    yield* clonesOf(root, folder, name);
}

async function* clonesOf(root: string, owner: string, wanted?: string): AsyncGenerator<Clone> {
  for (const folder of await entries(join(root, owner))) {
    const name = folder.replace(/\.git$/, '');
    if (!(wanted === undefined ? isRepositoryName(name) : isNamed(name, wanted))) continue;
    const gitFolder = await gitFolderOf(join(root, owner, folder));
    if (gitFolder) yield { owner, name, gitFolder };
  }
}

async function entries(folder: string): Promise<string[]> {
  return ((await unlessAbsent(readdir(folder))) ?? []).sort();
}

const isNamed = (found: string, wanted: string): boolean => found.toLowerCase() === wanted.toLowerCase();

/** A clone keeps its git folder inside, a mirror is one. A `.git` file, which points anywhere, is not followed. */
export async function gitFolderOf(folder: string): Promise<string | null> {
  for (const candidate of [join(folder, '.git'), folder]) {
    const gitFolder = await unlessAbsent(realpath(candidate));
    if (gitFolder && (await unlessAbsent(isGitFolder(gitFolder)))) return gitFolder;
  }
  return null;
}

async function isGitFolder(folder: string): Promise<boolean> {
  const [head, objects, refs] = await Promise.all([
    lstat(join(folder, 'HEAD')),
    lstat(join(folder, 'objects')),
    lstat(join(folder, 'refs')),
  ]);
  return head.isFile() && objects.isDirectory() && refs.isDirectory();
}

const borrows = async ({ gitFolder }: Clone): Promise<boolean> =>
  (await unlessAbsent(lstat(join(gitFolder, 'objects', 'info', 'alternates')))) !== null;

/** What a clone borrows or links to may belong to a repository that is private. */
export async function whyPassedOver(clone: Clone): Promise<PassedOver | null> {
  if (await borrows(clone)) return 'borrows';
  const leads = await unlessAbsent(leadsOutside(clone.gitFolder));
  if (leads === null) return 'unreadable';
  return leads ? 'leadsOutside' : null;
}

/** Null where there is nothing, or nothing for us. Other failures, as of a busy system, must not look like that. */
async function unlessAbsent<Found>(looking: Promise<Found>): Promise<Found | null> {
  try {
    return await looking;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'ELOOP') return null;
    throw error;
  }
}
