import type { Job, JobError } from '../domain/jobs.ts';
import type { Queries } from './database.ts';
import {
  changeJobs,
  endJobs,
  type HeldJob,
  insertJob,
  isAlive,
  isJobDue,
  isOnlyWork,
  type JobEnd,
  nextTurn,
  type PlannedArticle,
  putJobBack,
} from './job-queue.ts';
import { addJobRequester } from './jobs.ts';
import { json, sql, withoutSync } from './sql.ts';

export interface WantedImport {
  repositoryId: string;
  userId: string;
  languageCode: string;
  wanted: string;
  /** Whether articles without a model are written with it; they may be about open pull requests. */
  isRewriting?: boolean;
}

const rewriting = 'rewriting';

const importSubject = ({ userId, repositoryId, languageCode, wanted, isRewriting }: WantedImport) => [
  ...[userId, repositoryId, languageCode, wanted],
  ...(isRewriting ? [rewriting] : []),
];

/** Finds a running import and locks it, so that it cannot end before the transaction does. */
export const findLiveImport = (tx: Queries, wanted: WantedImport) =>
  tx.value<string>(sql`
    SELECT id FROM jobs WHERE work = 'import' AND subject = ${importSubject(wanted).join(' ')} AND ${isAlive} FOR UPDATE`);

/** Concurrent requests of one user take turns. */
export async function countLiveImports(tx: Queries, userId: string): Promise<number> {
  await tx.query(sql`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`);
  return tx.count(sql`
    SELECT count(*) AS live FROM jobs WHERE user_id = ${userId} AND work = 'import' AND ${isAlive}`);
}

/** Returns null if the same import is running. An import without pull requests is done at once. */
export async function insertImport(
  tx: Queries,
  wanted: WantedImport,
  numbers: number[],
  now: Date,
): Promise<string | null> {
  const { repositoryId, userId, languageCode, isRewriting = false } = wanted;
  const subject = importSubject(wanted);
  const isOver = numbers.length === 0;
  const importId = await insertJob(
    tx,
    { work: 'import', subject, repositoryId, languageCode, isOver },
    { userId, isPlanned: false },
    now,
  );
  if (!importId) return null;
  await addJobRequester(tx, { jobId: importId, userId });
  await tx.query(sql`
    INSERT INTO jobs (work, subject, parent_id, user_id, is_planned, turn, repository_id, pr_number, language_code,
      may_be_open, detail, queued_at, created_at)
    SELECT 'planned', concat_ws(' ', ${importId}::text, number), ${importId}::uuid, ${userId}::uuid, true,
      ${nextTurn('planned', { userId, isPlanned: true }, now)} + place - 1, ${repositoryId}::uuid, number, ${languageCode}::text,
      ${isRewriting}, ${isRewriting ? json({ isRewriting }) : null}::jsonb, ${now}::timestamptz, ${now}::timestamptz
    FROM unnest(${numbers}::bigint[]) WITH ORDINALITY AS wanted (number, place)
    ORDER BY place
    ON CONFLICT (work, subject) WHERE ${isOnlyWork} DO NOTHING`);
  return importId;
}

export const noteImportMoved = (db: Queries, importId: string, now: Date) =>
  db.run(
    changeJobs(
      sql`state = 'running', started_at = coalesce(started_at, ${now})`,
      sql`id = ${importId} AND ${isAlive}`,
      withoutSync,
    ),
  );

/**
 * Ends planned articles, and their import with its last one. An error that affects all of them also ends those that
 * have not begun. Returns the ids without those that the worker has lost.
 */
