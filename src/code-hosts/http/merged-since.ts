import type { MergedPullRequest } from '../../domain/watching.ts';
import type { HostRepository, MergedSince } from '../code-host.ts';
import { timeOf } from '../host-times.ts';
import { AnswerTooLarge } from './host-failures.ts';

interface Page<Item> {
  items: Item[];
  isLast: boolean;
  /** Null where the host gives none. */
  tag: string | null;
}

/** How a host lists the closed pull requests of a repository, what has changed last first. */
export interface ClosedPullRequests<Item> {
  /** A page, counted from one; `unchanged` where it is what it was under a tag, null where the caller is not shown the repository. */
  page: (size: number, page: number, tag: string | null) => Promise<Page<Item> | 'unchanged' | null>;
  /** What is usually asked for; how much at a time where that is not enough; and where that is more than is read. */
  sizes: { usual: number; large: number; small: number };
  numberOf: (item: Item) => number;
  /** When it last changed, as the host writes it. */
  updatedAt: (item: Item) => string;
  /** Null where it was closed without being merged. */
  mergedOf: (item: Item) => MergedPullRequest | null;
  /** The repository that it says it is of; null where the caller is not to be shown that. */
  repositoryOf: (item: Item) => HostRepository | null;
}

/** Ten thousand closed pull requests that changed since the last look: more happen to none while one is away. */
const mostItems = 10_000;

/** How many are looked at for those that were merged last. */
const mostItemsBefore = 300;

/** Its replicas may tell late of what another one knows already. */
const lateMs = 60_000;

/** What moves up while pages are read can hide between two of them: it is read again until nothing new comes, mostly once. */
const mostPasses = 4;

interface Cursor {
  /** The last change that was told of; null where there was nothing yet. */
  until: string | null;
  /** The tag of the first page. */
  tag: string | null;
}

/** What was merged since the cursor, and another one; null where the caller is not shown the repository. */
export async function mergedSince<Item>(
  closed: ClosedPullRequests<Item>,
  cursor: string | null,
): Promise<MergedSince | null> {
  const known: Cursor | null = cursor === null ? null : JSON.parse(cursor);
  const first = await firstPage(closed, known?.tag ?? null);
  if (first === 'unchanged') return { repository: null, merged: [], cursor: cursor ?? '' };
  if (!first) return null;
  const from = known?.until ? timeOf(known.until).getTime() - lateMs : Number.NEGATIVE_INFINITY;
  const isEnough = (items: Item[]): boolean =>
    known === null || items.some((item) => timeOf(closed.updatedAt(item)).getTime() < from);
  const isOver = first.isLast || isEnough(first.items);
  const items = isOver
    ? first.items
    : await readOn(closed, { begin: first.items, isEnough, most: mostItems });
  const seen = items && seenIn(closed, items);
  if (!items || seen === 'hidden') return null;
  const [newest] = first.items;
  const next: Cursor = {
    until: newest === undefined ? (known?.until ?? null) : closed.updatedAt(newest),
    tag: first.tag,
  };
  const merged =
    known === null ? [] : mergedIn(closed, items).filter(({ mergedAt }) => mergedAt.getTime() >= from);
  return { repository: seen, merged, cursor: JSON.stringify(next) };
}

/** What was changed last comes first, so that after it nothing was merged later than it was changed. */
export async function lastMerged<Item>(
  closed: ClosedPullRequests<Item>,
  { most, isWanted }: { most: number; isWanted: (pullRequest: MergedPullRequest) => boolean },
): Promise<MergedPullRequest[] | null> {
  const last = (items: Item[]) =>
    mergedIn(closed, items)
      .filter(isWanted)
      .sort((one, other) => other.mergedAt.getTime() - one.mergedAt.getTime())
      .slice(0, most);
  const isEnough = (items: Item[]): boolean => {
    const oldest = last(items)[most - 1];
    const end = items.at(-1);
    return oldest !== undefined && end !== undefined && oldest.mergedAt >= timeOf(closed.updatedAt(end));
  };
  const first = await firstPage(closed, null);
  if (!first || first === 'unchanged') return null;
  const { items: begin, isLast } = first;
  const isOver = isLast || isEnough(begin);
  const items = isOver ? begin : await readOn(closed, { begin, isEnough, most: mostItemsBefore });
  if (!items || seenIn(closed, items) === 'hidden') return null;
  return last(items);
}

async function firstPage<Item>(
  { page, sizes }: ClosedPullRequests<Item>,
  tag: string | null,
): Promise<Page<Item> | 'unchanged' | null> {
  try {
    return await page(sizes.usual, 1, tag);
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
    return page(sizes.small, 1, tag);
  }
}

interface Reading<Item> {
  begin: Item[];
  isEnough: (items: Item[]) => boolean;
  most: number;
}

/** More than the first page has, from there on again, in larger pages. Null where the caller is no longer shown it. */
async function readOn<Item>(
  closed: ClosedPullRequests<Item>,
  { begin, isEnough, most }: Reading<Item>,
): Promise<Item[] | null> {
  const { sizes, numberOf, updatedAt } = closed;
  const found = new Map(begin.map((item) => [numberOf(item), item]));
  let size = sizes.large;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const before = found.size;
    let items: Item[] | null;
    try {
      items = await readPass(closed, { isEnough, most, size });
    } catch (error) {
      if (!(error instanceof AnswerTooLarge) || size === sizes.small) throw error;
      size = sizes.small;
      continue;
    }
    if (!items) return null;
    for (const item of items) found.set(numberOf(item), item);
    // One page is what it was at one moment.
    if (items.length <= size || (pass > 0 && found.size === before)) break;
  }
  const byChange = (item: Item): number => timeOf(updatedAt(item)).getTime();
  return [...found.values()].sort((one, other) => byChange(other) - byChange(one));
}

async function readPass<Item>(
  { page }: ClosedPullRequests<Item>,
  { isEnough, most, size }: Omit<Reading<Item>, 'begin'> & { size: number },
): Promise<Item[] | null> {
  const items: Item[] = [];
  for (let number = 1; items.length < most; number += 1) {
    const read = await page(size, number, null);
    if (!read || read === 'unchanged') return null;
    items.push(...read.items);
    if (read.isLast || read.items.length === 0 || isEnough(items)) break;
  }
  return items;
}

const mergedIn = <Item>({ mergedOf }: ClosedPullRequests<Item>, items: Item[]): MergedPullRequest[] =>
  items.flatMap((item) => mergedOf(item) ?? []);

/** Each tells of its repository; `hidden` where one may not be shown to the caller, null where there is none. */
function seenIn<Item>(
  { repositoryOf }: ClosedPullRequests<Item>,
  items: Item[],
): HostRepository | 'hidden' | null {
  const [first, ...others] = items.map(repositoryOf);
  if (first === undefined) return null;
  return first && others.every((other) => other !== null) ? first : 'hidden';
}
