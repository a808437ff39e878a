import { isBotLogin, type MergedPullRequest } from '../../domain/watching.ts';
import type { HostRepository, MergedSince } from '../code-host.ts';
import { timeOf } from '../host-times.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { ghost } from '../texts.ts';
import { MergedPayload } from './payloads.ts';
import { mergedAt } from './read-merge-request.ts';
import { projectPathById } from './read-project.ts';

const pageSize = 50;

/** Far more than is merged while nobody asks. */
const mostPages = 200;

/** How many pages are looked at for those that were merged last. */
const mostPagesBefore = 3;

/** Its replicas may tell late of what another one knows already. */
const lateMs = 60_000;

interface Cursor {
  /** The last change that was told of; null where there was nothing yet. */
  until: string | null;
  /** The tag of the first page of what has changed since. */
  tag: string | null;
}

type Told = Omit<MergedSince, 'repository'>;

const listed = (repository: HostRepository, query: string): string =>
  `${projectPathById(repository)}/merge_requests?state=merged&order_by=updated_at&per_page=${pageSize}&${query}`;

/** What was merged since; `unchanged` where GitLab says that nothing was, and null where the caller is no longer shown it. */
export async function mergedSince(
  client: HostClient,
  repository: HostRepository,
  cursor: string | null,
  caller: HostCaller,
): Promise<Told | 'unchanged' | null> {
  const known: Cursor | null = cursor === null ? null : JSON.parse(cursor);
  if (!known) return beginToTell(client, repository, caller);
  const from = known.until === null ? null : new Date(timeOf(known.until).getTime() - lateMs);
  const found = new Map<number, MergedPayload>();
  let tag: string | null = null;
  let after = from?.toISOString() ?? null;
  for (let page = 1, read = 0; read < mostPages; read += 1) {
    const query = `sort=asc&page=${page}${after === null ? '' : `&updated_after=${encodeURIComponent(after)}`}`;
    const given = read === 0 ? known.tag : null;
    const told = await client.pageUnlessUnchanged(listed(repository, query), MergedPayload, caller, given);
    if (told === 'unchanged') return 'unchanged';
    if (!told) return null;
    if (read === 0) tag = told.tag;
    for (const item of told.items) found.set(item.iid, item);
    if (told.isLast) break;
    // What changes meanwhile moves to the end, and all behind it up: the next page begins with the last moment of this one.
    const last = told.items.at(-1)?.updated_at ?? null;
    page = last === after ? page + 1 : 1;
    after = last;
  }
  const items = [...found.values()];
  const until = items.reduce<string | null>(
    (latest, { updated_at: at }) => (latest === null || timeOf(at) > timeOf(latest) ? at : latest),
    known.until,
  );
  const next: Cursor = { until, tag: until === known.until ? tag : null };
  const merged = items.flatMap(mergedOf).filter((one) => from === null || one.mergedAt >= from);
  return { merged, cursor: JSON.stringify(next) };
}

async function beginToTell(
  client: HostClient,
  repository: HostRepository,
  caller: HostCaller,
): Promise<Told | null> {
  const newest = await client.pageUnlessUnchanged(
    listed(repository, 'sort=desc'),
    MergedPayload,
    caller,
    null,
  );
  if (!newest || newest === 'unchanged') return null;
  const next: Cursor = { until: newest.items[0]?.updated_at ?? null, tag: null };
  return { merged: [], cursor: JSON.stringify(next) };
}

/** What was changed last comes first, so that after it nothing was merged later than it was changed. */
export async function lastMerged(
  client: HostClient,
  repository: HostRepository,
  { most, isWanted }: { most: number; isWanted: (pullRequest: MergedPullRequest) => boolean },
  caller: HostCaller,
): Promise<MergedPullRequest[] | null> {
  const items: MergedPayload[] = [];
  const last = () =>
    items
      .flatMap(mergedOf)
      .filter(isWanted)
      .sort((one, other) => other.mergedAt.getTime() - one.mergedAt.getTime())
      .slice(0, most);
  for (let page = 1; page <= mostPagesBefore; page += 1) {
    const path = listed(repository, `sort=desc&page=${page}`);
    const told = await client.pageUnlessUnchanged(path, MergedPayload, caller, null);
    if (!told || told === 'unchanged') return null;
    items.push(...told.items);
    const oldest = last()[most - 1];
    const end = items.at(-1);
    if (told.isLast || (oldest && end && oldest.mergedAt >= timeOf(end.updated_at))) break;
  }
  return last();
}

/** Bots of projects and groups are called so by GitLab. */
const ownBot = /^(?:project|group)_\d+_bot/;

function mergedOf(item: MergedPayload): MergedPullRequest[] {
  const at = mergedAt(item);
  if (!at) return [];
  const authorLogin = item.author?.username ?? ghost;
  return [
    {
      number: item.iid,
      mergedAt: at,
      authorLogin,
      isBot: ownBot.test(authorLogin) || isBotLogin(authorLogin) || authorLogin.endsWith('-bot'),
      isDraft: item.draft ?? false,
      labels: item.labels,
    },
  ];
}
