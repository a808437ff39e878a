import { type JobState, restsForMs } from '../domain/pull-requests.ts';
import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { json, type Sql, sql, withoutSync } from './sql.ts';
import { nextTurn } from './turns.ts';
import { columnsFor, type DetailViewer, type Repository, visibleTo } from './visibility.ts';
import {
  changeAndNotify,
  type FoundJob,
  giveUpJob,
  type ImportedArticles,
  isAlive,
  isHeldBy,
  isUnheld,
  type JobError,
  type RequestedJob,
  renewal,
  type WantedJob,
} from './writing-jobs.ts';

const isUnfinished = sql`state IN ('waiting', 'running')`;

export interface WantedImport {
  repositoryId: string;
  userId: string;
  languageCode: string;
  /** Distinguishes imports by how they were requested. */
  wanted: string;
}

/** It cannot end before the transaction does. */
export const findLiveImport = (tx: Queries, wanted: WantedImport) =>
  tx.value<string>(sql`
    SELECT id FROM imports
    WHERE user_id = ${wanted.userId} AND repository_id = ${wanted.repositoryId}
      AND language_code = ${wanted.languageCode} AND wanted = ${wanted.wanted} AND ${isAlive}
    FOR UPDATE`);

/** Concurrent requests of one user wait for each other. */
export async function countLiveImports(tx: Queries, userId: string): Promise<number> {
  await tx.query(sql`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`);
  return tx.count(sql`
    SELECT count(*) AS live FROM imports WHERE user_id = ${userId} AND ${isAlive}`);
}

/** Null when there is one that does the same. An empty import is done at once. */
export async function insertImport(
  tx: Queries,
  { repositoryId, userId, languageCode, wanted }: WantedImport,
  numbers: number[],
  now: Date,
): Promise<string | null> {
  const state: JobState = numbers.length === 0 ? 'done' : 'queued';
  const finishedAt = numbers.length === 0 ? now : null;
  const importId = await tx.value<string>(
    changeAndNotify(sql`
      INSERT INTO imports
        (repository_id, user_id, language_code, wanted, state, created_at, updated_at, finished_at)
      VALUES (${repositoryId}, ${userId}, ${languageCode}, ${wanted}, ${state}, ${now}, ${now}, ${finishedAt})
      ON CONFLICT (user_id, repository_id, language_code, wanted) WHERE ${isAlive} DO NOTHING`),
  );
  if (importId) await planArticles(tx, { repositoryId, userId, languageCode, importId, numbers }, now);
  return importId;
}

/** Notifies those who follow an import. */
export function noteImportMoved(db: Queries, importId: string, now: Date): Promise<void> {
  const change = sql`state = 'running', started_at = coalesce(started_at, ${now})`;
  return db.run(changeImport(change, sql`id = ${importId}`, now, withoutSync));
}

const changeImport = (change: Sql, which: Sql, now: Date, columns?: Sql): Sql =>
  changeAndNotify(
    sql`UPDATE imports SET ${change}, version = version + 1, updated_at = ${now} WHERE ${which} AND ${isAlive}`,
    columns,
  );

/**
 * Records how planned articles of one import, or of none, ended; with the last of them, the import ends. An error that
 * concerns all fails what has not begun. Returns the ids without those that the worker has lost.
 */
export async function endPlannedArticles(
  tx: Queries,
  planned: (HeldPlan & Pick<PlannedArticle, 'importId'>)[],
  { end, concernsAll, now }: { end: PlannedEnd; concernsAll: boolean; now: Date },
): Promise<Set<number>> {
  const importId = planned[0]?.importId;
  // Lock order: the import before its planned articles.
  if (importId) await tx.query(sql`SELECT FROM imports WHERE id = ${importId} FOR UPDATE`);
  const ended = new Set(await endPlanned(tx, planned, end, now));
  if (!importId || ended.size === 0) return ended;
  if (concernsAll && end.state === 'failed') await failRest(tx, importId, end.error, now);
  const goesOn = sql`EXISTS (SELECT FROM planned_articles WHERE import_id = ${importId} AND ${isUnfinished})`;
  // After a power cut this is done again, with the same result.
  const change = sql`
    state = CASE WHEN ${goesOn} THEN state WHEN error IS NULL THEN 'done' ELSE 'failed' END,
    finished_at = CASE WHEN ${goesOn} THEN NULL ELSE ${now}::timestamptz END`;
  await tx.run(changeImport(change, sql`id = ${importId}`, now, withoutSync));
  return ended;
}

