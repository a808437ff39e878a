import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { isStorageFull } from '../../db/failures.ts';
import { findPullRequest, noteUse, type StoredPullRequest } from '../../db/pull-requests.ts';
import { findRemoval } from '../../db/removals.ts';
import { Failure } from '../../domain/errors.ts';
import type { Viewer } from '../accounts/identify-bearer.ts';
import { withPresentUrl } from '../articles/follow-web-url.ts';
import type { RepositoryAddress } from '../repositories/find-on-host.ts';
import { findVisibleRepository, seenBy } from '../repositories/find-visible-repository.ts';
import type { RepositoryRenewals } from '../repositories/renew-repositories.ts';
import { operationOn } from './operation-on.ts';

export interface PullRequestAddress extends RepositoryAddress {
  number: number;
}

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  renewals: RepositoryRenewals;
  clock: () => Date;
}

/** For a pull request that an operator has removed from a repository that the viewer may see: it cannot be fetched. */
export class RemovedPullRequest extends Failure {
  constructor({ owner, name }: RepositoryAddress, number: number) {
    super('PULL_REQUEST_NOT_FOUND', `Pull request ${owner}/${name}#${number} is not stored here.`);
  }
}

/** A stored pull request that the viewer may see. Absent and hidden are the same. */
export async function findVisiblePullRequest(
  parts: Parts,
  pullRequest: PullRequestAddress,
  viewer: Viewer | null,
): Promise<StoredPullRequest> {
  const { number, ...address } = pullRequest;
  const look = { viewer, now: parts.clock() };
  const repository = await findVisibleRepository(parts, address, look);
  const stored =
    repository &&
    (await findPullRequest(parts.database, { repositoryId: repository.id, number, viewer: seenBy(look) }));
  if (!stored) {
    const isRemoved = repository && (await findRemoval(parts.database, repository)).numbers.has(number);
    throw isRemoved ? new RemovedPullRequest(address, number) : notStored(parts, pullRequest);
  }
  await noteUse(parts.database, stored, look.now).catch((error) => {
    // Where there is no room to store anything, reading goes on.
    if (!isStorageFull(error)) throw error;
  });
  return withPresentUrl(address.codeHost, stored);
}

function notStored({ codeHosts }: Parts, pullRequest: PullRequestAddress): Failure {
  const { owner, name, number } = pullRequest;
  return new Failure(
    'PULL_REQUEST_NOT_FOUND',
    `Pull request ${owner}/${name}#${number} is not stored here, or you may not see it. ` +
      `${operationOn(codeHosts, pullRequest, 'ingest')} fetches it; without an article it stays for a week after its last use.`,
  );
}
