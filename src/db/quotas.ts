import { utcDay } from '../domain/time.ts';
import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { sql } from './sql.ts';

export interface QuotaHolder {
  host: string;
  hostUserId: number;
}

export async function takeFromQuota(
  tx: Queries,
  { host, hostUserId }: QuotaHolder,
  { jobId, articlesPerDay, now }: { jobId: string; articlesPerDay: number; now: Date },
): Promise<boolean> {
  const day = utcDay(now);
  const [taken] = await tx.query(sql`
    INSERT INTO ai_quotas AS quotas (host, host_user_id, day, articles)
    SELECT ${host}, ${hostUserId}, ${day}::date, 1 WHERE ${articlesPerDay}::integer > 0
    ON CONFLICT (host, host_user_id, day) DO UPDATE SET articles = quotas.articles + 1
      WHERE quotas.articles < ${articlesPerDay}
    RETURNING articles`);
  if (!taken) return false;
  await tx.query(sql`
    UPDATE jobs SET quota_host = ${host}, quota_user_id = ${hostUserId}, quota_day = ${day}::date
    WHERE id = ${jobId}`);
  return true;
}

export const countFromQuota = (db: Queries, { host, hostUserId }: QuotaHolder, now: Date) =>
  db.count(sql`
    SELECT articles FROM ai_quotas
    WHERE host = ${host} AND host_user_id = ${hostUserId} AND day = ${utcDay(now)}::date`);

/** Takes an article from the budget for following, of which a repository gets a tenth per day. */
export async function takeFromBudget(
  tx: Queries,
  { jobId, scope, articlesPerDay, now }: { jobId: string; scope: string; articlesPerDay: number; now: Date },
): Promise<boolean> {
  const day = utcDay(now);
  const take = (of: string, most: number) =>
    tx.any(sql`
      INSERT INTO watching_budgets AS spent (day, scope, articles)
      SELECT ${day}::date, ${of}, 1 WHERE ${most}::integer > 0
      ON CONFLICT (day, scope) DO UPDATE SET articles = spent.articles + 1 WHERE spent.articles < ${most}
      RETURNING 1`);
  if (!(await take(scope, Math.ceil(articlesPerDay / 10)))) return false;
  if (!(await take('all', articlesPerDay))) {
    await tx.query(sql`
      UPDATE watching_budgets SET articles = articles - 1 WHERE day = ${day}::date AND scope = ${scope}`);
    return false;
  }
  await tx.query(sql`
    UPDATE jobs SET budget_day = ${day}::date, budget_scope = ${scope} WHERE id = ${jobId}`);
  return true;
}

/** For a job that ended without an article by a model. */
export async function returnToQuota(tx: Queries, jobId: string): Promise<void> {
  await tx.query(sql`
    WITH held AS (
      SELECT id, quota_host, quota_user_id, quota_day FROM jobs
      WHERE id = ${jobId} AND quota_host IS NOT NULL FOR UPDATE),
    freed AS (UPDATE jobs SET quota_host = NULL FROM held WHERE jobs.id = held.id)
    UPDATE ai_quotas SET articles = articles - 1 FROM held
    WHERE host = held.quota_host AND host_user_id = held.quota_user_id AND day = held.quota_day`);
  const [budget] = await tx.query<{ day: string; scope: Tables['jobs']['budgetScope'] }>(sql`
    WITH held AS (
      SELECT id, budget_day, budget_scope FROM jobs
      WHERE id = ${jobId} AND budget_day IS NOT NULL FOR UPDATE)
    UPDATE jobs SET budget_day = NULL FROM held WHERE jobs.id = held.id
    RETURNING held.budget_day::text AS day, held.budget_scope AS scope`);
  if (!budget) return;
  // In the order in which they are taken.
  for (const scope of [budget.scope, 'all'])
    await tx.query(sql`
      UPDATE watching_budgets SET articles = articles - 1
      WHERE day = ${budget.day}::date AND scope = ${scope}`);
}

/** The quota is used, whatever becomes of the job. */
export const settleQuota = (db: Queries, jobId: string) =>
  db.run(sql`UPDATE jobs SET quota_host = NULL, budget_day = NULL WHERE id = ${jobId}`);

/** Reserves tokens for a call; null when that would exceed the service's limit for the day. */
export async function reserveTokens(
  db: Queries,
  { tokens, tokensPerDay, now }: { tokens: number; tokensPerDay: number; now: Date },
): Promise<{ day: string; tokens: number } | null> {
  const day = utcDay(now);
  const [reserved] = await db.query(sql`
    INSERT INTO ai_tokens AS used (day, tokens)
    SELECT ${day}::date, ${tokens}::bigint WHERE ${tokens}::bigint <= ${tokensPerDay}::bigint
    ON CONFLICT (day) DO UPDATE SET tokens = used.tokens + excluded.tokens
      WHERE used.tokens + excluded.tokens <= ${tokensPerDay}
    RETURNING day`);
  return reserved ? { day, tokens } : null;
}

export const settleTokens = (db: Queries, reserved: { day: string; tokens: number }, used: number) =>
  db.run(sql`
    UPDATE ai_tokens SET tokens = greatest(0, tokens + ${used - reserved.tokens}::bigint)
    WHERE day = ${reserved.day}::date`);

export const countTokens = (db: Queries, now: Date) =>
  db.count(sql`
    SELECT tokens FROM ai_tokens WHERE day = ${utcDay(now)}::date`);

/** Yesterday's calls may still be under way. */
export async function deleteOldLimits(db: Queries, now: Date): Promise<void> {
  const before = utcDay(new Date(now.getTime() - 2 * 24 * 60 * 60 * 1000));
  await db.query(sql`DELETE FROM ai_quotas WHERE day < ${before}::date`);
  await db.query(sql`DELETE FROM watching_budgets WHERE day < ${before}::date`);
  await db.query(sql`DELETE FROM ai_tokens WHERE day < ${before}::date`);
}

export const countIngested = (db: Queries, { host, hostUserId }: QuotaHolder, now: Date) =>
  db.count(sql`
    SELECT bytes FROM ingest_quotas
    WHERE host = ${host} AND host_user_id = ${hostUserId} AND day = ${utcDay(now)}::date`);

/**
 * Takes bytes that are about to be stored. The last request of a day may exceed the quota. Locked until the transaction
 * ends.
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

/** Yesterday's requests may still be under way. */
export const deleteOldIngestLimits = (db: Queries, now: Date) =>
  db.run(sql`DELETE FROM ingest_quotas WHERE day < ${utcDay(now)}::date - 1`);
