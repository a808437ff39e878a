import type { ErrorCode, ErrorDetail } from '../domain/errors.ts';
import type { JobProgress } from '../domain/pull-requests.ts';
import type { Queries } from './database.ts';
import { deletePaidAnswers } from './drafts.ts';
import { returnToQuota } from './quotas.ts';
import type { Tables } from './schema.ts';
import { json, type Sql, sql, withoutSync } from './sql.ts';
import { type DetailViewer, knownTo, type Repository, visibleTo } from './visibility.ts';

/** Why an article was not written, as its askers are told. */
export interface JobError {
  code: ErrorCode;
  message: string;
  details?: ErrorDetail[];
  /** When it makes sense to ask again, where that is known. */
  retryAt?: string;
}

/** What makes two requests ask for the same work. */
export type WorkKey = Pick<
  Tables['writing_jobs'],
  'pullRequestId' | 'baseSha' | 'headSha' | 'languageCode' | 'writer'
>;

/** Some work, and why it is done without a model where a service has one and was asked to do without. */
export interface Work extends WorkKey {
  because?: 'budget' | null;
}

/** The channel on which every visible change is told, as the id, the version and the state. */
export const jobChannel = 'writing_jobs';

/** Makes a change to jobs, or to imports, and notifies the requests that wait for them, all in one statement. */
export const changeAndNotify = (change: Sql, columns: Sql = sql`id`): Sql => sql`
  WITH changed AS (${change} RETURNING *)
  SELECT ${columns}, pg_notify(${jobChannel}, concat_ws(' ', id, version, state)) AS told FROM changed`;

/** Has those look who claim what waits. */
export const announceQueued = sql`SELECT pg_notify(${jobChannel}, concat_ws(' ', gen_random_uuid(), 1, 'queued'))`;

export const isAlive = sql`state IN ('queued', 'running')`;

/**
 * Creates the job for some work, which begins once the transaction commits; null when there is one already. What was planned
 * begins when nothing else waits.
 */
export async function claimWork(
  tx: Queries,
  work: Work,
  now: Date,
  { isPlanned = false } = {},
): Promise<string | null> {
  const { pullRequestId, baseSha, headSha, languageCode, writer, because = null } = work;
  const [job] = await tx.query<Pick<Tables['writing_jobs'], 'id'>>(
    changeAndNotify(
      sql`
      INSERT INTO writing_jobs
        (pull_request_id, base_sha, head_sha, language_code, writer, because, is_planned, created_at, updated_at, queued_at)
      VALUES (${pullRequestId}, ${baseSha}, ${headSha}, ${languageCode}, ${writer}, ${because}, ${isPlanned}, ${now}, ${now}, ${now})
      ON CONFLICT (pull_request_id, head_sha, base_sha, language_code, writer) WHERE ${isAlive} DO NOTHING`,
      isPlanned ? sql`id, ${withoutSync}` : sql`id`,
    ),
  );
  return job?.id ?? null;
}

/** How many jobs wait or are being worked on. */
export const countLiveJobs = async (db: Queries) =>
  (await db.value<number>(sql`SELECT count(*) AS live FROM writing_jobs WHERE ${isAlive}`)) ?? 0;

/** Gives work back that was taken on in the same transaction. */
export const unclaimWork = (tx: Queries, jobId: string) =>
  tx.run(sql`DELETE FROM writing_jobs WHERE id = ${jobId}`);

/** The job that does this work now. It cannot be cancelled before the transaction ends. */
export async function findLiveJob(tx: Queries, work: WorkKey): Promise<string | null> {
  const { pullRequestId, baseSha, headSha, languageCode, writer } = work;
  const [job] = await tx.query<Pick<Tables['writing_jobs'], 'id'>>(sql`
    SELECT id FROM writing_jobs
    WHERE pull_request_id = ${pullRequestId} AND base_sha = ${baseSha} AND head_sha = ${headSha}
      AND language_code = ${languageCode} AND writer = ${writer} AND ${isAlive}
    FOR UPDATE`);
  return job?.id ?? null;
}

/** Notes that a user wants the result of a job, also if they had given it up before. */
export const addAsker = (tx: Queries, { jobId, userId }: { jobId: string; userId: string }) =>
  tx.run(sql`
    INSERT INTO writing_job_askers (job_id, user_id) VALUES (${jobId}, ${userId})
    ON CONFLICT (job_id, user_id) DO UPDATE SET cancelled_at = NULL`);

/** How far some jobs, or imports, are, without a check of visibility: for waking requests that wait, never for showing. */
export const findJobVersions = (db: Queries, jobIds: string[]) =>
  db.query<Pick<Tables['writing_jobs'], 'id' | 'version' | 'state'>>(sql`
    SELECT id, version, state FROM writing_jobs WHERE id = ANY(${jobIds}::uuid[])
    UNION ALL SELECT id, version, state FROM imports WHERE id = ANY(${jobIds}::uuid[])`);

