import { restsForMs } from '../domain/pull-requests.ts';
import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { json, type Sql, sql } from './sql.ts';
import { giveUpJob, isUnheld, type JobError, withoutSync } from './writing-jobs.ts';

/** An article that is to be asked for, as the process that has claimed it sees it. */
export interface PlannedArticle
  extends Pick<Tables['planned_articles'], 'id' | 'repositoryId' | 'prNumber' | 'languageCode'>,
    Pick<Tables['repositories'], 'host' | 'hostRepoId' | 'owner' | 'name' | 'isPrivate'> {
  /** Which start this is. A worker with an older one can change nothing any more. */
  attempt: Tables['planned_articles']['attempt'];
  /** How often it had to wait for a host. */
  deferred: Tables['planned_articles']['deferred'];
  /** The user with whose rights it is asked for; null for what is written on behalf of all who watch the repository. */
  userId: Tables['planned_articles']['userId'];
  /** Null for what was planned alone. */
  importId: Tables['planned_articles']['importId'];
  /** The writing of it, where that was asked for already. */
  jobId: Tables['planned_articles']['jobId'];
  /** Whether it is written also while its pull request is not merged: it stands already. */
  mayBeOpen: Tables['planned_articles']['mayBeOpen'];
}

/** What a worker shows to be the one that holds a planned article. */
export type HeldPlan = Pick<PlannedArticle, 'id' | 'attempt'>;

/** Plans articles of one repository, in the order given; one by one they become due at the given moment. */
export async function planArticles(
  tx: Queries,
  plan: Pick<PlannedArticle, 'repositoryId' | 'userId' | 'languageCode' | 'importId'> & { numbers: number[] },
  now: Date,
): Promise<void> {
  const { repositoryId, userId, languageCode, importId, numbers } = plan;
  await tx.query(sql`
    INSERT INTO planned_articles (repository_id, user_id, import_id, pr_number, language_code, not_before)
    SELECT ${repositoryId}::uuid, ${userId}::uuid, ${importId}::uuid, number, ${languageCode}::text, ${now}::timestamptz
    FROM unnest(${numbers}::bigint[]) WITH ORDINALITY AS wanted (number, place)
    ORDER BY place
    ON CONFLICT DO NOTHING`);
}

/**
 * Takes what has been due longest, also from a worker that died; null where nothing is due. The writing that was asked for before
 * its pull request moved is not waited for: it tells the state before.
 */
export const claimPlanned = (db: Queries, now: Date) =>
  db.first<PlannedArticle>(sql`
    WITH claimed AS (
      UPDATE planned_articles SET state = 'running', is_due_again = false, attempt = attempt + 1, heartbeat_at = clock_timestamp(),
        job_id = CASE WHEN is_due_again THEN NULL ELSE job_id END
      WHERE id = (
        SELECT id FROM planned_articles
        WHERE state IN ('waiting', 'running') AND not_before <= ${now} AND ${isUnheld}
        ORDER BY not_before, id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING *)
    SELECT claimed.id, attempt, deferred, repository_id, host, host_repo_id, owner, name, is_private,
      pr_number,
      language_code, user_id, import_id, job_id,
      may_be_open
    FROM claimed JOIN repositories ON repositories.id = claimed.repository_id`);

/** Which pull requests of an import come next. */
export const listNextPlanned = (db: Queries, importId: string, atMost: number) =>
  db.values<Tables['planned_articles']['prNumber']>(sql`
    SELECT pr_number FROM planned_articles
    WHERE import_id = ${importId} AND state = 'waiting' ORDER BY not_before, id LIMIT ${atMost}`);

/** Shows that the worker of some lives; those that were taken from it, or were cancelled, are not among what it returns. */
export async function renewPlanned(db: Queries, held: HeldPlan[]): Promise<HeldPlan[]> {
  const ids = held.map(({ id }) => id);
  const attempts = held.map(({ attempt }) => attempt);
  return db.query(sql`
    UPDATE planned_articles SET heartbeat_at = clock_timestamp()
    FROM unnest(${ids}::bigint[], ${attempts}::integer[]) AS held (id, attempt)
    WHERE planned_articles.id = held.id AND planned_articles.attempt = held.attempt AND state = 'running'
    RETURNING held.id, held.attempt`);
}

