import { isBotLogin } from '../../domain/watching.ts';
import type { HostRepository } from '../code-host.ts';
import { timeOf } from '../host-times.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { ClosedPullRequests } from '../http/merged-since.ts';
import { ghost } from '../texts.ts';
import type { GitHubClient } from './github-client.ts';
import { MergedPullRequestPayload } from './payloads.ts';
import { ifVisibleTo, repositoryOf } from './read-repository.ts';

/** What is closed in a repository. What is asked by its id is found whatever it is called now. */
export const closedPullRequests = (
  client: GitHubClient,
  { hostRepoId }: HostRepository,
  caller: HostCaller,
): ClosedPullRequests<MergedPullRequestPayload> => ({
  page: (size, page, tag) =>
    client.pageUnlessUnchanged(
      `/repositories/${hostRepoId}/pulls?state=closed&sort=updated&direction=desc&per_page=${size}&page=${page}`,
      MergedPullRequestPayload,
      caller,
      tag,
    ),
  sizes: { usual: 30, large: 100, small: 10 },
  numberOf: ({ number }) => number,
  updatedAt: ({ updated_at }) => updated_at,
  mergedOf({ number, user, labels, draft = false, merged_at }) {
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
  },
  repositoryOf: ({ base }) => ifVisibleTo(caller, repositoryOf(base.repo)),
});