export interface StartedJob extends Work, Pick<Tables['writing_jobs'], 'id'> {
  /** Which start this is. A worker with an older one can change nothing any more. */
  attempt: Tables['writing_jobs']['attempt'];
  /** How many starts came to nothing by themselves since the last one that got further. */
  failures: number;
  /** Whether no person waits for it. */
  isPlanned: Tables['writing_jobs']['isPlanned'];
}

/** A worker that has not shown for this long that it lives is dead: longer than a database that stalls is waited for. */
const deadAfterSeconds = 20;

/** By the clock of the database, because those of several processes differ. */
export const isUnheld = sql`(heartbeat_at IS NULL
  OR heartbeat_at < clock_timestamp() - make_interval(secs => ${deadAfterSeconds}::double precision))`;

/** Has a job that was only planned go before all that is: a person waits for it now. */
export const hurryJob = (tx: Queries, jobId: string) =>
  tx.run(sql`UPDATE writing_jobs SET is_planned = false WHERE id = ${jobId} AND is_planned`);

/** Takes the job that has waited longest, also from a worker that died; null where none waits. What was planned comes last. */
export const claimJob = (db: Queries, now: Date) =>
  db.first<StartedJob>(
    changeAndNotify(
      sql`
        UPDATE writing_jobs SET state = 'running', attempt = attempt + 1, version = version + 1, updated_at = ${now},
          heartbeat_at = clock_timestamp()
        WHERE id = (
          SELECT id FROM writing_jobs WHERE ${isAlive} AND ${isUnheld}
          ORDER BY is_planned, queued_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)`,
      sql`id, pull_request_id, base_sha, head_sha,
        language_code, writer, because, is_planned, attempt, attempt - 1 - put_back AS failures`,
    ),
  );

/** What a worker shows to be the one that holds a job. */
export type HeldJob = Pick<StartedJob, 'id' | 'attempt'>;

const isHeldBy = ({ id, attempt }: HeldJob): Sql =>
  sql`id = ${id} AND attempt = ${attempt} AND state = 'running'`;

/** Shows that the worker of some jobs lives; those that were taken from it, or were given up, are not among what it returns. */
export async function renewHeartbeats(db: Queries, jobs: HeldJob[]): Promise<HeldJob[]> {
  const ids = jobs.map(({ id }) => id);
  const attempts = jobs.map(({ attempt }) => attempt);
  return db.query(sql`
    UPDATE writing_jobs SET heartbeat_at = clock_timestamp()
    FROM unnest(${ids}::uuid[], ${attempts}::integer[]) AS held (id, attempt)
    WHERE writing_jobs.id = held.id AND writing_jobs.attempt = held.attempt AND state = 'running'
    RETURNING held.id, held.attempt`);
}

/** Notes how far the work is; false when it was taken from this worker. */
export const saveProgress = (db: Queries, job: StartedJob, { step, done, total }: JobProgress, now: Date) =>
  db.any(
    changeAndNotify(
      sql`
      UPDATE writing_jobs
      SET step = ${step}, done = ${done}, total = ${total}, version = version + 1, updated_at = ${now}
      WHERE ${isHeldBy(job)}`,
      withoutSync,
    ),
  );

/** Ends the work well; false when it was taken from this worker, who must then publish nothing. */
export async function finishJob(
  tx: Queries,
  job: StartedJob,
  { step, total }: JobProgress,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    changeAndNotify(sql`
      UPDATE writing_jobs
      SET state = 'done', step = ${step}, done = ${total}, total = ${total}, version = version + 1,
        updated_at = ${now}, finished_at = ${now}
      WHERE ${isHeldBy(job)}`),
  );
  if (rows.length > 0) await deletePaidAnswers(tx, job.id);
  return rows.length > 0;
}

export const noteArticle = (tx: Queries, job: StartedJob, articleId: string) =>
  tx.run(sql`UPDATE writing_jobs SET article_id = ${articleId} WHERE id = ${job.id}`);

/** Ends the work badly; false when it was taken from this worker. */
export async function failJob(tx: Queries, job: StartedJob, error: JobError, now: Date): Promise<boolean> {
  const rows = await tx.query(
    changeAndNotify(sql`
      UPDATE writing_jobs
      SET state = 'failed', error = ${json(error)}, version = version + 1, updated_at = ${now}, finished_at = ${now}
      WHERE ${isHeldBy(job)}`),
  );
  if (rows.length > 0) {
    await returnToQuota(tx, job.id);
    await deletePaidAnswers(tx, job.id);
  }
  return rows.length > 0;
}

