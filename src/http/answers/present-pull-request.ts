import type { ListedPullRequest } from '../../actions/pull-requests/list-pull-requests.ts';
import type { PullRequest, PullRequestSummary } from '../../contract/pull-request.ts';
import type { StoredPullRequest } from '../../db/pull-requests.ts';

/** A pull request as the contract answers it. */
export function presentPullRequest(stored: StoredPullRequest): PullRequest {
  const {
    number,
    hostUrl,
    hostCreatedAt,
    mergedAt,
    fetchedAt,
    unusedSince,
    diffRevision,
    filesInDiff,
    ...same
  } = stored;
  return {
    ...same,
    prNumber: number,
    hostPrUrl: hostUrl,
    filesOmitted: same.changedFiles - same.files.length,
    hostPrCreatedAt: hostCreatedAt.toISOString(),
    mergedAt: mergedAt?.toISOString() ?? null,
    fetchedAt: fetchedAt.toISOString(),
  };
}

/** A pull request in a list, as the host told it. */
export function presentListedPullRequest(listed: ListedPullRequest): PullRequestSummary {
  const { number, url, createdAt, mergedAt: _, updatedAt: __, articleTitles: ___, ...same } = listed;
  return { ...same, prNumber: number, hostPrUrl: url, createdAt: createdAt.toISOString() };
}
