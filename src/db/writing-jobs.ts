import type { ErrorCode, ErrorDetail } from '../domain/errors.ts';
import type { JobProgress, JobState } from '../domain/pull-requests.ts';
import type { Queries } from './database.ts';
import { deletePaidAnswers } from './drafts.ts';
import { returnToQuota } from './quotas.ts';
import type { Tables } from './schema.ts';
import { json, type Sql, sql, withoutSync } from './sql.ts';
import { nextTurn } from './turns.ts';
import { type DetailViewer, knownTo, type Repository, visibleTo } from './visibility.ts';

export interface JobError {
  code: ErrorCode;
  message: string;
  details?: ErrorDetail[];
  retryAt?: string;
}

type JobColumns = Tables['writing_jobs'];

export type WorkKey = Pick<JobColumns, 'pullRequestId' | 'baseSha' | 'headSha' | 'languageCode' | 'writer'>;

/** What a job answers, and in which pull requests it looks. */
export interface AskedQuestion {
  text: string;
  isAboutRepository: boolean;
  pullRequestIds: string[];
  /** Its key where it is answered without a model. */
  standInKey: string;
}

/** `because` says why it is done without a model where there is one. A job without a question writes an article. */
export interface Work extends WorkKey {
  because?: 'budget' | null;
  question?: AskedQuestion | null;
  /** A hash of what makes two questions the same; empty for an article. */
  questionKey?: string;
}

/** The channel for every visible change, as id, version and state. */
export const jobChannel = 'writing_jobs';

/** Changes jobs, or imports, and notifies the requests that wait for them, in one statement. */
export const changeAndNotify = (change: Sql, columns: Sql = sql`id`): Sql => sql`
  WITH changed AS (${change} RETURNING *)
  SELECT ${columns}, pg_notify(${jobChannel}, concat_ws(' ', id, version, state)) AS notified FROM changed`;

/** Wakes the workers. */
export const announceQueued = sql`SELECT pg_notify(${jobChannel}, concat_ws(' ', gen_random_uuid(), 1, 'queued'))`;

export const isAlive = sql`state IN ('queued', 'running')`;

interface Requester {
  /** Null for a job that is nobody's in particular. */
  userId: string | null;
  isPlanned: boolean;
}

const nobody: Requester = { userId: null, isPlanned: true };

const turnOf = ({ userId, isPlanned }: Requester): Sql =>
  nextTurn(
    { table: sql`writing_jobs`, waiting: sql`state = 'queued' AND is_planned = ${isPlanned}` },
    userId,
  );

/**
 * Creates a job, which starts once the transaction commits; null when there is one for the same work. Planned jobs start
 * when nothing else waits.
 */
export function claimWork(tx: Queries, work: Work, now: Date, requester = nobody) {
  const { pullRequestId, baseSha, headSha, languageCode, writer, because = null } = work;
  const { question = null, questionKey = '' } = work;
  const { userId, isPlanned } = requester;
  const insertion = sql`
    INSERT INTO writing_jobs (pull_request_id, base_sha, head_sha, language_code, writer, because, question, question_key,
      user_id, is_planned, turn, created_at, updated_at, queued_at)
    VALUES (${pullRequestId}, ${baseSha}, ${headSha}, ${languageCode}, ${writer}, ${because},
      ${question && json(question)}, ${questionKey}, ${userId}, ${isPlanned}, ${turnOf(requester)}, ${now}, ${now}, ${now})
    ON CONFLICT (pull_request_id, head_sha, base_sha, language_code, writer, question_key) WHERE ${isAlive} DO NOTHING`;
  return tx.value<string>(changeAndNotify(insertion, isPlanned ? sql`id, ${withoutSync}` : sql`id`));
}

export const countLiveJobs = (db: Queries) =>
  db.count(sql`SELECT count(*) FROM writing_jobs WHERE ${isAlive}`);

/** Deletes a job that this transaction created. */
export const unclaimWork = (tx: Queries, jobId: string) =>
  tx.run(sql`DELETE FROM writing_jobs WHERE id = ${jobId}`);

/** The job that does this work now. It cannot be cancelled before the transaction ends. */
export const findLiveJob = (
  tx: Queries,
  { pullRequestId, baseSha, headSha, languageCode, writer, questionKey = '' }: Work,
) =>
  tx.value<string>(sql`
    SELECT id FROM writing_jobs
    WHERE pull_request_id = ${pullRequestId} AND base_sha = ${baseSha} AND head_sha = ${headSha}
      AND language_code = ${languageCode} AND writer = ${writer} AND question_key = ${questionKey} AND ${isAlive}
    FOR UPDATE`);

