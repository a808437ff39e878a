import { type Clone, listClones } from './find-clone.ts';
import { type GitRunner, runGit } from './run-git.ts';

/** How far to look: enough for any active repository, little enough to be done before anybody waits for it. */
const clonesToTry = 20;
const commitsToTry = 500;

export interface PullRequestName {
  owner: string;
  name: string;
  number: number;
}

/** A recently merged pull request of one of the clones, for somebody who wants to try one. */
export async function suggestPullRequest(
  git: GitRunner,
  root: string,
  mayBeShown: (clone: Clone) => boolean,
): Promise<PullRequestName | null> {
  let tried = 0;
  for await (const clone of listClones(root)) {
    if (!mayBeShown(clone)) continue;
    const number = await newestMerged(git, clone);
    if (number) return { owner: clone.owner, name: clone.name, number };
    tried += 1;
    if (tried === clonesToTry) return null;
  }
  return null;
}

async function newestMerged(git: GitRunner, clone: Clone): Promise<number | null> {
  try {
    const log = await runGit(git, clone, [
      'log',
      '--first-parent',
      `-n${commitsToTry}`,
      '--format=%s',
      'HEAD',
    ]);
    for (const subject of log.split('\n')) {
      const match = /^Merge pull request #(\d{1,9})\b|\(#(\d{1,9})\)$/.exec(subject);
      if (match) return Number(match[1] ?? match[2]);
    }
  } catch {
    // An empty or damaged clone has nothing to suggest; reading it on purpose says what is wrong with it.
  }
  return null;
}
