import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isRepositoryName } from '../../domain/repository-name.ts';
import { gitFolderOf, listClones } from './find-clone.ts';

/**
 * Where a folder without any clone as owner/repo is a clone itself, or has clones right in it, the setting names the wrong
 * level: what is wrong, and what to do. Null where it does not.
 */
export async function misplacedRoot(folder: string): Promise<{ why: string; remedy: string } | null> {
  for await (const _ of listClones(folder)) return null;
  const root = resolve(folder);
  const clone = basename(root) === '.git' ? dirname(root) : root;
  if (await gitFolderOf(root))
    return { why: `GIT_REPOS=${folder} is itself a clone.`, remedy: nameAbove('two levels', clone) };
  for (const name of (await readdir(root).catch(() => [])).sort())
    if (await gitFolderOf(join(root, name)))
      return {
        why: `GIT_REPOS=${folder} has clones right in it, such as ${name}, without a folder of their owner.`,
        remedy: nameAbove('one level', join(root, name)),
      };
  return null;
}

/** The folder above may have clones that are not meant to be shown. */
function nameAbove(levels: string, clone: string): string {
  const owner = dirname(clone);
  const name = basename(clone).replace(/\.git$/, '');
  const move = 'move it into a new folder as owner/repo, and name that folder';
  if (![basename(owner), name].every(isRepositoryName)) return `${move[0]?.toUpperCase()}${move.slice(1)}.`;
  return (
    `Name the folder ${levels} above, GIT_REPOS=${dirname(owner)}: it is shown as ${basename(owner)}/${name}, with every other ` +
    `clone there. Where that is too much, ${move}.`
  );
}
