import type { MergedPullRequest } from '../../domain/pull-requests.ts';
import type {
  HostPullRequestList,
  HostPullRequestSummary,
  HostRepository,
  MergedSince,
  PullRequestPage,
} from '../code-host.ts';
import { timeOf } from '../payload-types.ts';
import { ResponseTooLarge } from './host-api.ts';

export const smallPage = 10;

interface PagedList<Item> {
  mostAtOnce: number;
  mayBeShorter?: boolean;
  readPage: (size: number, page: number) => Promise<{ items: Item[]; isLast: boolean; total: number | null }>;
  /**
   * Whether the item belongs to this repository and is visible to the caller. It may have become private, or its name
   * may belong to another repository now.
   */
  isShown: (item: Item) => boolean;
  summaryOf: (item: Item) => HostPullRequestSummary;
}

export async function listPage<Item>(
  list: PagedList<Item>,
  page: PullRequestPage,
): Promise<HostPullRequestList> {
  const { mostAtOnce } = list;
  const isOnePage = page.limit <= mostAtOnce && page.offset % page.limit === 0 && !page.without?.size;
  const read = async (size: number): Promise<HostPullRequestList> => {
    const { shorter, ...listed } = await readPages(list, page, size);
    return shorter === null ? listed : read(shorter);
  };
  try {
    return await read(isOnePage ? page.limit : mostAtOnce);
  } catch (error) {
    if (!(error instanceof ResponseTooLarge)) throw error;
    return read(smallPage);
  }
}

/** `shorter` is the page size of the host if it returns fewer items than requested, which changes where pages begin. */
async function readPages<Item>(
  { mayBeShorter, readPage, isShown, summaryOf }: PagedList<Item>,
  { limit, offset, without }: PullRequestPage,
  size: number,
): Promise<HostPullRequestList & { shorter: number | null }> {
  // The number of items to leave out before the page is known only after reading them.
  const isFiltered = Boolean(without?.size);
  const first = isFiltered ? 0 : Math.floor(offset / size);
  const from = offset - first * size;
  const listed: HostPullRequestSummary[] = [];
  let total: number | null = null;
  for (let page = first + 1; listed.length < from + limit; page += 1) {
    const read = await readPage(size, page);
    const { items, isLast } = read;
    if (mayBeShorter && !isLast && items.length > 0 && items.length < size)
      return { items: [], total: null, shorter: items.length };
    if (!items.every(isShown)) return { items: [], total: null, shorter: null };
    if (!isFiltered) total = read.total;
    listed.push(...items.map(summaryOf).filter(({ number }) => !without?.has(number)));
    if (isLast || items.length === 0) break;
  }
  return { items: listed.slice(from, from + limit), total, shorter: null };
}

const mostPages = 100;
const mostPagesOfLastMerged = 3;

/** Replicas of a host may show a merge late. */
const lateMs = 60_000;

/**
 * Items move up while pages are read and may be missed between two of them. Pages are read again until nothing new
 * appears.
 */
const mostPasses = 4;

interface Cursor {
  until: string | null;
  tag: string | null;
}

interface Page<Item> {
  items: Item[];
  isLast: boolean;
  tag: string | null;
}

export interface ChangedList<Item> {
  sizes: { usual: number; large: number; small: number };
  readPage: (size: number, page: number, tag: string | null) => Promise<Page<Item> | 'unchanged' | null>;
  changedAt: (item: Item) => string;
  numberOf: (item: Item) => number;
  mergedOf: (item: Item) => MergedPullRequest | null;
  /** The repository of an item; `hidden` if the caller may not see it. Absent if items do not name their repository. */
  repositoryOf?: (item: Item) => HostRepository | 'hidden';
}

export async function mergedSince<Item>(
  list: ChangedList<Item>,
  cursor: string | null,
): Promise<MergedSince | null> {
  const known: Cursor | null = cursor === null ? null : JSON.parse(cursor);
  const first = await firstPage(list, known?.tag ?? null);
  if (first === 'unchanged') return { repository: null, merged: [], cursor: cursor ?? '' };
  if (!first) return null;
  const from = known?.until ? timeOf(known.until).getTime() - lateMs : Number.NEGATIVE_INFINITY;
  const isEnough = (items: Item[]): boolean =>
    known === null || items.some((item) => changeTimeOf(list, item) < from);
  const items = await readFurther(list, first, { isEnough, most: mostPages });
  const repository = items && repositoryIn(list, items);
  if (!items || repository === 'hidden') return null;
  const [newest] = first.items;
  const next: Cursor = {
    until: newest === undefined ? (known?.until ?? null) : list.changedAt(newest),
    tag: first.tag,
  };
  const merged =
    known === null ? [] : mergedIn(list, items).filter(({ mergedAt }) => mergedAt.getTime() >= from);
  return { repository, merged, cursor: JSON.stringify(next) };
}

