import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isRepositoryName } from '../../domain/repository-name.ts';

export interface Clone {
  owner: string;
  name: string;
  /** The folder that holds HEAD, objects and refs. */
  gitFolder: string;
}

/**
 * Finds `owner/name` or `owner/name.git` below the root, whatever its case. Of several that differ only in case or
 * ending, it is always the same one, whichever spelling was asked for: they share one id.
 */
export async function findClone(root: string, owner: string, name: string): Promise<Clone | null> {
  if (!isRepositoryName(owner) || !isRepositoryName(name)) return null;
  for (const ownerFolder of (await entries(root)).filter((candidate) => isNamed(candidate, owner))) {
    const folders = await entries(join(root, ownerFolder));
    for (const folder of folders.filter((candidate) => isNamed(withoutEnding(candidate), name))) {
      const gitFolder = await gitFolderOf(join(root, ownerFolder, folder));
      if (gitFolder) return { owner: ownerFolder, name: withoutEnding(folder), gitFolder };
    }
  }
  return null;
}

/** All clones below the root, one at a time, so that a reader of the first few does not wait for the rest. */
export async function* listClones(root: string): AsyncGenerator<Clone> {
  for (const owner of (await entries(root)).filter(isRepositoryName)) {
    for (const folder of (await entries(join(root, owner))).filter((name) =>
      isRepositoryName(withoutEnding(name)),
    )) {
      const gitFolder = await gitFolderOf(join(root, owner, folder));
      if (gitFolder) yield { owner, name: withoutEnding(folder), gitFolder };
    }
  }
}

const withoutEnding = (folder: string): string => folder.replace(/\.git$/, '');

async function entries(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch {
    return [];
  }
}

const isNamed = (found: string, wanted: string): boolean => found.toLowerCase() === wanted.toLowerCase();

/** A clone keeps its git folder inside, a mirror is one. A `.git` file, which points anywhere, is not followed. */
async function gitFolderOf(folder: string): Promise<string | null> {
  for (const candidate of [join(folder, '.git'), folder]) {
    if (await isGitFolder(candidate)) return realpath(candidate);
  }
  return null;
}

async function isGitFolder(folder: string): Promise<boolean> {
  try {
    const [head, objects, refs] = await Promise.all([
      lstat(join(folder, 'HEAD')),
      lstat(join(folder, 'objects')),
      lstat(join(folder, 'refs')),
    ]);
    return head.isFile() && objects.isDirectory() && refs.isDirectory() && !(await borrowsObjects(folder));
  } catch {
    return false;
  }
}

/** A clone with alternates shows the objects of other repositories, which may be private. */
async function borrowsObjects(folder: string): Promise<boolean> {
  return lstat(join(folder, 'objects', 'info', 'alternates')).then(
    () => true,
    () => false,
  );
}
