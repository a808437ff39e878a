import { isBotLogin, type MergedPullRequest } from '../../domain/watching.ts';
import type { HostRepository, MergedSince } from '../code-host.ts';
import { timeOf } from '../host-times.ts';
import type { HostCaller } from '../http/host-api.ts';
import { AnswerTooLarge } from '../http/host-failures.ts';
import { ghost } from './discussion.ts';
import type { GitHubClient } from './github-client.ts';
import { MergedPullRequestPayload } from './payloads.ts';
import { ifVisibleTo, repositoryOf } from './read-repository.ts';

/** What is usually asked for; how much at a time where that is not enough; and where that is more than is read. */
const usualSize = 30;
const largeSize = 100;
const smallSize = 10;

/** Ten thousand closed pull requests that changed since the last look: more happen to none while one is away. */
const mostPages = 100;

/** How many pages are looked at for those that were merged last. */
const mostPagesBefore = 3;

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

interface Read {
  items: MergedPullRequestPayload[];
  /** Of the first page, of the usual size. */
  tag: string | null;
}

/** What is asked by its id is found whatever it is called now. */
const pathOf = ({ hostRepoId }: HostRepository, size: number, page: number): string =>
  `/repositories/${hostRepoId}/pulls?state=closed&sort=updated&direction=desc&per_page=${size}&page=${page}`;

export async function mergedSince(
  client: GitHubClient,
  repository: HostRepository,
  cursor: string | null,
  caller: HostCaller,
): Promise<MergedSince | null> {
  const known: Cursor | null = cursor === null ? null : JSON.parse(cursor);
  const first = await firstPage(client, repository, caller, known?.tag ?? null);
  if (first === 'unchanged') return { repository: null, merged: [], cursor: cursor ?? '' };
  if (!first) return null;
  const from = known?.until ? timeOf(known.until).getTime() - lateMs : Number.NEGATIVE_INFINITY;
  const isEnough = (items: MergedPullRequestPayload[]): boolean =>
    known === null || items.some(({ updated_at }) => timeOf(updated_at).getTime() < from);
  const items =
    first.isLast || isEnough(first.items)
      ? first.items
      : await readOn(client, repository, caller, { begin: first.items, isEnough });
  if (!items) return null;
  const seen = seenIn(items, caller);
  if (seen === 'hidden') return null;
  const [newest] = first.items;
  const next: Cursor = { until: newest?.updated_at ?? known?.until ?? null, tag: first.tag };
  const merged =
    known === null ? [] : items.flatMap(mergedOf).filter(({ mergedAt }) => mergedAt.getTime() >= from);
  return { repository: seen, merged, cursor: JSON.stringify(next) };
}

/** What was changed last comes first, so that after it nothing was merged later than it was changed. */
export async function lastMerged(
  client: GitHubClient,
  repository: HostRepository,
  { most, isWanted }: { most: number; isWanted: (pullRequest: MergedPullRequest) => boolean },
  caller: HostCaller,
): Promise<MergedPullRequest[] | null> {
  const last = (items: MergedPullRequestPayload[]) =>
    items
      .flatMap(mergedOf)
      .filter(isWanted)
      .sort((one, other) => other.mergedAt.getTime() - one.mergedAt.getTime())
      .slice(0, most);
  const isEnough = (items: MergedPullRequestPayload[]): boolean => {
    const oldest = last(items)[most - 1];
    const end = items.at(-1);
    return oldest !== undefined && end !== undefined && oldest.mergedAt >= timeOf(end.updated_at);
  };
  const first = await firstPage(client, repository, caller, null);
  if (!first || first === 'unchanged') return null;
  const { items: begin, isLast } = first;
  const isOver = isLast || isEnough(begin);
  const pages = { begin, isEnough, most: mostPagesBefore };
  const items = isOver ? begin : await readOn(client, repository, caller, pages);
  if (!items || seenIn(items, caller) === 'hidden') return null;
  return last(items);
}

async function firstPage(
  client: GitHubClient,
  repository: HostRepository,
  caller: HostCaller,
  tag: string | null,
): Promise<(Read & { isLast: boolean }) | 'unchanged' | null> {
  const read = (size: number) =>
    client.pageUnlessUnchanged(pathOf(repository, size, 1), MergedPullRequestPayload, caller, tag);
  try {
    return await read(usualSize);
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
    return read(smallSize);
  }
}

interface Pages {
  begin: MergedPullRequestPayload[];
  isEnough: (items: MergedPullRequestPayload[]) => boolean;
  most?: number;
}

/** More than the first page has, from there on again, in larger pages. Null where the caller is no longer shown it. */
async function readOn(
  client: GitHubClient,
  repository: HostRepository,
  caller: HostCaller,
  { begin, isEnough, most = mostPages }: Pages,
): Promise<MergedPullRequestPayload[] | null> {
  const found = new Map(begin.map((item) => [item.number, item]));
  let size = largeSize;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const before = found.size;
    let items: MergedPullRequestPayload[] | null;
    try {
      items = await readPass(client, repository, caller, { isEnough, most, size });
    } catch (error) {
      if (!(error instanceof AnswerTooLarge) || size === smallSize) throw error;
      size = smallSize;
      continue;
    }
    if (!items) return null;
    for (const item of items) found.set(item.number, item);
    // One page is what it was at one moment.
    if (items.length <= size || (pass > 0 && found.size === before)) break;
  }
  const byChange = (item: MergedPullRequestPayload): number => timeOf(item.updated_at).getTime();
  return [...found.values()].sort((one, other) => byChange(other) - byChange(one));
}

async function readPass(
  client: GitHubClient,
  repository: HostRepository,
  caller: HostCaller,
  { isEnough, most, size }: { isEnough: Pages['isEnough']; most: number; size: number },
): Promise<MergedPullRequestPayload[] | null> {
  const items: MergedPullRequestPayload[] = [];
  for (let page = 1; page <= most; page += 1) {
    const path = pathOf(repository, size, page);
    const read = await client.pageUnlessUnchanged(path, MergedPullRequestPayload, caller, null);
    if (!read || read === 'unchanged') return null;
    items.push(...read.items);
    if (read.isLast || isEnough(items)) break;
  }
  return items;
}

/** Each tells of its repository; `hidden` where one may not be shown to the caller, null where there is none. */
function seenIn(items: MergedPullRequestPayload[], caller: HostCaller): HostRepository | 'hidden' | null {
  const [first, ...others] = items.map(({ base }) => ifVisibleTo(caller, repositoryOf(base.repo)));
  if (first === undefined) return null;
  return first && others.every((other) => other !== null) ? first : 'hidden';
}

function mergedOf(item: MergedPullRequestPayload): MergedPullRequest[] {
  const { number, user, labels, draft = false, merged_at } = item;
  if (merged_at === null) return [];
  const authorLogin = user?.login ?? ghost;
  return [
    {
      number,
      mergedAt: timeOf(merged_at),
      authorLogin,
      isBot: user?.type === 'Bot' || isBotLogin(authorLogin),
      isDraft: draft,
      labels: labels.flatMap(({ name }) => name ?? []),
    },
  ];
}
