import type { MergedPullRequest } from '../../domain/watching.ts';
import type { HostRepository, MergedSince } from '../code-host.ts';
import { timeOf } from '../payload-types.ts';
import { AnswerTooLarge } from './host-api.ts';

/** How many pages are asked for while a repository was away: more than change in any meanwhile. */
const mostPages = 100;

/** How many pages are looked at for those that were merged last. */
const mostPagesBefore = 3;

/** Replicas of a host may tell late of what another one knows already. */
const lateMs = 60_000;

/** What moves up while pages are read can hide between two of them: it is read again until nothing new comes, mostly once. */
const mostPasses = 4;

interface Cursor {
  /** The last change that was told of; null where there was nothing yet. */
  until: string | null;
  /** The tag of the first page. */
  tag: string | null;
}

interface Page<Item> {
  items: Item[];
  isLast: boolean;
  tag: string | null;
}

/** The closed pull requests of a repository as a host lists them for a caller, those that changed last first. */
export interface ChangedList<Item> {
  /** What is usually asked for; how much at a time where that is not enough; and where that is more than is read. */
  sizes: { usual: number; large: number; small: number };
  /** As `pageUnlessUnchanged` of a client answers. */
  readPage: (size: number, page: number, tag: string | null) => Promise<Page<Item> | 'unchanged' | null>;
  /** When one last changed, as the host writes it. */
  changedAt: (item: Item) => string;
  numberOf: (item: Item) => number;
  /** Null for one that was not merged. */
  mergedOf: (item: Item) => MergedPullRequest | null;
  /** The repository that one tells of; `hidden` where the caller may not be shown it, null where it tells of none. */
  repositoryOf: (item: Item) => HostRepository | 'hidden' | null;
}

/** What was merged since a cursor, as every host has to tell it. */
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
    known === null || items.some((item) => changeOf(list, item) < from);
  const items =
    first.isLast || isEnough(first.items)
      ? first.items
      : await readOn(list, { begin: first.items, isEnough, most: mostPages });
  const seen = items && seenIn(list, items);
  if (!items || seen === 'hidden') return null;
  const [newest] = first.items;
  const next: Cursor = {
    until: newest === undefined ? (known?.until ?? null) : list.changedAt(newest),
    tag: first.tag,
  };
  const merged =
    known === null ? [] : mergedIn(list, items).filter(({ mergedAt }) => mergedAt.getTime() >= from);
  return { repository: seen, merged, cursor: JSON.stringify(next) };
}

/** What was changed last comes first, so that after it nothing was merged later than it was changed. */
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
    return oldest !== undefined && end !== undefined && oldest.mergedAt.getTime() >= changeOf(list, end);
  };
  const first = await firstPage(list, null);
  if (!first || first === 'unchanged') return null;
  const { items: begin, isLast } = first;
  const isOver = isLast || isEnough(begin);
  const items = isOver ? begin : await readOn(list, { begin, isEnough, most: mostPagesBefore });
  if (!items || seenIn(list, items) === 'hidden') return null;
  return last(items);
}

const changeOf = <Item>({ changedAt }: ChangedList<Item>, item: Item): number =>
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
    if (!(error instanceof AnswerTooLarge)) throw error;
    return readPage(sizes.small, 1, tag);
  }
}

interface Pages<Item> {
  begin: Item[];
  isEnough: (items: Item[]) => boolean;
  most: number;
}

/** More than the first page has, from there on again, in larger pages. Null where the caller is no longer shown it. */
async function readOn<Item>(
  list: ChangedList<Item>,
  { begin, isEnough, most }: Pages<Item>,
): Promise<Item[] | null> {
  const found = new Map(begin.map((item) => [list.numberOf(item), item]));
  let size = list.sizes.large;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const before = found.size;
    let items: Item[] | null;
    try {
      items = await readPass(list, { isEnough, most, size });
    } catch (error) {
      if (!(error instanceof AnswerTooLarge) || size === list.sizes.small) throw error;
      size = list.sizes.small;
      continue;
    }
    if (!items) return null;
    for (const item of items) found.set(list.numberOf(item), item);
    // One page is what it was at one moment.
    if (items.length <= size || (pass > 0 && found.size === before)) break;
  }
  return [...found.values()].sort((one, other) => changeOf(list, other) - changeOf(list, one));
}

async function readPass<Item>(
  { readPage }: ChangedList<Item>,
  { isEnough, most, size }: { isEnough: Pages<Item>['isEnough']; most: number; size: number },
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

/** Each may tell of its repository; `hidden` where one may not be shown to the caller, null where there is none. */
function seenIn<Item>({ repositoryOf }: ChangedList<Item>, items: Item[]): HostRepository | 'hidden' | null {
  const told = items.map(repositoryOf);
  return told.includes('hidden') ? 'hidden' : (told[0] ?? null);
}
