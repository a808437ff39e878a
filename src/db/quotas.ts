import type { ModelLimits } from '../domain/model-providers.ts';
import { nextUtcMonth, utcDay } from '../domain/time.ts';
import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { sql } from './sql.ts';

interface Counter {
  kind: 'articles' | 'articles of followers' | 'tokens' | 'tokens of month' | 'stored bytes' | 'mails';
  subject: string;
}

interface QuotaHolder {
  host: string;
  hostUserId: number;
}

/** Quotas belong to the account on the host, so that a new account here gives no new quota. */
const of = ({ host, hostUserId }: QuotaHolder): string => `${host} ${hostUserId}`;

export const articlesQuotaOf = (holder: QuotaHolder): Counter => ({ kind: 'articles', subject: of(holder) });
export const bytesQuotaOf = (holder: QuotaHolder): Counter => ({ kind: 'stored bytes', subject: of(holder) });
const articlesFollowed = (subject: string): Counter => ({ kind: 'articles of followers', subject });
export const allTokensQuota: Counter = { kind: 'tokens', subject: '' };
export const tokensOfMonthQuota: Counter = { kind: 'tokens of month', subject: '' };

/** Counts of a month are dated by its last day, so that they are kept until then. */
const dayOf = ({ kind }: Pick<Counter, 'kind'>, now: Date): string =>
  utcDay(kind === 'tokens of month' ? new Date(nextUtcMonth(now).getTime() - 1) : now);

interface Taking {
  amount?: number;
  /** The amount that must be left. It is less than `amount` if the last one of a day may exceed the limit. */
  needs?: number;
  most: number;
  now: Date;
}

/** Adds to a counter unless that exceeds its limit. The counter stays locked until the transaction ends. */
export const takeQuota = (
  db: Queries,
  counter: Counter,
  { amount = 1, needs = amount, most, now }: Taking,
): Promise<boolean> =>
  db.any(sql`
    INSERT INTO daily_counts AS counted (day, kind, subject, count)
    SELECT ${dayOf(counter, now)}::date, ${counter.kind}, ${counter.subject}, ${amount}::bigint WHERE ${needs}::bigint <= ${most}::bigint
    ON CONFLICT (day, kind, subject) DO UPDATE SET count = counted.count + excluded.count
      WHERE counted.count + ${needs} <= ${most}
    RETURNING 1`);

export const countQuota = (db: Queries, counter: Counter, now: Date) =>
  db.count(sql`
    SELECT count FROM daily_counts
    WHERE day = ${dayOf(counter, now)}::date AND kind = ${counter.kind} AND subject = ${counter.subject}`);

export const giveBackQuota = (
  db: Queries,
  { kind, subject }: Pick<Tables['daily_counts'], 'kind' | 'subject'>,
  { day, amount }: { day: string; amount: number },
) =>
  db.run(sql`
    UPDATE daily_counts SET count = greatest(0, count - ${amount}::bigint)
    WHERE day = ${day}::date AND kind = ${kind} AND subject = ${subject}`);

type TokenCeilings = Pick<ModelLimits, 'tokensPerDay' | 'tokensPerMonth'>;

export type Ceiling = 'day' | 'month';

/**
 * Reserves tokens of all processes together; the ceiling if fewer are left. Then the caller must roll back, because
 * those of the day may be taken.
 */
export async function reserveTokens(
  tx: Queries,
  amount: number,
  { tokensPerDay, tokensPerMonth }: TokenCeilings,
  now: Date,
): Promise<Ceiling | null> {
  if (!(await takeQuota(tx, allTokensQuota, { amount, most: tokensPerDay, now }))) return 'day';
  const most = tokensPerMonth ?? Number.MAX_SAFE_INTEGER;
  return (await takeQuota(tx, tokensOfMonthQuota, { amount, most, now })) ? null : 'month';
}

/** Returns what was reserved at a time and not used, or takes what was used beyond it. */
export async function giveBackTokens(tx: Queries, amount: number, reservedAt: Date): Promise<void> {
  for (const counter of [allTokensQuota, tokensOfMonthQuota])
    await giveBackQuota(tx, counter, { day: dayOf(counter, reservedAt), amount });
}

export async function findReachedCeiling(
  db: Queries,
  { tokensPerDay, tokensPerMonth }: TokenCeilings,
  now: Date,
): Promise<Ceiling | null> {
  if ((await countQuota(db, allTokensQuota, now)) >= tokensPerDay) return 'day';
  if (tokensPerMonth === null) return null;
  return (await countQuota(db, tokensOfMonthQuota, now)) >= tokensPerMonth ? 'month' : null;
}

/** Work that began yesterday may still be running, so counts are kept for one more day. */
export const deleteOldQuotaCounts = (db: Queries, now: Date) =>
  db.run(sql`DELETE FROM daily_counts WHERE day < ${utcDay(now)}::date - 1`);

interface JobTaking {
  jobId: string;
  articlesPerDay: number;
  now: Date;
}

export async function takeFromQuota(
  tx: Queries,
  holder: QuotaHolder,
  { jobId, articlesPerDay: most, now }: JobTaking,
): Promise<boolean> {
  const isTaken = await takeQuota(tx, articlesQuotaOf(holder), { most, now });
  if (isTaken) await noteTaken(tx, jobId, articlesQuotaOf(holder), now);
  return isTaken;
}

const all = articlesFollowed('all');

/** Takes an article from the budget for following, of which each repository may use a tenth per day. */
export async function takeFromWatchBudget(
  tx: Queries,
  { jobId, repositoryId, articlesPerDay: most, now }: JobTaking & { repositoryId: string },
): Promise<boolean> {
  const own = articlesFollowed(repositoryId);
  if (!(await takeQuota(tx, own, { most: Math.ceil(most / 10), now }))) return false;
  const isTaken = await takeQuota(tx, all, { most, now });
  if (isTaken) await noteTaken(tx, jobId, own, now);
  else await giveBackQuota(tx, own, { day: utcDay(now), amount: 1 });
  return isTaken;
}

const noteTaken = (tx: Queries, jobId: string, { kind, subject }: Counter, now: Date) =>
  tx.run(sql`
    UPDATE jobs SET quota_kind = ${kind}, quota_subject = ${subject}, quota_day = ${utcDay(now)}::date
    WHERE id = ${jobId}`);

/** Returns an article to the quota when its job ended without one by a model. */
export async function returnToQuota(tx: Queries, jobId: string): Promise<void> {
  const [taken] = await tx.query<Counter & { day: string }>(sql`
    WITH held AS (
      SELECT id, quota_kind, quota_subject, quota_day FROM jobs
      WHERE id = ${jobId} AND quota_day IS NOT NULL FOR UPDATE)
    UPDATE jobs SET quota_day = NULL FROM held WHERE jobs.id = held.id
    RETURNING held.quota_kind AS kind, held.quota_subject AS subject, held.quota_day::text AS day`);
  if (!taken) return;
  // Counters are locked in the same order as when they are taken from.
  for (const counter of taken.kind === all.kind ? [taken, all] : [taken])
    await giveBackQuota(tx, counter, { day: taken.day, amount: 1 });
}

/** Keeps the quota used, however the job ends. */
export const settleQuota = (db: Queries, jobId: string) =>
  db.run(sql`UPDATE jobs SET quota_day = NULL WHERE id = ${jobId}`);

export const isPaidByFollowers = sql`quota_kind = ${all.kind} AND quota_day IS NOT NULL`;