/** Notes that a model is about to be called; false when the job was taken from this worker, who must then call none. */
export const noteModelCall = (tx: Queries, job: HeldJob) =>
  tx.any(sql`UPDATE writing_jobs SET model_called = true WHERE ${isHeldBy(job)} RETURNING id`);

/** Lets another worker have the job; false when it was taken from this worker. */
export const putJobBack = (
  tx: Queries,
  job: StartedJob,
  { countsAsFailure, now }: { countsAsFailure: boolean; now: Date },
) =>
  tx.any(
    changeAndNotify(sql`
      UPDATE writing_jobs
      SET state = 'queued', step = 'queued', done = 0, total = 0, version = version + 1, updated_at = ${now},
        queued_at = ${now}, heartbeat_at = NULL, put_back = least(attempt, put_back + ${countsAsFailure ? 0 : 1})
      WHERE ${isHeldBy(job)}`),
  );

export const finishedBefore = (before: Date): Sql => sql`writing_jobs.finished_at < ${before}`;

/** Removes what ended longer ago than results are kept. */
export const deleteFinishedJobs = (db: Queries, before: Date) =>
  db.run(sql`DELETE FROM writing_jobs WHERE ${finishedBefore(before)}`);

/** Whether those who watch a repository wait for a job: it was paid from what watching may spend, or is planned for them. */
const isWatchedFor = sql`(budget_day IS NOT NULL OR EXISTS (
  SELECT FROM pull_requests JOIN planned_articles AS planned
    ON planned.repository_id = pull_requests.repository_id AND planned.pr_number = pull_requests.number
  WHERE pull_requests.id = writing_jobs.pull_request_id AND planned.language_code = writing_jobs.language_code
    AND planned.import_id IS NULL AND planned.user_id IS NULL AND planned.state IN ('waiting', 'running')
    AND planned.job_id = writing_jobs.id))`;

/**
 * A user wants the result no longer. When no other user does either, nor those who watch, the work ends; true then. What was
 * taken from a quota for it goes back unless a model was called: calls that are given up are paid like any other.
 */
export async function giveUpJob(
  tx: Queries,
  { jobId, userId, now }: { jobId: string; userId: string; now: Date },
): Promise<boolean> {
  // The lock keeps other users from joining a job that is about to be cancelled.
  const [live] = await tx.query<Pick<Tables['writing_jobs'], 'modelCalled'>>(sql`
    SELECT model_called FROM writing_jobs WHERE id = ${jobId} AND ${isAlive} FOR UPDATE`);
  if (!live) return false;
  await tx.query(sql`
    UPDATE writing_job_askers SET cancelled_at = ${now}
    WHERE job_id = ${jobId} AND user_id = ${userId} AND cancelled_at IS NULL`);
  const waiting = await tx.query(sql`
    SELECT 1 FROM writing_job_askers WHERE job_id = ${jobId} AND cancelled_at IS NULL
    UNION ALL SELECT 1 FROM writing_jobs WHERE id = ${jobId} AND ${isWatchedFor}
    LIMIT 1`);
  const ends = waiting.length === 0;
  const change = ends
    ? sql`UPDATE writing_jobs
        SET state = 'cancelled', version = version + 1, updated_at = ${now}, finished_at = ${now}
        WHERE id = ${jobId}`
    : sql`UPDATE writing_jobs SET version = version + 1, updated_at = ${now} WHERE id = ${jobId}`;
  await tx.query(changeAndNotify(change));
  if (!ends) return false;
  if (!live.modelCalled) await returnToQuota(tx, jobId);
  await deletePaidAnswers(tx, jobId);
  return true;
}

/**
 * Ends the work about pull requests that are about to go, even where users still wait for it; quotas get back what no model
 * was called for.
 */
export async function cancelJobs(tx: Queries, pullRequestIds: string[], now: Date): Promise<void> {
  const ended = await tx.query<Pick<Tables['writing_jobs'], 'id' | 'modelCalled'>>(
    changeAndNotify(
      sql`UPDATE writing_jobs
          SET state = 'cancelled', version = version + 1, updated_at = ${now}, finished_at = ${now}
          WHERE pull_request_id = ANY(${pullRequestIds}::uuid[]) AND ${isAlive}`,
      sql`id, model_called`,
    ),
  );
  for (const { id, modelCalled } of ended) if (!modelCalled) await returnToQuota(tx, id);
}

/** A job as one of its askers sees it. */
export interface AskedJob
  extends JobProgress,
    Pick<Tables['writing_jobs'], 'id' | 'state' | 'done' | 'total' | 'version' | 'error' | 'articleId'> {
  error: JobError | null;
  /** What has become of the articles of an import; absent for the writing of a single one. */
  articles?: ImportedArticles;
}

