import { git } from './make-clone.ts';

/** What a pull request is at this moment, as git says it when it is run on the clone itself. */
export interface PullRequestOfGit {
  headSha: string;
  baseSha: string;
  /** What `git diff` prints. */
  diff: string;
  files: string[];
}

/**
 * The rule, written down once more and in the plainest way: a pull request that a commit of the default branch names is
 * what this commit changed (of several, the oldest); any other is what its head has changed since the default branch and
 * it parted.
 */
export function askGit(folder: string, number: number): PullRequestOfGit {
  const named = git(folder, 'log', '--first-parent', '--reverse', '--format=%H %s', 'HEAD')
    .split('\n')
    .find((line) => line.includes(` Merge pull request #${number} `) || line.endsWith(` (#${number})`));
  const headSha = named?.slice(0, 40) ?? git(folder, 'rev-parse', `refs/pull/${number}/head`).trim();
  const baseSha = named
    ? git(folder, 'rev-parse', `${headSha}^1`).trim()
    : git(folder, 'merge-base', 'HEAD', headSha).trim();
  return { headSha, baseSha, ...diffOf(folder, baseSha, headSha) };
}

function diffOf(folder: string, baseSha: string, headSha: string): Pick<PullRequestOfGit, 'diff' | 'files'> {
  const files = git(folder, 'diff', '-M', '--name-only', '-z', baseSha, headSha).split('\0').filter(Boolean);
  return { diff: git(folder, 'diff', '-M', '-U3', baseSha, headSha), files };
}
