import { git } from './make-clone.ts';

/**
 * The rule for pull requests of a clone, written a second time as plainly as possible. The diff of a pull request is what its
 * merge commit changed; or else what the oldest commit on the default branch's first-parent line that names it changed; or
 * else what its head changed since it left the default branch.
 */
export function placeByGit(folder: string, number: number): { headSha: string; baseSha: string } {
  const head = git(folder, 'rev-parse', `refs/pull/${number}/head`).trim();
  const log = (...which: string[]) =>
    git(folder, 'log', '--reverse', '--format=%H %P %s', ...which, 'HEAD').split('\n');
  const merge = ` Merge pull request #${number} `;
  const named =
    log('--merges').find((line) => line.includes(` ${head}${merge}`)) ??
    log('--first-parent').find((line) => line.includes(merge) || line.endsWith(` (#${number})`));
  const headSha = named?.slice(0, 40) ?? head;
  const baseSha = named
    ? git(folder, 'rev-parse', `${headSha}^1`).trim()
    : git(folder, 'merge-base', 'HEAD', headSha).trim();
  return { headSha, baseSha };
}

export function diffByGit(
  folder: string,
  baseSha: string,
  headSha: string,
): { diff: string; files: string[] } {
  const files = git(folder, 'diff', '-M', '--name-only', '-z', baseSha, headSha).split('\0').filter(Boolean);
  return { diff: git(folder, 'diff', '-M', '-U3', baseSha, headSha), files };
}
