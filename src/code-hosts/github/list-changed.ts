import { isBotLogin, type MergedPullRequest } from '../../domain/watching.ts';
import type { HostRepository } from '../code-host.ts';
import { timeOf } from '../host-times.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { ChangedList } from '../http/list-merged.ts';
import { ghost } from '../texts.ts';
import type { GitHubClient } from './github-client.ts';
import { MergedPullRequestPayload } from './payloads.ts';
import { ifVisibleTo, repositoryOf } from './read-repository.ts';

/** The closed pull requests of a repository, which is asked for by its id, so that it is found whatever it is called now. */
export const listChanged = (
  client: GitHubClient,
  { hostRepoId }: HostRepository,
  caller: HostCaller,
): ChangedList<MergedPullRequestPayload> => ({
  sizes: { usual: 30, large: 100, small: 10 },
  readPage: (size, page, tag) => {
    const order = 'state=closed&sort=updated&direction=desc';
    const path = `/repositories/${hostRepoId}/pulls?${order}&per_page=${size}&page=${page}`;
    return client.pageUnlessUnchanged(path, MergedPullRequestPayload, caller, tag);
  },
  changedAt: ({ updated_at }) => updated_at,
  numberOf: ({ number }) => number,
  mergedOf,
  repositoryOf: ({ base }) => ifVisibleTo(caller, repositoryOf(base.repo)) ?? 'hidden',
});

function mergedOf(item: MergedPullRequestPayload): MergedPullRequest | null {
  const { number, user, labels, draft = false, merged_at } = item;
  if (merged_at === null) return null;
  const authorLogin = user?.login ?? ghost;
  return {
    number,
    mergedAt: timeOf(merged_at),
    authorLogin,
    isBot: user?.type === 'Bot' || isBotLogin(authorLogin),
    isDraft: draft,
    labels: labels.flatMap(({ name }) => name ?? []),
  };
}