/** Adds a requester, also one who had cancelled. */
export const addRequester = (tx: Queries, { jobId, userId }: { jobId: string; userId: string }) =>
  tx.run(sql`
    INSERT INTO writing_job_askers (job_id, user_id) VALUES (${jobId}, ${userId})
    ON CONFLICT (job_id, user_id) DO UPDATE SET cancelled_at = NULL`);

/** No check of visibility: for waking requests, not for showing. */
export const findJobVersions = (db: Queries, jobIds: string[]) =>
  db.query<Pick<JobColumns, 'id' | 'version' | 'state'>>(sql`
    SELECT id, version, state FROM writing_jobs WHERE id = ANY(${jobIds}::uuid[])
    UNION ALL SELECT id, version, state FROM imports WHERE id = ANY(${jobIds}::uuid[])
    UNION ALL SELECT id, version, state FROM added_repositories WHERE id = ANY(${jobIds}::uuid[])`);

export interface StartedJob extends Work, Pick<JobColumns, 'id' | 'attempt' | 'isPlanned'> {
  question: AskedQuestion | null;
  /** Failed starts since the last one that made progress. */
  failures: number;
}

/** Longer than any wait for a stalled database. */
export const deadAfterSeconds = 20;

/** By the clock of the database, because clocks of processes differ. */
export const isUnheld = sql`(heartbeat_at IS NULL
  OR heartbeat_at < clock_timestamp() - make_interval(secs => ${deadAfterSeconds}::double precision))`;

/** Gives a job to another requester whose turn comes earlier; false where it is not earlier. */
export const takeOverJob = (tx: Queries, jobId: string, requester: Requester) =>
  tx.any(sql`
    UPDATE writing_jobs AS job SET user_id = ${requester.userId}, is_planned = ${requester.isPlanned}, turn = theirs.turn
    FROM (SELECT ${turnOf(requester)} AS turn) AS theirs
    WHERE id = ${jobId} AND (job.is_planned, job.turn) > (${requester.isPlanned}, theirs.turn) RETURNING id`);

/** The order in which jobs are claimed. */
export const inTurn = sql`is_planned, turn, queued_at, id`;

/** Claims the next job, also one whose worker died. Users take turns, and planned jobs come last. */
export function claimJob(db: Queries, now: Date): Promise<StartedJob | null> {
  const next = sql`(
    SELECT id FROM writing_jobs WHERE ${isAlive} AND ${isUnheld} ORDER BY ${inTurn} LIMIT 1 FOR UPDATE SKIP LOCKED)`;
  const start = sql`state = 'running', attempt = attempt + 1, heartbeat_at = clock_timestamp()`;
  const columns = sql`id, pull_request_id, base_sha, head_sha, language_code, writer, because, question, question_key, is_planned, attempt,
    attempt - 1 - put_back AS failures`;
  return db.first<StartedJob>(changeJobs(start, sql`id = ${next}`, now, columns));
}

/** A worker with an older attempt can no longer change anything. */
export type HeldJob = Pick<StartedJob, 'id' | 'attempt'>;

export const isHeldBy = ({ id, attempt }: { id: string | number; attempt: number }): Sql =>
  sql`id = ${id} AND attempt = ${attempt} AND state = 'running'`;

/** Changes some jobs and notifies the requests that wait for them. */
const changeJobs = (change: Sql, which: Sql, now: Date, columns?: Sql): Sql =>
  changeAndNotify(
    sql`UPDATE writing_jobs SET ${change}, version = version + 1, updated_at = ${now} WHERE ${which}`,
    columns,
  );

const cancelled = (now: Date): Sql => sql`state = 'cancelled', finished_at = ${now}`;

/** Renews the heartbeat of a worker. Jobs that it lost are not among those returned. */
export const renewHeartbeats = (db: Queries, jobs: HeldJob[]) =>
  db.query<HeldJob>(renewal(jobs, { table: sql`writing_jobs`, id: sql`uuid` }));

export const renewal = (
  held: { id: string | number; attempt: number }[],
  types: { table: Sql; id: Sql; state?: JobState },
): Sql => sql`
  UPDATE ${types.table} AS jobs SET heartbeat_at = clock_timestamp()
  FROM unnest(${held.map(({ id }) => id)}::${types.id}[], ${held.map(({ attempt }) => attempt)}::integer[])
    AS held (id, attempt)
  WHERE jobs.id = held.id AND jobs.attempt = held.attempt AND state = ${types.state ?? 'running'}
  RETURNING held.id, held.attempt`;

/** False when the worker has lost the job. */
export const saveProgress = (db: Queries, job: StartedJob, { step, done, total }: JobProgress, now: Date) =>
  db.any(changeJobs(sql`step = ${step}, done = ${done}, total = ${total}`, isHeldBy(job), now, withoutSync));

