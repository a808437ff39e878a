import type { HostPullRequestSummary, HostRepository, PullRequestPage } from '../../code-hosts/code-host.ts';
import { findTitlesOfArticles } from '../../db/articles.ts';
import type { Database } from '../../db/database.ts';
import { isStorageFull } from '../../db/failures.ts';
import { findLearnedRemoval } from '../../db/removals.ts';
import { saveSeenRepository } from '../../db/repositories.ts';
import {
  type Asker,
  type CallerOn,
  findOnHost,
  type RepositoryAddress,
} from '../repositories/find-on-host.ts';

interface ListParts {
  database: Database;
  callerOn: CallerOn;
  clock: () => Date;
}

export type ListedPullRequest = HostPullRequestSummary & {
  articleExists: boolean;
  /** What its article is called, by language. */
  articleTitles: Record<string, string>;
};

/** Reads some pull requests of a list. The total is null where the host does not tell it. */
export type ReadList = (
  page: PullRequestPage,
) => Promise<{ items: ListedPullRequest[]; total: number | null }>;

/** Pull requests of a repository as its host lists them now, whether they are stored here or not. */
export async function listPullRequests(
  parts: ListParts,
  address: RepositoryAddress,
  page: PullRequestPage,
  asker: Asker,
): ReturnType<ReadList> {
  const { read } = await openPullRequests(parts, address, asker);
  return read(page);
}

/** The pull requests of a repository that its host shows to the asker, to be read in as many pages as it takes. */
export async function openPullRequests(
  parts: ListParts,
  address: RepositoryAddress,
  asker: Asker,
): Promise<{ repository: HostRepository; read: ReadList }> {
  const { database, callerOn, clock } = parts;
  const askedAt = clock();
  const { codeHost } = address;
  const { user } = asker.viewer;
  const found = await findOnHost(parts, address, asker);
  const caller = await callerOn(codeHost, asker.viewer, asker.signal);
  const seen = { host: codeHost.id, ...found };
  const { numbers: without } = await findLearnedRemoval(database, seen, askedAt);
  let isGranted = !found.isPrivate;
  const read: ReadList = async (page) => {
    const listed = await codeHost.listPullRequests(found, { ...page, without }, caller);
    // Seeing a private repository in a list is a grant like any other; a public one needs nothing stored.
    if (!isGranted) await keepGrant(database, { seen, userId: user.id, askedAt });
    isGranted = true;
    const numbers = listed.items.map(({ number }) => number);
    const written = await findTitlesOfArticles(database, {
      ...seen,
      numbers,
      // The host has just shown it to this viewer.
      viewer: { userId: user.id, now: askedAt, purpose: 'renewal' },
    });
    const items = listed.items.map((item) => {
      const articleTitles = written.get(item.number);
      return { ...item, articleExists: articleTitles !== undefined, articleTitles: articleTitles ?? {} };
    });
    return { items, total: listed.total };
  };
  return { repository: found, read };
}

/** Listing is reading: where there is no room to keep the grant, articles show as far as an earlier one goes. */
export async function keepGrant(
  database: Database,
  granted: Parameters<typeof saveSeenRepository>[1],
): Promise<void> {
  try {
    await database.transaction((tx) => saveSeenRepository(tx, granted));
  } catch (error) {
    if (!isStorageFull(error)) throw error;
  }
}