export const isHeldBy = ({ id, attempt }: HeldPlan): Sql =>
  sql`id = ${id} AND attempt = ${attempt} AND state = 'running'`;

/** Notes the writing that was asked for, or that there is none any more; false when it was taken from this worker. */
export const notePlannedJob = (db: Queries, held: HeldPlan, jobId: string | null) =>
  db.any(sql`UPDATE planned_articles SET job_id = ${jobId} WHERE ${isHeldBy(held)} RETURNING ${withoutSync}`);

/** Whether it is over, or gone: no worker goes on with it. */
export async function isPlanOver(db: Queries, id: number): Promise<boolean> {
  const rows = await db.query(sql`
    SELECT 1 FROM planned_articles WHERE id = ${id} AND state IN ('waiting', 'running')`);
  return rows.length === 0;
}

/** Gives up a writing that was asked for, unless something else that the user has planned waits for it too. */
export async function giveUpPlannedJob(
  tx: Queries,
  { jobId, userId, now }: { jobId: string; userId: string; now: Date },
): Promise<void> {
  // With the lock, of two that give it up at the same time the second sees that the first no longer waits.
  await tx.query(sql`SELECT FROM writing_jobs WHERE id = ${jobId} FOR UPDATE`);
  const others = await tx.query(sql`
    SELECT 1 FROM planned_articles
    WHERE user_id = ${userId} AND job_id = ${jobId} AND state IN ('waiting', 'running') LIMIT 1`);
  if (others.length === 0) await giveUpJob(tx, { jobId, userId, now });
}

/** Lets another worker go on with it at once: this one is about to end. */
export const putPlannedBack = (db: Queries, held: HeldPlan) =>
  db.run(sql`UPDATE planned_articles SET state = 'waiting', heartbeat_at = NULL WHERE ${isHeldBy(held)}`);

/**
 * Has it wait, and with it what was planned for the same user in the same repository, or of that what is in the same language:
 * asking for that would meet with the same refusal.
 */
export async function deferPlanned(
  db: Queries,
  { id, attempt, userId, repositoryId, languageCode }: PlannedArticle,
  { until, concernsLanguage }: { until: Date; concernsLanguage: boolean },
): Promise<void> {
  await db.query(sql`
    UPDATE planned_articles SET state = 'waiting', heartbeat_at = NULL, job_id = NULL, not_before = ${until},
      deferred = deferred + 1
    WHERE ${isHeldBy({ id, attempt })}`);
  await db.query(sql`
    UPDATE planned_articles SET not_before = ${until}
    WHERE user_id IS NOT DISTINCT FROM ${userId} AND repository_id = ${repositoryId} AND state = 'waiting' AND not_before < ${until}
      ${concernsLanguage ? sql`AND language_code = ${languageCode}` : sql``}`);
}

/** How an article that was planned has ended. */
export type PlannedEnd = { state: 'done' } | { state: 'failed'; error: JobError };

/**
 * Notes the end of one, or has it wait for a moment where its pull request moved meanwhile; false when it was taken from this worker.
 * Lock the import before that, where there is one.
 */
export async function endPlanned(tx: Queries, held: HeldPlan, end: PlannedEnd, now: Date): Promise<boolean> {
  const error = end.state === 'failed' ? json(end.error) : sql`NULL`;
  const rows = await tx.query(sql`
    UPDATE planned_articles SET state = CASE WHEN is_due_again THEN 'waiting' ELSE ${end.state}::text END,
      error = ${error}, finished_at = CASE WHEN is_due_again THEN NULL ELSE ${now}::timestamptz END,
      not_before = CASE WHEN is_due_again THEN ${new Date(now.getTime() + restsForMs)} ELSE not_before END,
      heartbeat_at = NULL, job_id = NULL
    WHERE ${isHeldBy(held)} RETURNING id`);
  return rows.length > 0;
}

/** Removes what was planned alone and ended longer ago than results are kept. What an import planned goes with it. */
export const deleteFinishedPlans = (db: Queries, before: Date) =>
  db.run(sql`DELETE FROM planned_articles WHERE import_id IS NULL AND finished_at < ${before}`);
