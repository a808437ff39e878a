import type { Queries } from '../../db/database.ts';
import { listWatchers, planWatched, type Watcher } from '../../db/watched-repositories.ts';
import { isWanted, type MergedPullRequest } from '../../domain/watching.ts';

interface Heard {
  repositoryId: string;
  now: Date;
}

/**
 * Plans an article about a pull request that was merged in a repository, in each language that somebody who watches it wants it
 * in, within the caller's transaction. However often a merge is heard of, it is planned once. Returns how many articles are new.
 */
export async function hearMerged(
  tx: Queries,
  { repositoryId, now }: Heard,
  pullRequest: MergedPullRequest,
): Promise<number> {
  const watchers = (await listWatchers(tx, repositoryId)).filter(({ hasRights }) => hasRights);
  return planFor(tx, { repositoryId, now }, [{ pullRequest, watchers: new Set(watchers) }]);
}

/** What was merged, and for whom it is planned. */
export interface Plan {
  pullRequest: MergedPullRequest;
  watchers: Set<Watcher>;
}

/** The same for some of those who watch it, of any number of pull requests, in the order given. */
export function planFor(tx: Queries, { repositoryId, now }: Heard, plans: Plan[]): Promise<number> {
  const wanted = plans.flatMap(({ pullRequest, watchers }) => {
    const wanting = [...watchers].filter((watcher) => isWanted(watcher, pullRequest));
    const languages = new Set(wanting.map(({ language }) => language));
    return [...languages].sort().map((language) => ({ number: pullRequest.number, language }));
  });
  return planWatched(tx, { repositoryId, wanted, now });
}
