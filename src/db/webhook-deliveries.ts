import type { Queries } from './database.ts';
import { fromReserve, type Sql, sql } from './sql.ts';

/** A delivery by the name that its host gives it, which is the same when the host sends it again. */
export interface Delivery {
  host: string;
  deliveryId: string;
  /** The pull request that it is about; null where it is about none. */
  about: { hostRepoId: number; number: number } | null;
}

/** Notes a delivery, with what it causes in the same transaction. False where it has caused that before. */
export async function insertDelivery(
  tx: Queries,
  { host, deliveryId, about, now }: Delivery & { now: Date },
): Promise<boolean> {
  // From the reserve: a delivery may withdraw access.
  const inserted = await tx.query(
    fromReserve(sql`
      INSERT INTO webhook_deliveries (host, delivery_id, received_at, host_repo_id, pr_number)
      VALUES (${host}, ${deliveryId}, ${now}, ${about?.hostRepoId ?? null}, ${about?.number ?? null})
      ON CONFLICT DO NOTHING RETURNING 1`),
  );
  return inserted.length > 0;
}

/** Lets what was delivered about a pull request be delivered again: what it caused has failed. */
export async function forgetDeliveries(
  tx: Queries,
  { repositoryId, prNumber }: { repositoryId: string; prNumber: number },
): Promise<void> {
  await tx.query(sql`
    DELETE FROM webhook_deliveries AS deliveries USING repositories
    WHERE repositories.id = ${repositoryId} AND deliveries.host = repositories.host
      AND deliveries.host_repo_id = repositories.host_repo_id AND deliveries.pr_number = ${prNumber}`);
}

export const receivedBefore = (before: Date): Sql => sql`received_at < ${before}`;

/** Forgets deliveries that their host no longer sends again. */
export async function deleteOldDeliveries(db: Queries, before: Date): Promise<void> {
  await db.query(sql`DELETE FROM webhook_deliveries WHERE ${receivedBefore(before)}`);
}
