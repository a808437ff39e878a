import type { HostNews } from '../../code-hosts/code-host.ts';
import type { Database, Queries } from '../../db/database.ts';
import { isStored, outdatePullRequest } from '../../db/outdated-pull-requests.ts';
import { knowsAny, revokeRepositories, revokeUser } from '../../db/revocations.ts';
import { insertDelivery } from '../../db/webhook-deliveries.ts';

interface Parts {
  database: Database;
  clock: () => Date;
}

/** What a host has delivered, under the name that it gives the delivery. */
interface Delivered {
  host: string;
  deliveryId: string;
  news: HostNews;
}

/** What came of a delivery: it caused something, or did so before, or there was nothing to cause. */
export type Taken = 'taken' | 'repeated' | 'nothing';

/**
 * Does what a signed delivery calls for. It is noted in the transaction of what it causes, so that neither is there without the
 * other; what is about nothing that is known here leaves nothing behind.
 */
export async function takeDelivery({ database, clock }: Parts, delivered: Delivered): Promise<Taken> {
  const { host, deliveryId, news } = delivered;
  if (!(await isOfMatter(database, delivered))) return 'nothing';
  const about = news.pullRequest ?? null;
  return database.transaction(async (tx) => {
    const now = clock();
    if (!(await insertDelivery(tx, { host, deliveryId, about, now }))) return 'repeated';
    await revoke(tx, delivered, now);
    await outdate(tx, delivered, now);
    return 'taken';
  });
}

/** Whether it is about anything that is known here. */
async function isOfMatter(
  db: Queries,
  { host, news: { revoked, pullRequest } }: Delivered,
): Promise<boolean> {
  if (revoked?.hostUserId !== undefined) return true;
  const { hostRepoIds = [], owners = [] } = revoked ?? {};
  if (revoked && (await knowsAny(db, { host, hostRepoIds, owners }))) return true;
  return (
    pullRequest !== undefined && pullRequest.change !== 'other' && isStored(db, { host, ...pullRequest })
  );
}

async function revoke(tx: Queries, { host, news: { revoked } }: Delivered, now: Date): Promise<void> {
  if (!revoked) return;
  const { hostRepoIds = [], owners = [], hostUserId } = revoked;
  if (hostRepoIds.length + owners.length > 0)
    await revokeRepositories(tx, { host, hostRepoIds, owners, now });
  if (hostUserId !== undefined) await revokeUser(tx, { host, hostUserId, now });
}

/** Events come in any order, so that none is believed to be the last: what is stored is asked for anew. */
async function outdate(tx: Queries, { host, news: { pullRequest } }: Delivered, now: Date): Promise<void> {
  if (!pullRequest || pullRequest.change === 'other') return;
  const hasMoved = pullRequest.change === 'moved';
  await outdatePullRequest(tx, { host, ...pullRequest, hasMoved, now });
}
