import type { WebhookEvent } from '../../code-hosts/code-host.ts';
import type { Queries } from '../../db/database.ts';
import { isDatabaseAway } from '../../db/failures.ts';
import { deletePullRequests } from '../../db/removals.ts';
import { knowsAnyRepository, type RevokedRights, revokeRights } from '../../db/rights.ts';
import {
  findKnownPullRequests,
  findPullRequestsQuoting,
  insertDeliveries,
  type KnownPullRequest,
  makePollDue,
  noteWebhooksReceived,
  outdatePullRequests,
  replanPolls,
} from '../../db/webhooks.ts';
import { batchReads, currentClient } from '../../domain/concurrency.ts';
import type { Deps } from '../deps.ts';

interface Delivered {
  host: string;
  deliveryId: string;
  news: WebhookEvent;
}

export type Taken = 'taken' | 'repeated' | 'nothing';

interface KnownDelivery extends Delivered {
  known: KnownPullRequest | null;
}

/** Deliveries get a response within a second, and at the end of the longest queue within the ten seconds of GitHub. */
const gathering = { mostTogether: 256, mostWaiting: 5_000, burst: 60, everyMs: 500 };

/**
 * Applies signed deliveries. Concurrent ones share a transaction, so that a storm of them costs few. A delivery is
 * stored in the same transaction as its effects. Deliveries about unknown repositories store nothing.
 */
export function takeDeliveries(
  deps: Pick<Deps, 'database' | 'clock'>,
): (delivered: Delivered) => Promise<Taken> {
  const take = batchReads((delivered: Delivered[]) => takeOrRetry(deps, delivered), gathering);
  return async (delivered) => {
    if (Object.keys(delivered.news).length === 0) return 'nothing';
    // A host delivers from one address, so its other deliveries may begin and be gathered.
    currentClient().letNextBegin();
    const settled = await take(delivered);
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value;
  };
}

/** If a batch fails, its deliveries are retried one by one, so that a bad one does not affect the others. */
async function takeOrRetry(
  deps: Pick<Deps, 'database' | 'clock'>,
  delivered: Delivered[],
): Promise<PromiseSettledResult<Taken>[]> {
  try {
    return await Promise.allSettled(await takeBatch(deps, delivered));
  } catch (error) {
    // A single connection may be lost while the database works; later deliveries will show.
    if (isDatabaseAway(error)) return delivered.map(() => ({ status: 'rejected', reason: error }));
    const settled: PromiseSettledResult<Taken>[] = [];
    for (const one of delivered) {
      const alone = takeBatch(deps, [one]).then(([taken = 'nothing']) => taken);
      settled.push(...(await Promise.allSettled([alone])));
    }
    return settled;
  }
}

async function takeBatch(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  delivered: Delivered[],
): Promise<Taken[]> {
  const heard = await lookUp(database, delivered, clock());
  const matters = await Promise.all(heard.map((one) => isRelevant(database, one)));
  const taken = await takeTogether(
    { database, clock },
    heard.filter((_, index) => matters[index]),
  );
  return heard.map((one) => taken.get(one) ?? 'nothing');
}

async function lookUp(db: Queries, delivered: Delivered[], now: Date): Promise<KnownDelivery[]> {
  const about = delivered.flatMap(({ host, news }) =>
    news.pullRequest ? [{ host, ...news.pullRequest }] : [],
  );
  const found = about.length > 0 ? await findKnownPullRequests(db, about, now) : [];
  const due = found.flatMap((one) => (one?.isWebhookDue ? [one.repositoryId] : []));
  if (due.length > 0) await noteWebhooksReceived(db, due, now);
  return delivered.map((one) => ({ ...one, known: (one.news.pullRequest && found.shift()) ?? null }));
}

async function isRelevant(db: Queries, { host, news, known }: KnownDelivery): Promise<boolean> {
  const { pullRequest, hiddenIssue, revoked } = news;
  if (hiddenIssue) return (await findPullRequestsQuoting(db, { host, ...hiddenIssue })).length > 0;
  if (revoked?.hostUserId !== undefined) return true;
  if (revoked) return knowsAnyRepository(db, { host, hostRepoIds: [], owners: [], groups: [], ...revoked });
  if (!known || !pullRequest || pullRequest.change === 'other') return false;
  return known.isStored || needsPoll({ news, known });
}

const needsPoll = ({ news, known }: Pick<KnownDelivery, 'news' | 'known'>): boolean =>
  known?.isWatched === true && news.pullRequest?.change === 'merged';

async function takeTogether(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  heard: KnownDelivery[],
): Promise<Map<KnownDelivery, Taken>> {
  if (heard.length === 0) return new Map();
  return database.transaction(async (tx) => {
    const now = clock();
    const about = (one: KnownDelivery) => one.news.pullRequest ?? null;
    const inserted = await insertDeliveries(
      tx,
      heard.map((one) => ({ ...one, about: about(one) })),
      now,
    );
    const isNew = ({ host, deliveryId }: KnownDelivery) => inserted.delete(`${host} ${deliveryId}`);
    const taken = new Map<KnownDelivery, Taken>(heard.map((one) => [one, isNew(one) ? 'taken' : 'repeated']));
    const fresh = heard.filter((one) => taken.get(one) === 'taken');
    await revoke(tx, fresh, now);
    await forgetHidden(tx, fresh, now);
    await hear(tx, fresh, now);
    return taken;
  });
}

function revoke(tx: Queries, heard: KnownDelivery[], now: Date): Promise<void> {
  const rights: RevokedRights = { repositories: [], users: [], now };
  for (const { host, news } of heard) {
    if (!news.revoked) continue;
    const { hostRepoIds = [], owners = [], groups = [], hostUserId } = news.revoked;
    if (hostUserId === undefined) rights.repositories.push({ host, hostRepoIds, owners, groups });
    else rights.users.push({ host, hostUserId });
  }
  return revokeRights(tx, rights);
}

async function forgetHidden(tx: Queries, heard: KnownDelivery[], now: Date): Promise<void> {
  const ids = new Set<string>();
  for (const { host, news } of heard) {
    if (!news.hiddenIssue) continue;
    for (const id of await findPullRequestsQuoting(tx, { host, ...news.hiddenIssue })) ids.add(id);
  }
  await deletePullRequests(tx, [...ids], now);
}

/** Events arrive late and in any order, so stored pull requests are fetched again. Merges are found by polling. */
async function hear(tx: Queries, heard: KnownDelivery[], now: Date): Promise<void> {
  const about = (which: (one: KnownDelivery) => boolean) =>
    heard.filter(which).flatMap(({ known }) => (known ? [known] : []));
  const hasMoved = ({ news }: KnownDelivery) => news.pullRequest?.change === 'moved';
  await outdatePullRequests(tx, { changed: about(() => true), moved: about(hasMoved), now });
  const merged = about(needsPoll).map(({ repositoryId }) => repositoryId);
  await makePollDue(tx, merged, now);
  await replanPolls(
    tx,
    about(({ known, news }) => known?.isWatched === true && news.pullRequest?.change !== 'discussed'),
    now,
  );
}