async function failRest(tx: Queries, importId: string, error: JobError, now: Date): Promise<void> {
  await tx.query(sql`
    UPDATE planned_articles SET state = 'failed', error = ${json(error)}, finished_at = ${now}
    WHERE import_id = ${importId} AND state = 'waiting'`);
  await tx.query(sql`UPDATE imports SET error = coalesce(error, ${json(error)}) WHERE id = ${importId}`);
}

export async function cancelImport(
  tx: Queries,
  { importId, userId, now }: { importId: string; userId: string; now: Date },
): Promise<boolean> {
  const change = sql`state = 'cancelled', finished_at = ${now}`;
  const own = sql`id = ${importId} AND user_id = ${userId}`;
  if (!(await tx.any(changeImport(change, own, now)))) return false;
  const jobIds = await tx.values<string | null>(sql`
    UPDATE planned_articles SET state = 'skipped', finished_at = ${now}
    WHERE import_id = ${importId} AND ${isUnfinished} RETURNING job_id`);
  for (const jobId of jobIds.filter((id) => id !== null).toSorted())
    await giveUpPlannedJob(tx, { jobId, userId, now });
  return true;
}

export const deleteFinishedImports = (db: Queries, before: Date) =>
  db.run(sql`DELETE FROM imports WHERE finished_at < ${before}`);

interface ImportRow
  extends Repository,
    Pick<Tables['imports'], 'state' | 'version' | 'startedAt'>,
    Pick<RequestedJob, 'done' | 'total' | 'error'> {
  jobId: string;
}

const withCounts = sql`imports CROSS JOIN LATERAL (
  SELECT count(*)::integer AS total, count(*) FILTER (WHERE state IN ('done', 'failed'))::integer AS done
  FROM planned_articles WHERE import_id = imports.id) AS counted`;

/** Null where it is not theirs, or they may not see the repository. */
export async function findImportOfRequester(
  db: Queries,
  { jobId, userId }: WantedJob,
  { now, purpose }: Omit<DetailViewer, 'userId'>,
): Promise<FoundJob | null> {
  const viewer = { userId, now, purpose };
  const [row] = await db.query<ImportRow>(sql`
    SELECT ${columnsFor(viewer)}, imports.id AS "jobId", imports.state, imports.version, imports.error, counted.done,
      counted.total, imports.started_at
    FROM ${withCounts} JOIN repositories ON repositories.id = imports.repository_id
    WHERE imports.id = ${jobId} AND imports.user_id = ${userId} AND ${visibleTo(viewer)}`);
  if (!row) return null;
  const { jobId: id, state, version, error, done, total, startedAt, ...repository } = row;
  const step = state === 'queued' ? 'queued' : 'writing';
  const articles = { startedAt, ...(await findArticles(db, id)) };
  return {
    job: { id, state, version, error, step, done, total, articleId: null, articles },
    repository,
  };
}

interface PlanRow extends Pick<PlanColumns, 'prNumber' | 'state'> {
  error: JobError | null;
  step: RequestedJob['step'] | null;
  done: number | null;
  total: number | null;
}

async function findArticles(db: Queries, importId: string): Promise<Omit<ImportedArticles, 'startedAt'>> {
  const rows = await db.query<PlanRow>(sql`
    SELECT planned.pr_number, planned.state, planned.error, writing_jobs.step, writing_jobs.done, writing_jobs.total
    FROM planned_articles AS planned LEFT JOIN writing_jobs ON writing_jobs.id = planned.job_id
    WHERE planned.import_id = ${importId} AND planned.state IN ('running', 'done', 'failed') ORDER BY planned.id`);
  return {
    written: rows.flatMap(({ state, prNumber }) => (state === 'done' ? prNumber : [])),
    current: rows.flatMap(({ state, prNumber, step, done, total }) =>
      state === 'running' ? { prNumber, step: step ?? 'queued', done: done ?? 0, total: total ?? 0 } : [],
    ),
    failures: rows.flatMap(({ prNumber, error }) => (error ? { prNumber, error } : [])),
  };
}

