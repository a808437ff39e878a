import type { HostPullRequestSummary, PullRequestPage } from '../../code-hosts/code-host.ts';
import { findNumbersWithArticle } from '../../db/articles.ts';
import type { Database } from '../../db/database.ts';
import { isStorageFull } from '../../db/failures.ts';
import { findLearnedRemoval } from '../../db/learn-removals.ts';
import { saveSeenRepository } from '../../db/repositories.ts';
import type { CallerOn } from '../repositories/call-host.ts';
import { type Asker, findOnHost, type RepositoryAddress } from '../repositories/find-on-host.ts';

interface Parts {
  database: Database;
  callerOn: CallerOn;
  clock: () => Date;
}

/** Pull requests of a repository as its host lists them now, whether they are stored here or not. */
export async function listPullRequests(
  parts: Parts,
  address: RepositoryAddress,
  page: PullRequestPage,
  asker: Asker,
): Promise<{ items: (HostPullRequestSummary & { articleExists: boolean })[]; total: number | null }> {
  const { database, callerOn, clock } = parts;
  const askedAt = clock();
  const { codeHost } = address;
  const { user } = asker.viewer;
  const found = await findOnHost(parts, address, asker);
  const caller = await callerOn(codeHost, asker.viewer, asker.signal);
  const seen = { host: codeHost.id, ...found };
  const { numbers: without } = await findLearnedRemoval(database, seen, askedAt);
  const listed = await codeHost.listPullRequests(found, { ...page, without }, caller);
  // Seeing a private repository in a list is a grant like any other; a public one needs nothing stored.
  if (found.isPrivate) await keepGrant(database, { seen, userId: user.id, askedAt });
  const numbers = listed.items.map(({ number }) => number);
  const written = await findNumbersWithArticle(database, {
    ...seen,
    numbers,
    // The host has just shown it to this viewer.
    viewer: { userId: user.id, now: askedAt, purpose: 'renewal' },
  });
  const items = listed.items.map((item) => ({ ...item, articleExists: written.has(item.number) }));
  return { items, total: listed.total };
}

/** Listing is reading: where there is no room to keep the grant, articles show as far as an earlier one goes. */
async function keepGrant(
  database: Database,
  granted: Parameters<typeof saveSeenRepository>[1],
): Promise<void> {
  try {
    await database.transaction((tx) => saveSeenRepository(tx, granted));
  } catch (error) {
    if (!isStorageFull(error)) throw error;
  }
}
