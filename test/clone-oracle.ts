import { git } from './make-clone.ts';

/**
 * The rule, written down once more and in the plainest way. A pull request is what the merge changed that names it and
 * joins its head to the history of the default branch; or else what the oldest commit on the default branch's own line
 * changed that names it; or else what its head has changed since it and the default branch parted.
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
