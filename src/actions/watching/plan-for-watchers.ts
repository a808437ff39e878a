import type { Queries } from '../../db/database.ts';
import { planWatched, type Watcher } from '../../db/watches.ts';
import { isWanted, type MergedPullRequest } from '../../domain/watching.ts';

interface Heard {
  repositoryId: string;
  now: Date;
}

/** What was merged, and for whom it is planned. */
export interface Plan {
  pullRequest: MergedPullRequest;
  watchers: Set<Watcher>;
}

/**
 * Plans articles about pull requests that were merged in a repository, in the order given and in each language that somebody who
 * watches it wants them in, within the caller's transaction. However often a merge is heard of, it is planned once. Returns how
 * many articles are new.
 */
export function planFor(tx: Queries, { repositoryId, now }: Heard, plans: Plan[]): Promise<number> {
  const wanted = plans.flatMap(({ pullRequest, watchers }) => {
    const wanting = [...watchers].filter((watcher) => isWanted(watcher, pullRequest));
    const languages = new Set(wanting.map(({ language }) => language));
    return [...languages].sort().map((language) => ({ number: pullRequest.number, language }));
  });
  return planWatched(tx, { repositoryId, wanted, now });
}
