import type { PullRequestName } from '../code-host.ts';
import type { Clone } from '../git-runner/clone.ts';
import { listClones } from './find-clone.ts';
import type { PullRequestIndexes } from './pull-request-index.ts';

/** How far to look: little enough that no request waits long for it. */
const clonesToTry = 20;

/** The newest merged pull request of the first clone that has one and may be shown. */
export async function suggestPullRequest(
  root: string,
  indexes: PullRequestIndexes,
  mayBeShown: (clone: Clone) => Promise<boolean>,
): Promise<PullRequestName | null> {
  let tried = 0;
  for await (const clone of listClones(root)) {
    if (!(await mayBeShown(clone))) continue;
    // A damaged clone has nothing to suggest; reading it on purpose says what is wrong with it.
    const index = await indexes.read(clone).catch(() => null);
    const numbers = [...(index?.merged.keys() ?? [])];
    if (numbers.length > 0) return { owner: clone.owner, name: clone.name, number: Math.max(...numbers) };
    tried += 1;
    if (tried === clonesToTry) return null;
  }
  return null;
}
