import type { Database } from '../db/database.ts';
import { findPullRequest, type StoredPullRequest } from '../db/pull-requests.ts';
import type { RepositoryAddress } from './find-on-host.ts';
import { findVisibleRepository } from './find-visible-repository.ts';
import type { Viewer } from './identify-bearer.ts';
import { noPullRequest } from './ingest-pull-request.ts';

export interface PullRequestAddress extends RepositoryAddress {
  number: number;
}

/** A stored pull request that the viewer may see. Absent and hidden are the same. */
export async function findVisiblePullRequest(
  parts: { database: Database; clock: () => Date },
  { number, ...address }: PullRequestAddress,
  viewer: Viewer | null,
): Promise<StoredPullRequest> {
  const repository = await findVisibleRepository(parts, address, viewer);
  const seenBy = { userId: viewer?.user?.id ?? null, now: parts.clock() };
  const stored =
    repository &&
    (await findPullRequest(parts.database, { repositoryId: repository.id, number, viewer: seenBy }));
  if (stored) return stored;
  throw noPullRequest(address.owner, address.name, number);
}