/**
 * The pull requests that were merged last. Pages are sorted by change, so reading ends once no later page can have a
 * later merge.
 */
export async function lastMerged<Item>(
  list: ChangedList<Item>,
  { most, isWanted }: { most: number; isWanted: (pullRequest: MergedPullRequest) => boolean },
): Promise<MergedPullRequest[] | null> {
  const last = (items: Item[]) =>
    mergedIn(list, items)
      .filter(isWanted)
      .sort((one, other) => other.mergedAt.getTime() - one.mergedAt.getTime())
      .slice(0, most);
  const isEnough = (items: Item[]): boolean => {
    const oldest = last(items)[most - 1];
    const end = items.at(-1);
    return oldest !== undefined && end !== undefined && oldest.mergedAt.getTime() >= changeTimeOf(list, end);
  };
  const first = await firstPage(list, null);
  if (!first || first === 'unchanged') return null;
  const items = await readFurther(list, first, { isEnough, most: mostPagesOfLastMerged });
  return !items || repositoryIn(list, items) === 'hidden' ? null : last(items);
}

const changeTimeOf = <Item>({ changedAt }: ChangedList<Item>, item: Item): number =>
  timeOf(changedAt(item)).getTime();

const mergedIn = <Item>({ mergedOf }: ChangedList<Item>, items: Item[]): MergedPullRequest[] =>
  items.flatMap((item) => mergedOf(item) ?? []);

async function firstPage<Item>(
  { sizes, readPage }: ChangedList<Item>,
  tag: string | null,
): Promise<Page<Item> | 'unchanged' | null> {
  try {
    return await readPage(sizes.usual, 1, tag);
  } catch (error) {
    if (!(error instanceof ResponseTooLarge)) throw error;
    return readPage(sizes.small, 1, tag);
  }
}

interface Wanted<Item> {
  isEnough: (items: Item[]) => boolean;
  most: number;
}

/**
 * The items of the first page, or of larger pages from the start if those are not enough. Null if the caller may no
 * longer see them.
 */
async function readFurther<Item>(
  list: ChangedList<Item>,
  first: Page<Item>,
  wanted: Wanted<Item>,
): Promise<Item[] | null> {
  if (first.isLast || wanted.isEnough(first.items)) return first.items;
  const found = new Map(first.items.map((item) => [list.numberOf(item), item]));
  let size = list.sizes.large;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const before = found.size;
    let items: Item[] | null;
    try {
      items = await readListPass(list, wanted, size);
    } catch (error) {
      if (!(error instanceof ResponseTooLarge) || size === list.sizes.small) throw error;
      size = list.sizes.small;
      continue;
    }
    if (!items) return null;
    for (const item of items) found.set(list.numberOf(item), item);
    if (items.length <= size || (pass > 0 && found.size === before)) break;
  }
  return [...found.values()].sort((one, other) => changeTimeOf(list, other) - changeTimeOf(list, one));
}

async function readListPass<Item>(
  { readPage }: ChangedList<Item>,
  { isEnough, most }: Wanted<Item>,
  size: number,
): Promise<Item[] | null> {
  const items: Item[] = [];
  for (let page = 1; page <= most; page += 1) {
    const read = await readPage(size, page, null);
    if (!read || read === 'unchanged') return null;
    items.push(...read.items);
    if (read.isLast || isEnough(items)) break;
  }
  return items;
}

/** `hidden` if the caller may not see the repository of an item; null if items do not name it. */
function repositoryIn<Item>(
  { repositoryOf }: ChangedList<Item>,
  items: Item[],
): HostRepository | 'hidden' | null {
  const repositories = repositoryOf ? items.map(repositoryOf) : [];
  return repositories.includes('hidden') ? 'hidden' : (repositories[0] ?? null);
}