/** The last import of a user in a repository that is not over. */
export const findLiveImportOf = (
  db: Queries,
  { userId, repositoryId }: { userId: string; repositoryId: string },
) =>
  db.value<string>(sql`
    SELECT id FROM imports
    WHERE user_id = ${userId} AND repository_id = ${repositoryId} AND ${isAlive}
    ORDER BY created_at DESC LIMIT 1`);

export const listWaiting = (db: Queries, importId: string) =>
  db.values<number>(sql`
    SELECT pr_number FROM planned_articles WHERE import_id = ${importId} AND state = 'waiting'`);

/** No check of visibility: for the operator. */
export const findImportProgress = (db: Queries, importId: string) =>
  db.first<Pick<RequestedJob, 'state' | 'done' | 'total' | 'error'>>(
    sql`SELECT state, done, total, error FROM ${withCounts} WHERE id = ${importId}`,
  );

export const listImportFailures = (db: Queries, importId: string) =>
  db.query<{ prNumber: number; error: JobError }>(sql`
    SELECT pr_number, error FROM planned_articles
    WHERE import_id = ${importId} AND state = 'failed' ORDER BY id`);

/** By list prices; null where no cost is known. */
export async function sumImportCost(db: Queries, importId: string): Promise<number | null> {
  const cost = await db.value<string>(sql`
    SELECT sum((contents.body::jsonb #>> '{usage,estimatedCostUsd}')::numeric)::text AS cost
    FROM planned_articles AS planned
    JOIN pull_requests ON pull_requests.repository_id = planned.repository_id
      AND pull_requests.number = planned.pr_number
    JOIN articles ON articles.pull_request_id = pull_requests.id
    JOIN article_contents AS contents ON contents.article_id = articles.id
      AND contents.language_code = planned.language_code
    WHERE planned.import_id = ${importId} AND planned.state = 'done'`);
  return cost ? Number(cost) : null;
}

type PlanColumns = Tables['planned_articles'];

export interface PlannedArticle
  extends Pick<PlanColumns, 'id' | 'repositoryId' | 'prNumber' | 'languageCode' | 'attempt' | 'deferred'>,
    Pick<PlanColumns, 'importId' | 'jobId'>,
    Omit<Repository, 'id' | 'checkedAt' | 'unreachableSince'> {
  /** Whose rights are used; null for articles on behalf of all followers. */
  userId: string | null;
  /** Whether it is written although its pull request is open: there is an article already. */
  mayBeOpen: boolean;
}

type HeldPlan = Pick<PlannedArticle, 'id' | 'attempt'>;

/** The turn of a new planned article. */
export const turnOfPlanned = (userId: string | null, now: Date): Sql =>
  nextTurn(
    { table: sql`planned_articles`, waiting: sql`state = 'waiting' AND not_before <= ${now}::timestamptz` },
    userId,
  );

/** In the given order. */
async function planArticles(
  tx: Queries,
  plan: Pick<PlannedArticle, 'repositoryId' | 'userId' | 'languageCode' | 'importId'> & { numbers: number[] },
  now: Date,
): Promise<void> {
  const { repositoryId, userId, languageCode, importId, numbers } = plan;
  await tx.query(sql`
    INSERT INTO planned_articles (repository_id, user_id, import_id, pr_number, language_code, not_before, turn)
    SELECT ${repositoryId}::uuid, ${userId}::uuid, ${importId}::uuid, number, ${languageCode}::text, ${now}::timestamptz,
      ${turnOfPlanned(userId, now)} + place - 1
    FROM unnest(${numbers}::bigint[]) WITH ORDINALITY AS wanted (number, place)
    ORDER BY place
    ON CONFLICT DO NOTHING`);
}

/**
 * Claims what is due next, also from a worker that died, and of its import what comes after that where the host reads it
 * together. Users take turns. A job from before the pull request moved is not waited for.
 */
