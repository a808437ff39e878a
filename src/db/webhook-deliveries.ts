import type { Queries } from './database.ts';
import { type Sql, sql } from './sql.ts';

/** A delivery by the name that its host gives it, which is the same when the host sends it again. */
export interface Delivery {
  host: string;
  deliveryId: string;
  /** The pull request that it is about; null where it is about none. */
  about: { hostRepoId: number; number: number } | null;
}

/**
 * Notes deliveries, with what they cause in the same transaction. Returns those that have not caused it before, as host and name
 * with a blank between them.
 */
export async function insertDeliveries(tx: Queries, deliveries: Delivery[], now: Date): Promise<Set<string>> {
  const inserted = await tx.query<{ host: string; deliveryId: string }>(
    sql`
      INSERT INTO webhook_deliveries (host, delivery_id, received_at, host_repo_id, pr_number)
      SELECT host, delivery_id, ${now}::timestamptz, host_repo_id, pr_number
      FROM unnest(${deliveries.map(({ host }) => host)}::text[],
        ${deliveries.map(({ deliveryId }) => deliveryId)}::text[],
        ${deliveries.map(({ about }) => about?.hostRepoId ?? null)}::bigint[],
        ${deliveries.map(({ about }) => about?.number ?? null)}::bigint[])
        AS delivered (host, delivery_id, host_repo_id, pr_number)
      ORDER BY host, delivery_id
      ON CONFLICT DO NOTHING RETURNING host, delivery_id AS "deliveryId"`,
  );
  return new Set(inserted.map(({ host, deliveryId }) => `${host} ${deliveryId}`));
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
