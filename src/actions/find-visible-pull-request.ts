import type { Database } from '../db/database.ts';
import { findPullRequest, type StoredPullRequest } from '../db/pull-requests.ts';
import type { RepositoryAddress } from './find-on-host.ts';
import { findVisibleRepository, seenBy } from './find-visible-repository.ts';
import type { Viewer } from './identify-bearer.ts';
import { noPullRequest } from './ingest-pull-request.ts';
import type { RepositoryRenewals } from './renew-repositories.ts';

export interface PullRequestAddress extends RepositoryAddress {
  number: number;
}

interface Parts {
  database: Database;
  renewals: RepositoryRenewals;
  clock: () => Date;
}

/** A stored pull request that the viewer may see. Absent and hidden are the same. */
export async function findVisiblePullRequest(
  parts: Parts,
  { number, ...address }: PullRequestAddress,
  viewer: Viewer | null,
): Promise<StoredPullRequest> {
  const look = { viewer, now: parts.clock() };
  const repository = await findVisibleRepository(parts, address, look);
  const stored =
    repository &&
    (await findPullRequest(parts.database, { repositoryId: repository.id, number, viewer: seenBy(look) }));
  if (stored) return stored;
  throw noPullRequest(address.owner, address.name, number);
}
