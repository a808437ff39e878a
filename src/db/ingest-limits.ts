import { utcDay } from '../domain/utc-day.ts';
import type { QuotaHolder } from './ai-limits.ts';
import type { Queries } from './database.ts';
import { sql } from './sql.ts';

/** How many bytes a user has had stored on the day. */
export async function countIngested(
  db: Queries,
  { host, hostUserId }: QuotaHolder,
  now: Date,
): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(sql`
    SELECT bytes FROM ingest_quotas
    WHERE host = ${host} AND host_user_id = ${hostUserId} AND day = ${utcDay(now)}::date`);
  return row?.bytes ?? 0;
}

/**
 * Takes what is about to be stored from a user's quota of the day; false when there is none left. What is left need not be
 * enough: of any number of requests that store at once, only the last can go beyond it. The quota stays locked until the
 * transaction ends.
 */
export async function takeFromIngestQuota(
  tx: Queries,
  { host, hostUserId }: QuotaHolder,
  { bytes, bytesPerDay, now }: { bytes: number; bytesPerDay: number; now: Date },
): Promise<boolean> {
  const [taken] = await tx.query(sql`
    INSERT INTO ingest_quotas AS quotas (host, host_user_id, day, bytes)
    VALUES (${host}, ${hostUserId}, ${utcDay(now)}::date, ${bytes})
    ON CONFLICT (host, host_user_id, day) DO UPDATE SET bytes = quotas.bytes + excluded.bytes
      WHERE quotas.bytes < ${bytesPerDay}
    RETURNING bytes`);
  return taken !== undefined;
}

/** What was begun before midnight is still counted on its day. */
export async function deleteOldIngestLimits(db: Queries, now: Date): Promise<void> {
  await db.query(sql`DELETE FROM ingest_quotas WHERE day < ${utcDay(now)}::date - 1`);
}
