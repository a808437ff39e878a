import type { HostRepository, PullRequestGlance } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import type { Asker, CallerOn } from '../repositories/find-on-host.ts';
import { findPullRequestOnHost } from './find-pull-request-on-host.ts';
import type { PullRequestAddress } from './find-visible-pull-request.ts';

interface Parts {
  database: Database;
  callerOn: CallerOn;
  clock: () => Date;
}

/** What its host says of a pull request now, of which nothing needs to be stored and nothing is. */
export async function glanceAtPullRequest(
  parts: Parts,
  { number, ...address }: PullRequestAddress,
  asker: Asker,
): Promise<PullRequestGlance & Pick<HostRepository, 'owner' | 'name'>> {
  const { repository, glance } = await findPullRequestOnHost(parts, address, number, asker);
  const { owner, name } = repository;
  return { ...(await glance()), owner, name };
}
