import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Clone } from '../git-runner/clone.ts';
import { type GitRunner, runGit } from '../git-runner/run-git.ts';
import { gitFolderOf } from './find-clone.ts';
import { nameOfClone } from './name-of-clone.ts';

/** The repository that somebody stands in. */
export interface OwnClone extends Clone {
  /** The folder whose HEAD says what is checked out: a worktree has one of its own. */
  headFolder: string;
  /** Where its files are checked out, unless it is a mirror. */
  root: string;
  /** The address of its remote repository, with any password in it; null where it has none. */
  origin: string | null;
}

/** The repository that a folder lies in, whether it is a clone, a worktree or a mirror; null outside of one. */
export async function findOwnClone(git: GitRunner, folder: string): Promise<OwnClone | null> {
  for (let at = await realpath(folder); ; at = dirname(at)) {
    const gitFolder = await gitFolderOf(at);
    const found = gitFolder ? { gitFolder, headFolder: gitFolder } : await followLink(at);
    if (found) return describe(git, found, at);
    if (dirname(at) === at) return null;
  }
}

/** What a worktree or a submodule has in the place of a git folder leads to it: its owner has put it there. */
async function followLink(folder: string) {
  const linked = await readOr(join(folder, '.git'));
  const target = linked === null ? undefined : /^gitdir: (.+?)\s*$/.exec(linked)?.[1];
  if (target === undefined) return null;
  const headFolder = resolve(folder, target);
  const shared = (await readOr(join(headFolder, 'commondir')))?.trim();
  const gitFolder = await gitFolderOf(shared === undefined ? headFolder : resolve(headFolder, shared));
  return gitFolder && { gitFolder, headFolder };
}

const readOr = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null);

async function describe(
  git: GitRunner,
  folders: { gitFolder: string; headFolder: string },
  root: string,
): Promise<OwnClone> {
  const unnamed = { ...nameOfClone(null, root), root, ...folders };
  // Named so, git reads this file and none that it includes, and nothing in it has an effect.
  const file = join(folders.gitFolder, 'config');
  const options = ['--file', file, '--no-includes', '--get'];
  const isThere = (await readOr(file)) !== null;
  const printed = isThere
    ? await runGit(git, unnamed, ['config', ...options, 'remote.origin.url'], { nothingCode: 1 })
    : '';
  const origin = printed.trim() || null;
  const clone = { ...unnamed, ...nameOfClone(origin, root), origin };
  const defaultRef = await findDefaultRef(git, clone);
  return defaultRef === null ? clone : { ...clone, defaultRef };
}

const branches = ['refs/remotes/origin/HEAD', 'refs/heads/main', 'refs/heads/master'];

/** What branches of a working copy are held against; a mirror says so itself, by its HEAD. */
async function findDefaultRef(git: GitRunner, clone: Clone): Promise<string | null> {
  if (basename(clone.gitFolder) !== '.git') return null;
  const printed = await runGit(git, clone, ['for-each-ref', '--format=%(refname)', ...branches]);
  const found = new Set(printed.split('\n'));
  return branches.find((ref) => found.has(ref)) ?? null;
}
