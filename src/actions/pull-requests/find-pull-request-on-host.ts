import type { FoundPullRequest, HostRepository } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { findLearnedRemoval } from '../../db/removals.ts';
import { Failure } from '../../domain/errors.ts';
import type { ActingUser } from '../accounts/identify-bearer.ts';
import {
  type CallerOn,
  noRepository,
  notShown,
  type RepositoryAddress,
} from '../repositories/find-on-host.ts';

interface Parts {
  database: Database;
  callerOn: CallerOn;
  clock: () => Date;
}

/**
 * A pull request that its host shows to a viewer, or to nobody in particular. One that is hidden or was removed here might as
 * well not exist.
 */
export async function findPullRequestOnHost(
  { database, callerOn, clock }: Parts,
  address: RepositoryAddress,
  number: number,
  { viewer, signal }: { viewer: ActingUser | null; signal: AbortSignal },
): Promise<{ repository: HostRepository } & NonNullable<FoundPullRequest['pullRequest']>> {
  const { codeHost, owner, name } = address;
  const caller = await callerOn(codeHost, viewer, signal);
  const found = await codeHost.findPullRequest(owner, name, number, caller);
  const seen = found && { host: codeHost.id, ...found.repository };
  const removal = seen && (await findLearnedRemoval(database, seen, clock()));
  if (!found || removal?.isWhole)
    throw viewer ? await notShown(database, address, viewer, caller) : noRepository(address);
  const { repository, pullRequest } = found;
  if (!pullRequest || removal?.numbers.has(number))
    throw noPullRequest(repository.owner, repository.name, number);
  return { repository, ...pullRequest };
}

export function noPullRequest(owner: string, name: string, number: number): Failure {
  return new Failure(
    'PULL_REQUEST_NOT_FOUND',
    `There is no pull request ${owner}/${name}#${number}, or you may not see it. Check the number.`,
  );
}
