import type { HostNews } from '../../code-hosts/code-host.ts';
import type { Database, Queries } from '../../db/database.ts';
import { outdatePullRequest } from '../../db/outdated-pull-requests.ts';
import { knowsAny, revokeRepositories, revokeUser } from '../../db/revocations.ts';
import { askAboutMerged, findTold, noteWebhook, planAgain } from '../../db/told-pull-requests.ts';
import { type Delivery, insertDelivery } from '../../db/webhook-deliveries.ts';

interface Parts {
  database: Database;
  clock: () => Date;
}

/** What a host has delivered, under the name that it gives the delivery. */
interface Delivered extends Pick<Delivery, 'host' | 'deliveryId'> {
  news: HostNews;
}

/** What came of a delivery: it caused something, or did so before, or there was nothing to cause. */
export type Taken = 'taken' | 'repeated' | 'nothing';

/** What a delivery causes, in the transaction in which it is noted. */
type Cause = (tx: Queries, now: Date) => Promise<void>;

/**
 * Does what a signed delivery calls for, or has it done. It is noted in the transaction of what it causes, so that neither is there
 * without the other; what is about nothing that is known here leaves nothing behind.
 */
export async function takeDelivery({ database, clock }: Parts, delivered: Delivered): Promise<Taken> {
  const { host, deliveryId, news } = delivered;
  const causes = [
    await causeOfRevocation(database, host, news.revoked),
    await causeOfChange(database, host, news.pullRequest, clock()),
  ].filter((cause) => cause !== null);
  if (causes.length === 0) return 'nothing';
  return database.transaction(async (tx) => {
    const now = clock();
    if (!(await insertDelivery(tx, { host, deliveryId, about: news.pullRequest ?? null, now })))
      return 'repeated';
    for (const cause of causes) await cause(tx, now);
    return 'taken';
  });
}

async function causeOfRevocation(
  db: Queries,
  host: string,
  revoked: HostNews['revoked'],
): Promise<Cause | null> {
  if (!revoked) return null;
  const { hostRepoIds = [], owners = [], hostUserId } = revoked;
  if (hostUserId !== undefined) return (tx, now) => revokeUser(tx, { host, hostUserId, now });
  const repositories = { host, hostRepoIds, owners };
  if (!(await knowsAny(db, repositories))) return null;
  return (tx, now) => revokeRepositories(tx, { ...repositories, now });
}

/**
 * Events come late and in any order, so that none is believed to be the last: what is stored is asked for anew. What was merged is
 * heard by asking too, as it is without webhooks, so that none is heard twice and none is skipped.
 */
async function causeOfChange(
  db: Queries,
  host: string,
  pullRequest: HostNews['pullRequest'],
  now: Date,
): Promise<Cause | null> {
  if (!pullRequest) return null;
  const { number, change } = pullRequest;
  const told = await findTold(db, { host, ...pullRequest });
  if (!told) return null;
  const { repositoryId, isStored, isWatched } = told;
  if (isWatched) await noteWebhook(db, repositoryId, now);
  const isHeard = isWatched && change === 'merged';
  if (change === 'other' || !(isStored || isHeard)) return null;
  return async (tx, at) => {
    await outdatePullRequest(tx, { repositoryId, number, hasMoved: change === 'moved', now: at });
    if (isHeard) await askAboutMerged(tx, repositoryId, at);
    if (isWatched) await planAgain(tx, { repositoryId, number, now: at });
  };
}
