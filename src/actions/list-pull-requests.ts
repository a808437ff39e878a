import type { HostPullRequestSummary, PullRequestPage } from '../code-hosts/code-host.ts';
import { findNumbersWithArticle } from '../db/articles.ts';
import type { Database } from '../db/database.ts';
import { isStorageFull } from '../db/failures.ts';
import { saveSeenRepository } from '../db/repositories.ts';
import { findOnHost, type RepositoryAddress } from './find-on-host.ts';
import type { SignedUpViewer } from './identify-bearer.ts';

interface Parts {
  database: Database;
  clock: () => Date;
}

/** Pull requests of a repository as its host lists them now, whether they are stored here or not. */
export async function listPullRequests(
  { database, clock }: Parts,
  address: RepositoryAddress,
  page: PullRequestPage,
  { identity, user }: SignedUpViewer,
  signal: AbortSignal,
): Promise<{ items: (HostPullRequestSummary & { articleExists: boolean })[]; total: number | null }> {
  const askedAt = clock();
  const found = await findOnHost(address, identity);
  const listed = await address.codeHost.listPullRequests(found, page, signal);
  const seen = { host: address.codeHost.id, ...found };
  // Seeing a private repository in a list is a grant like any other; a public one needs nothing stored.
  if (found.isPrivate) await keepGrant(database, { seen, userId: user.id, askedAt });
  const numbers = listed.items.map(({ number }) => number);
  const written = await findNumbersWithArticle(database, {
    ...seen,
    numbers,
    viewer: { userId: user.id, now: askedAt, purpose: 'list' },
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