/** False when the worker has lost the job, and must not publish. */
export async function finishJob(
  tx: Queries,
  job: StartedJob,
  { step, total }: JobProgress,
  now: Date,
): Promise<boolean> {
  const done = sql`state = 'done', step = ${step}, done = ${total}, total = ${total}, finished_at = ${now}`;
  const isHeld = await tx.any(changeJobs(done, isHeldBy(job), now));
  if (isHeld) await deletePaidAnswers(tx, job.id);
  return isHeld;
}

export const noteArticle = (tx: Queries, job: StartedJob, articleId: string) =>
  tx.run(sql`UPDATE writing_jobs SET article_id = ${articleId} WHERE id = ${job.id}`);

export const noteAnswer = (tx: Queries, job: StartedJob, answerId: string) =>
  tx.run(sql`UPDATE writing_jobs SET answer_id = ${answerId} WHERE id = ${job.id}`);

/** A user who still wants what a job does. */
export const findRequester = (tx: Queries, jobId: string) =>
  tx.value<string>(sql`
    SELECT user_id FROM writing_job_askers WHERE job_id = ${jobId} AND cancelled_at IS NULL ORDER BY user_id LIMIT 1`);

/** False when the worker has lost the job. */
export async function failJob(tx: Queries, job: StartedJob, error: JobError, now: Date): Promise<boolean> {
  const failed = sql`state = 'failed', error = ${json(error)}, finished_at = ${now}`;
  const isHeld = await tx.any(changeJobs(failed, isHeldBy(job), now));
  if (!isHeld) return false;
  await returnToQuota(tx, job.id);
  await deletePaidAnswers(tx, job.id);
  return true;
}

/** False when the worker has lost the job, and must not call the model. */
export const noteModelCall = (tx: Queries, job: HeldJob) =>
  tx.any(sql`UPDATE writing_jobs SET model_called = true WHERE ${isHeldBy(job)} RETURNING id`);

/** False when the worker has lost the job. */
export function putJobBack(
  tx: Queries,
  job: StartedJob,
  { countsAsFailure, now }: { countsAsFailure: boolean; now: Date },
): Promise<boolean> {
  const queued = sql`state = 'queued', step = 'queued', done = 0, total = 0, queued_at = ${now}, heartbeat_at = NULL,
    put_back = least(attempt, put_back + ${countsAsFailure ? 0 : 1})`;
  return tx.any(changeJobs(queued, isHeldBy(job), now));
}

export const finishedBefore = (before: Date): Sql => sql`writing_jobs.finished_at < ${before}`;

export const deleteFinishedJobs = (db: Queries, before: Date) =>
  db.run(sql`DELETE FROM writing_jobs WHERE ${finishedBefore(before)}`);

/** Whether followers wait for a job: it was paid from the budget for following, or planned for them. */
const isWatchedFor = sql`(budget_day IS NOT NULL OR EXISTS (
  SELECT FROM pull_requests JOIN planned_articles AS planned
    ON planned.repository_id = pull_requests.repository_id AND planned.pr_number = pull_requests.number
  WHERE pull_requests.id = writing_jobs.pull_request_id AND planned.language_code = writing_jobs.language_code
    AND planned.import_id IS NULL AND planned.user_id IS NULL AND planned.state IN ('waiting', 'running')
    AND planned.job_id = writing_jobs.id))`;

/**
 * Cancels a job for one user; it ends, and this returns true, when no other requester or follower wants it. The quota gets
 * the article back unless a model was called, because that is paid.
 */
export async function giveUpJob(
  tx: Queries,
  { jobId, userId, now }: { jobId: string; userId: string; now: Date },
): Promise<boolean> {
  // The lock keeps other users from joining a job that is about to be cancelled.
  const live = await tx.first<Pick<JobColumns, 'modelCalled'>>(sql`
    SELECT model_called FROM writing_jobs WHERE id = ${jobId} AND ${isAlive} FOR UPDATE`);
  if (!live) return false;
  await tx.query(sql`
    UPDATE writing_job_askers SET cancelled_at = ${now}
    WHERE job_id = ${jobId} AND user_id = ${userId} AND cancelled_at IS NULL`);
  const isWanted = await tx.any(sql`
    SELECT 1 FROM writing_job_askers WHERE job_id = ${jobId} AND cancelled_at IS NULL
    UNION ALL SELECT 1 FROM writing_jobs WHERE id = ${jobId} AND ${isWatchedFor}
    LIMIT 1`);
  const change = isWanted ? sql`state = state` : cancelled(now);
  await tx.run(changeJobs(change, sql`id = ${jobId}`, now));
  if (isWanted) return false;
  if (!live.modelCalled) await returnToQuota(tx, jobId);
  await deletePaidAnswers(tx, jobId);
  return true;
}

