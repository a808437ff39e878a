import type { HostPullRequestSummary, HostRepository, PullRequestPage } from '../../code-hosts/code-host.ts';
import { findTitlesOfArticles } from '../../db/articles.ts';
import type { Database } from '../../db/database.ts';
import { isUnstorable } from '../../db/failures.ts';
import { findLearnedRemoval } from '../../db/removals.ts';
import { saveSeenRepository } from '../../db/repositories.ts';
import { isListedByHosts, type PullRequestFilter, passesFilter } from '../../domain/pull-requests.ts';
import type { Deps } from '../deps.ts';
import { type Asker, findOnHost, type RepositoryAddress } from '../repositories/find-repository.ts';

export type ListedPullRequest = HostPullRequestSummary & {
  articleExists: boolean;
  articleTitles: Record<string, string>;
};

export type ReadList = (
  page: PullRequestPage,
) => Promise<{ items: ListedPullRequest[]; total: number | null }>;

export async function listPullRequests(
  deps: Pick<Deps, 'database' | 'callerOn' | 'clock'>,
  address: RepositoryAddress,
  page: PullRequestPage,
  asker: Asker,
): ReturnType<ReadList> {
  const { read } = await openPullRequests(deps, address, asker);
  return read(page);
}

export async function openPullRequests(
  deps: Pick<Deps, 'database' | 'callerOn' | 'clock'>,
  address: RepositoryAddress,
  asker: Asker,
): Promise<{ repository: HostRepository; read: ReadList }> {
  const { database, callerOn, clock } = deps;
  const askedAt = clock();
  const { codeHost } = address;
  const { user } = asker.viewer;
  const found = await findOnHost(deps, address, asker);
  const caller = await callerOn(codeHost, asker.viewer, asker.signal);
  const seen = { host: codeHost.id, ...found };
  const { numbers: without } = await findLearnedRemoval(database, seen, askedAt);
  let isGranted = !found.isPrivate;
  const read: ReadList = async (page) => {
    const listed = await codeHost.listPullRequests(found, { ...page, without }, caller);
    // A private repository in a list gives the viewer a grant; a public one needs none.
    if (!isGranted) await keepGrant(database, { seen, userId: user.id, askedAt });
    isGranted = true;
    const numbers = listed.items.map(({ number }) => number);
    const written = await findTitlesOfArticles(database, {
      ...seen,
      numbers,
      // The host has just shown the repository to this viewer.
      viewer: { userId: user.id, now: askedAt, purpose: 'beforeAskingHost' },
    });
    const items = listed.items.map((item) => {
      const articleTitles = written.get(item.number);
      return { ...item, articleExists: articleTitles !== undefined, articleTitles: articleTitles ?? {} };
    });
    return { items, total: listed.total };
  };
  return { repository: found, read };
}

/** A full disk only keeps the grant from being stored; then an earlier grant decides which articles are shown. */
export async function keepGrant(
  database: Database,
  granted: Parameters<typeof saveSeenRepository>[1],
): Promise<void> {
  try {
    await database.transaction((tx) => saveSeenRepository(tx, granted));
  } catch (error) {
    if (!isUnstorable(error)) throw error;
  }
}

type PagePlace = { from: number } | { until: number };

export interface BrowsedPage {
  items: ListedPullRequest[];
  newer: number | null;
  older: number | null;
  total: number | null;
}

const perPage = 20;

const chunkSize = 100;

/** At most this many pull requests are read for one page; the reader continues from there. */
const mostRead = 500;

/**
 * A page of pull requests that match a filter. Hosts filter only by state, so their list is read until the page is
 * full. Offsets are those of the host's list, so that they do not depend on the filter.
 */
export async function browsePullRequests(
  read: ReadList,
  filter: PullRequestFilter,
  place: PagePlace,
): Promise<BrowsedPage> {
  const page = 'until' in place ? await readBack(read, filter, place.until) : null;
  const shown = page ?? (await readOn(read, filter, 'from' in place ? place.from : 0));
  const isOfAll = filter.state === 'all' || shown.total === null;
  if (isOfAll) return shown;
  const { total } = await read({ state: 'all', limit: 1, offset: 0 });
  return { ...shown, total };
}

/** Hosts list merged pull requests among the closed ones. */
const listedAs = ({ state }: PullRequestFilter) => (state === 'merged' ? 'closed' : state);

async function readOn(read: ReadList, filter: PullRequestFilter, from: number): Promise<BrowsedPage> {
  const state = listedAs(filter);
  const items: ListedPullRequest[] = [];
  const newer = from > 0 ? from : null;
  let total: number | null = null;
  let offset = from;
  while (offset < from + mostRead) {
    // Our pages end where pages of the host do, so that each needs one call.
    const limit = isListedByHosts(filter) ? perPage : chunkSize - (offset % chunkSize);
    const listed = await read({ state, limit, offset });
    total = listed.total;
    for (const [index, item] of listed.items.entries()) {
      if (passesFilter(filter, item)) items.push(item);
      const isFull = items.length === perPage && index < listed.items.length - 1;
      if (isFull) return { items, newer, older: offset + index + 1, total };
    }
    offset += limit;
    const isLast = total === null ? listed.items.length < limit : offset >= total;
    if (isLast) return { items, newer, older: null, total };
    if (items.length === perPage) break;
  }
  return { items, newer, older: offset, total };
}

async function readBack(
  read: ReadList,
  filter: PullRequestFilter,
  until: number,
): Promise<BrowsedPage | null> {
  const state = listedAs(filter);
  let items: ListedPullRequest[] = [];
  let end = until;
  while (end > 0) {
    const wanted = isListedByHosts(filter) ? perPage : chunkSize;
    const offset = until - end + wanted > mostRead ? end : Math.max(0, end - wanted);
    if (offset === end) return { items, newer: end, older: until, total: null };
    const listed = await read({ state, limit: end - offset, offset });
    for (let index = listed.items.length - 1; index >= 0; index -= 1) {
      const item = listed.items[index];
      if (item && passesFilter(filter, item)) items = [item, ...items];
      const start = offset + index;
      if (items.length === perPage && start > 0)
        return { items, newer: start, older: until, total: listed.total };
    }
    end = offset;
  }
  return null;
}