export const claimPlanned = (
  db: Queries,
  now: Date,
  { together, atMost }: { together: string[]; atMost: number } = { together: [], atMost: 1 },
) =>
  db.query<PlannedArticle>(sql`
    WITH due AS (
      SELECT id, not_before, import_id, repository_id FROM planned_articles
      WHERE ${isUnfinished} AND not_before <= ${now} AND ${isUnheld}
      ORDER BY turn, not_before, id LIMIT 1 FOR UPDATE SKIP LOCKED),
    next AS (
      SELECT planned.id FROM due JOIN repositories ON repositories.id = due.repository_id
      CROSS JOIN LATERAL (
        SELECT id FROM planned_articles
        WHERE import_id = due.import_id AND id <> due.id AND ${isUnfinished} AND not_before <= ${now}
          AND ${isUnheld}
        ORDER BY not_before, id LIMIT ${atMost - 1} FOR UPDATE SKIP LOCKED) AS planned
      WHERE repositories.host = ANY(${together}::text[])),
    claimed AS (
      UPDATE planned_articles SET state = 'running', is_due_again = false, attempt = attempt + 1, heartbeat_at = clock_timestamp(),
        job_id = CASE WHEN is_due_again THEN NULL ELSE job_id END
      WHERE id IN (SELECT id FROM due UNION ALL SELECT id FROM next)
      RETURNING *)
    SELECT claimed.id, attempt, deferred, repository_id, host, host_repo_id, owner, name, is_private, pr_number,
      language_code, user_id, import_id, job_id, may_be_open
    FROM claimed JOIN repositories ON repositories.id = claimed.repository_id ORDER BY not_before, claimed.id`);

/** Renews the heartbeat of a worker. Articles that it lost are not among those returned. */
export const renewPlanned = (db: Queries, held: HeldPlan[]) =>
  db.query<HeldPlan>(renewal(held, { table: sql`planned_articles`, id: sql`bigint` }));

/** False when the worker has lost the article. */
export const notePlannedJob = (db: Queries, held: HeldPlan, jobId: string | null) =>
  db.any(sql`UPDATE planned_articles SET job_id = ${jobId} WHERE ${isHeldBy(held)} RETURNING ${withoutSync}`);

export async function isPlanOver(db: Queries, id: number): Promise<boolean> {
  return !(await db.any(sql`
    SELECT 1 FROM planned_articles WHERE id = ${id} AND ${isUnfinished}`));
}

/** Cancels a job, unless another planned article of the user waits for it. */
export async function giveUpPlannedJob(
  tx: Queries,
  { jobId, userId, now }: { jobId: string; userId: string; now: Date },
): Promise<void> {
  // With the lock, the second of two concurrent calls sees that the first no longer waits.
  await tx.query(sql`SELECT FROM writing_jobs WHERE id = ${jobId} FOR UPDATE`);
  const others = await tx.query(sql`
    SELECT 1 FROM planned_articles
    WHERE user_id = ${userId} AND job_id = ${jobId} AND ${isUnfinished} LIMIT 1`);
  if (others.length === 0) await giveUpJob(tx, { jobId, userId, now });
}

/** For a worker that is about to end. */
export const putPlannedBack = (db: Queries, held: HeldPlan) =>
  db.run(sql`UPDATE planned_articles SET state = 'waiting', heartbeat_at = NULL WHERE ${isHeldBy(held)}`);

/**
 * Defers it, and what is planned for the same user in the same repository, or in the same language there: that would be
 * refused as well.
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

export type PlannedEnd = { state: 'done' } | { state: 'failed'; error: JobError };

/**
 * Ends them, or defers those for a moment whose pull request moved meanwhile; without those that the worker has lost. Lock
 * the import first.
 */
function endPlanned(tx: Queries, held: HeldPlan[], end: PlannedEnd, now: Date): Promise<number[]> {
  const error = end.state === 'failed' ? json(end.error) : sql`NULL`;
  return tx.values(sql`
    UPDATE planned_articles AS planned SET state = CASE WHEN is_due_again THEN 'waiting' ELSE ${end.state}::text END,
      error = ${error}, finished_at = CASE WHEN is_due_again THEN NULL ELSE ${now}::timestamptz END,
      not_before = CASE WHEN is_due_again THEN ${new Date(now.getTime() + restsForMs)} ELSE not_before END,
      heartbeat_at = NULL, job_id = NULL
    FROM unnest(${held.map(({ id }) => id)}::bigint[], ${held.map(({ attempt }) => attempt)}::integer[])
      AS held (id, attempt)
    WHERE planned.id = held.id AND planned.attempt = held.attempt AND planned.state = 'running' RETURNING planned.id`);
}

/** Planned articles of an import are deleted with it. */
export const deleteFinishedPlans = (db: Queries, before: Date) =>
  db.run(sql`DELETE FROM planned_articles WHERE import_id IS NULL AND finished_at < ${before}`);
