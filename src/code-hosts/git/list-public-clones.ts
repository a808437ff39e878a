import type { OfferedRepository } from '../code-host.ts';
import type { Clone } from '../git-runner/clone.ts';
import { listClones } from './find-clone.ts';
import type { PullRequestIndexes } from './pull-request-index.ts';

/** The first clones that may be shown, with how many merged pull requests they have. */
export async function listPublicClones(
  root: string,
  indexes: PullRequestIndexes,
  { mayBeShown, atMost }: { mayBeShown: (clone: Clone) => Promise<boolean>; atMost: number },
): Promise<OfferedRepository[]> {
  const shown: OfferedRepository[] = [];
  for await (const clone of listClones(root)) {
    if (shown.length === atMost) break;
    if (!(await mayBeShown(clone))) continue;
    // A damaged clone counts nothing; reading it on purpose says what is wrong with it.
    const index = await indexes.read(clone).catch(() => null);
    shown.push({ owner: clone.owner, name: clone.name, merged: index?.merged.size ?? null });
  }
  return shown;
}
