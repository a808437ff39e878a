import { isListedByHosts, type PullRequestFilter, passesFilter } from '../../domain/pull-requests.ts';
import type { ListedPullRequest, ReadList } from './list-pull-requests.ts';

/** Where a page begins in the list of the host, or where it ends. */
type PagePlace = { from: number } | { until: number };

export interface BrowsedPage {
  items: ListedPullRequest[];
  /** Where the page before this one ends; null for the first. */
  newer: number | null;
  /** Where the page after this one begins; null for the last. */
  older: number | null;
  /** How many pull requests there are in all; null where the host does not tell. */
  total: number | null;
}

const perPage = 20;

/** As many as hosts list at a time. */
const chunkSize = 100;

/** What is looked through for one page: a reader goes on from there. */
const mostRead = 500;

/**
 * A page of the pull requests that a reader wants to see. Hosts filter by state alone, so that their list is read on until
 * a page is full. Places are those of the host's list, which are the same whatever has been left out.
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

/** Hosts list merged ones among those that are closed. */
const listedAs = ({ state }: PullRequestFilter) => (state === 'merged' ? 'closed' : state);

async function readOn(read: ReadList, filter: PullRequestFilter, from: number): Promise<BrowsedPage> {
  const state = listedAs(filter);
  const items: ListedPullRequest[] = [];
  const newer = from > 0 ? from : null;
  let total: number | null = null;
  let offset = from;
  while (offset < from + mostRead) {
    // A chunk ends where one of the host does, so that it is read in one piece.
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

/** The page that ends before a place; null where that is not a full one, which is the first page then. */
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