/**
 * Cancels jobs about pull requests that are being deleted, even where users wait. Quotas get back what no model was called
 * for.
 */
export async function cancelJobs(tx: Queries, pullRequestIds: string[], now: Date): Promise<void> {
  const which = sql`pull_request_id = ANY(${pullRequestIds}::uuid[]) AND ${isAlive}`;
  const ended = await tx.query<Pick<JobColumns, 'id' | 'modelCalled'>>(
    changeJobs(cancelled(now), which, now, sql`id, model_called`),
  );
  for (const { id, modelCalled } of ended) if (!modelCalled) await returnToQuota(tx, id);
}

export interface RequestedJob
  extends JobProgress,
    Pick<JobColumns, 'id' | 'state' | 'version' | 'articleId'> {
  answerId?: string | null;
  /** Whether it answers a question. */
  isQuestion?: boolean;
  error: JobError | null;
  /** Only for imports. */
  articles?: ImportedArticles;
  /** Only for repositories that are being mirrored. */
  mirror?: { owner: string; name: string; startedAt: Date | null };
}

export interface ImportedArticles {
  startedAt: Date | null;
  written: number[];
  current: ({ prNumber: number } & JobProgress)[];
  failures: { prNumber: number; error: JobError }[];
}

export interface WantedJob {
  jobId: string;
  userId: string;
}

export interface FoundJob {
  job: RequestedJob;
  repository: Repository;
}

interface JobRow extends RequestedJob, Omit<Repository, 'id'> {
  place: number;
  gaveUp: boolean;
  repositoryId: string;
}

/**
 * Several jobs in one statement, each for its own user; null where it is not theirs or they may not see it. Users who
 * cancelled see it cancelled even while it goes on for others.
 */
export async function findJobsOfRequesters(
  db: Queries,
  wanted: WantedJob[],
  { now, purpose }: Omit<DetailViewer, 'userId'>,
): Promise<(FoundJob | null)[]> {
  const userId = sql`wanted.user_id`;
  const jobs = wanted.map(({ jobId }) => jobId);
  const users = wanted.map((one) => one.userId);
  const rows = await db.query<JobRow>(sql`
    SELECT wanted.place, writing_jobs.id, writing_jobs.state, writing_jobs.step, writing_jobs.done, writing_jobs.total,
      writing_jobs.version, writing_jobs.error, writing_jobs.article_id, writing_jobs.answer_id,
      writing_jobs.question IS NOT NULL AS is_question, askers.cancelled_at IS NOT NULL AS gave_up,
      repositories.id AS repository_id, repositories.host, repositories.host_repo_id, repositories.owner,
      repositories.name, repositories.is_private, ${knownTo({ userId })}
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
  const { repositoryId, host, hostRepoId, owner, name, isPrivate, checkedAt, unreachableSince, ...others } =
    row;
  const { place: _, gaveUp, ...job } = others;
  return {
    job: gaveUp ? { ...job, state: 'cancelled', error: null, articleId: null, answerId: null } : job,
    repository: { id: repositoryId, host, hostRepoId, owner, name, isPrivate, checkedAt, unreachableSince },
  };
}

/** No check of visibility: not for showing. */
export const findJobOutcome = (db: Queries, jobId: string) =>
  db.first<Pick<RequestedJob, 'state' | 'error'>>(
    sql`SELECT state, error FROM writing_jobs WHERE id = ${jobId}`,
  );

export type LiveJob = JobProgress & Pick<JobColumns, 'id' | 'languageCode'>;

/** The job of a user about a pull request, in one language or the last one requested. */
export function findLiveJobOfUser(
  db: Queries,
  {
    pullRequestId,
    userId,
    language,
  }: { pullRequestId: string; userId: string; language: string | undefined },
) {
  const inLanguage = language === undefined ? sql`` : sql`AND writing_jobs.language_code = ${language}`;
  const isAbout = sql`writing_jobs.pull_request_id = ${pullRequestId} ${inLanguage}`;
  return db.first<LiveJob>(liveJobOf(userId, isAbout));
}

/** The same as part of other statements; its columns become JSON keys. */
export const liveJobOf = (userId: string, isAbout: Sql): Sql => sql`
  SELECT writing_jobs.id, writing_jobs.language_code AS "languageCode", writing_jobs.step, writing_jobs.done,
    writing_jobs.total
  FROM writing_jobs
  JOIN writing_job_askers AS askers ON askers.job_id = writing_jobs.id AND askers.user_id = ${userId}
  WHERE ${isAbout} AND ${isAlive} AND writing_jobs.question IS NULL AND askers.cancelled_at IS NULL
  ORDER BY writing_jobs.created_at DESC, writing_jobs.id LIMIT 1`;