export interface ImportedArticles {
  startedAt: Date | null;
  written: number[];
  current: ({ prNumber: number } & JobProgress)[];
  failures: { prNumber: number; error: JobError }[];
}

/** A job, and who has asked for it. */
export interface WantedJob {
  jobId: string;
  userId: string;
}

/** A job as one of its askers sees it, and the repository that it is about. */
export interface FoundJob {
  job: AskedJob;
  repository: Repository;
}

type JobRow = AskedJob &
  Omit<Repository, 'id'> & { place: number; gaveUp: boolean; repositoryId: Tables['repositories']['id'] };

/**
 * Several jobs in one look, each for its own user; null where the user has not asked for it or may not see it. A user who
 * gave a job up sees it cancelled, even while it goes on for other users.
 */
export async function findJobsOfAskers(
  db: Queries,
  wanted: WantedJob[],
  { now, purpose }: Omit<DetailViewer, 'userId'>,
): Promise<(FoundJob | null)[]> {
  const userId = sql`wanted.user_id`;
  const jobs = wanted.map(({ jobId }) => jobId);
  const users = wanted.map((one) => one.userId);
  const rows = await db.query<JobRow>(sql`
    SELECT wanted.place, writing_jobs.id, writing_jobs.state, writing_jobs.step, writing_jobs.done, writing_jobs.total,
      writing_jobs.version, writing_jobs.error, writing_jobs.article_id,
      askers.cancelled_at IS NOT NULL AS "gaveUp", repositories.id AS "repositoryId", repositories.host,
      repositories.host_repo_id, repositories.owner, repositories.name,
      repositories.is_private, ${knownTo({ userId })}
    FROM unnest((SELECT ${jobs}::uuid[]), (SELECT ${users}::uuid[])) WITH ORDINALITY AS wanted (job_id, user_id, place)
    JOIN writing_job_askers AS askers ON askers.job_id = wanted.job_id AND askers.user_id = wanted.user_id
    JOIN writing_jobs ON writing_jobs.id = askers.job_id
    JOIN pull_requests ON pull_requests.id = writing_jobs.pull_request_id
    JOIN repositories ON repositories.id = pull_requests.repository_id
    WHERE ${visibleTo({ userId, now, purpose })}`);
  const byPlace = new Map(rows.map((row) => [row.place, jobOf(row)]));
  return wanted.map((_, index) => byPlace.get(index + 1) ?? null);
}

function jobOf(row: JobRow): FoundJob {
  const { id, state, step, done, total, version, error, articleId, gaveUp } = row;
  const { repositoryId, host, hostRepoId, owner, name, isPrivate, checkedAt, unreachableSince } = row;
  const job = { id, state, step, done, total, version, error, articleId };
  return {
    job: gaveUp ? { ...job, state: 'cancelled', error: null, articleId: null } : job,
    repository: { id: repositoryId, host, hostRepoId, owner, name, isPrivate, checkedAt, unreachableSince },
  };
}

/** How a job stands, without a check of visibility: for going on with what waits for it, never for showing. */
export const findJobOutcome = (db: Queries, jobId: string) =>
  db.first<Pick<AskedJob, 'state' | 'error'>>(sql`SELECT state, error FROM writing_jobs WHERE id = ${jobId}`);

/** What a user has asked for and still wants, about a pull request that they were just shown. */
export interface LiveJob
  extends JobProgress,
    Pick<Tables['writing_jobs'], 'id' | 'languageCode' | 'done' | 'total'> {}

/** The job that goes on for a user about a pull request, in one language or else in the one that was asked for last. */
export async function findLiveJobOfUser(
  db: Queries,
  { pullRequestId, userId, language }: LiveJobWish,
): Promise<LiveJob | null> {
  const inLanguage = language === undefined ? sql`` : sql`AND writing_jobs.language_code = ${language}`;
  const isAbout = sql`writing_jobs.pull_request_id = ${pullRequestId} ${inLanguage}`;
  const [job] = await db.query<LiveJob>(liveJobOf(userId, isAbout));
  return job ?? null;
}

/** The same as a part of other statements, of what is told of jobs. */
export const liveJobOf = (userId: string, isAbout: Sql): Sql => sql`
  SELECT writing_jobs.id, writing_jobs.language_code AS "languageCode", writing_jobs.step, writing_jobs.done,
    writing_jobs.total
  FROM writing_jobs
  JOIN writing_job_askers AS askers ON askers.job_id = writing_jobs.id AND askers.user_id = ${userId}
  WHERE ${isAbout} AND ${isAlive} AND askers.cancelled_at IS NULL
  ORDER BY writing_jobs.created_at DESC, writing_jobs.id LIMIT 1`;

interface LiveJobWish {
  pullRequestId: string;
  userId: string;
  language: string | undefined;
}