export async function endPlannedArticles(
  tx: Queries,
  planned: (HeldJob & Pick<PlannedArticle, 'parentId'>)[],
  { end, concernsAll, now }: { end: JobEnd; concernsAll: boolean; now: Date },
): Promise<Set<string>> {
  const importId = planned[0]?.parentId;
  // Lock order: the import before its planned articles.
  if (importId) await tx.query(sql`SELECT FROM jobs WHERE id = ${importId} FOR UPDATE`);
  const ended = new Set(await endJobs(tx, planned, end, now));
  if (!importId || ended.size === 0) return ended;
  const error = concernsAll && end.state === 'failed' ? json(end.error) : null;
  if (error)
    await tx.query(sql`
      UPDATE jobs SET state = 'failed', error = ${error}, finished_at = ${now}
      WHERE parent_id = ${importId} AND state = 'queued'`);
  const isLeft = sql`EXISTS (SELECT FROM jobs AS planned WHERE planned.parent_id = ${importId} AND planned.${isAlive})`;
  // If a power cut undoes this, it is repeated with the same result.
  const change = sql`error = coalesce(error, ${error}),
    state = CASE WHEN ${isLeft} THEN state WHEN coalesce(error, ${error}) IS NULL THEN 'done' ELSE 'failed' END,
    finished_at = CASE WHEN ${isLeft} THEN NULL ELSE ${now}::timestamptz END`;
  await tx.run(changeJobs(change, sql`id = ${importId} AND ${isAlive}`, withoutSync));
  return ended;
}

/**
 * Defers a planned article and those planned for the same user in the same repository, or in the same language there,
 * because they would be refused for the same reason.
 */
export async function deferPlannedArticles(
  db: Queries,
  planned: PlannedArticle,
  { until, concernsLanguage, now }: { until: Date; concernsLanguage: boolean; now: Date },
): Promise<void> {
  const { userId, repositoryId, languageCode } = planned;
  await putJobBack(db, planned, { now, until });
  await db.query(sql`
    UPDATE jobs SET not_before = ${until}
    WHERE work = 'planned' AND user_id IS NOT DISTINCT FROM ${userId} AND repository_id = ${repositoryId} AND state = 'queued'
      AND ${isJobDue(until)} ${concernsLanguage ? sql`AND language_code = ${languageCode}` : sql``}`);
}

export const deleteImportsOf = (tx: Queries, userId: string) =>
  tx.run(sql`DELETE FROM jobs WHERE user_id = ${userId} AND work = 'import'`);

export const findLiveImportOfJob = (
  db: Queries,
  { userId, repositoryId }: { userId: string; repositoryId: string },
) =>
  db.first<{ id: string; isRewriting: boolean }>(sql`
    SELECT id, split_part(subject, ' ', -1) = ${rewriting} AS is_rewriting FROM jobs
    WHERE user_id = ${userId} AND repository_id = ${repositoryId} AND work = 'import' AND ${isAlive}
    ORDER BY created_at DESC LIMIT 1`);

/** Does not check visibility: for the operator. */
export const findImportProgress = (db: Queries, importId: string) =>
  db.first<Pick<Job, 'state' | 'done' | 'total' | 'error'>>(sql`
    SELECT jobs.state, jobs.error, count(planned.id) FILTER (WHERE planned.state IN ('done', 'failed')) AS done,
      count(planned.id) AS total
    FROM jobs LEFT JOIN jobs AS planned ON planned.parent_id = jobs.id WHERE jobs.id = ${importId} GROUP BY jobs.id`);

export const listImportFailures = (db: Queries, importId: string) =>
  db.query<{ prNumber: number; error: JobError }>(sql`
    SELECT pr_number, error FROM jobs WHERE parent_id = ${importId} AND state = 'failed' ORDER BY turn`);

/** The cost by list prices; null if none is known. */
export async function sumImportCost(db: Queries, importId: string): Promise<number | null> {
  const cost = await db.value<string>(sql`
    SELECT sum((contents.body::jsonb #>> '{usage,estimatedCostUsd}')::numeric)::text AS cost
    FROM jobs AS planned
    JOIN pull_requests ON pull_requests.repository_id = planned.repository_id
      AND pull_requests.number = planned.pr_number
    JOIN articles ON articles.pull_request_id = pull_requests.id
    JOIN article_contents AS contents ON contents.article_id = articles.id
      AND contents.language_code = planned.language_code
    WHERE planned.parent_id = ${importId} AND planned.state = 'done'`);
  return cost ? Number(cost) : null;
}
