import type { ImportJob, Job, JobError, JobProgress, JobState } from '../domain/jobs.ts';
import type { ModelTest } from '../domain/model-providers.ts';
import type { Queries } from './database.ts';
import { changeJobs, endUnpublishedJobs, isAlive, jobQueues } from './job-queue.ts';
import { isPaidByFollowers } from './quotas.ts';
import type { Tables } from './schema.ts';
import { type Sql, sql } from './sql.ts';
import { columnsFor, type DetailScope, type Repository, visibleTo } from './visibility.ts';

type Columns = Tables['jobs'];

export const addJobRequester = (tx: Queries, { jobId, userId }: WantedJob) =>
  tx.run(sql`
    INSERT INTO job_requesters (job_id, user_id) VALUES (${jobId}, ${userId})
    ON CONFLICT (job_id, user_id) DO UPDATE SET cancelled_at = NULL`);

export const findJobRequester = (tx: Queries, jobId: string) =>
  tx.value<string>(sql`
    SELECT user_id FROM job_requesters WHERE job_id = ${jobId} AND cancelled_at IS NULL ORDER BY user_id LIMIT 1`);

/** Does not check visibility: for waking requests, not for showing. */
export const findJobVersions = (db: Queries, jobIds: string[]) =>
  db.query<Pick<Columns, 'id' | 'version' | 'state'>>(
    sql`SELECT id, version, state FROM jobs WHERE id = ANY(${jobIds}::uuid[])`,
  );

/** Does not check visibility, so do not show it. */
export const findJobOutcome = (db: Queries, jobId: string) =>
  db.first<Pick<Job, 'state' | 'error'>>(sql`SELECT state, error FROM jobs WHERE id = ${jobId}`);

/** Deletes a job that the same transaction created. */
export const deleteJob = (tx: Queries, jobId: string) => tx.run(sql`DELETE FROM jobs WHERE id = ${jobId}`);

export const noteJobResult = (
  tx: Queries,
  jobId: string,
  { articleId = null, answerId = null }: { articleId?: string | null; answerId?: string | null },
) => tx.run(sql`UPDATE jobs SET article_id = ${articleId}, answer_id = ${answerId} WHERE id = ${jobId}`);

/** Jobs with a parent are deleted with it. */
export const jobsFinishedBefore = (before: Date): Sql => sql`finished_at < ${before} AND parent_id IS NULL`;

export const deleteFinishedJobs = (db: Queries, before: Date) =>
  db.run(sql`DELETE FROM jobs WHERE ${jobsFinishedBefore(before)}`);

/** Keys of models to try are not needed any more. */
const cancelled = (now: Date): Sql => sql`state = 'cancelled', finished_at = ${now},
  detail = CASE WHEN ${jobQueues.models} THEN NULL ELSE detail END`;

/** A job is wanted by its users, and by followers if they paid for it or it was planned for them. */
const hasLiveRequester = (jobId: string): Sql => sql`
  SELECT 1 FROM job_requesters WHERE job_id = ${jobId} AND cancelled_at IS NULL
  UNION ALL SELECT 1 FROM jobs WHERE id = ${jobId} AND ${isPaidByFollowers}
  UNION ALL SELECT 1 FROM jobs WHERE waits_for = ${jobId} AND parent_id IS NULL AND ${isAlive}
  LIMIT 1`;

/**
 * Cancels a job of any kind for one user. It ends when no other requester or follower wants it, together with the jobs
 * that only its children wait for; an added repository without a mirror is deleted too. The article returns to the
 * quota unless a model was called.
 */
export async function cancelJob(
  tx: Queries,
  { jobId, userId, now }: WantedJob & { now: Date },
): Promise<void> {
  // The lock keeps other users from joining a job that is about to be cancelled.
  const live = await tx.first<{ isPaid: boolean }>(sql`
    SELECT model_called AS is_paid FROM jobs WHERE id = ${jobId} AND ${isAlive} FOR UPDATE`);
  if (!live) return;
  await tx.query(sql`
    UPDATE job_requesters SET cancelled_at = ${now}
    WHERE job_id = ${jobId} AND user_id = ${userId} AND cancelled_at IS NULL`);
  if (await tx.any(hasLiveRequester(jobId)))
    return tx.run(changeJobs(sql`state = state`, sql`id = ${jobId}`));
  await tx.run(changeJobs(cancelled(now), sql`id = ${jobId}`));
  await endUnpublishedJobs(tx, { jobId, ...live });
  await tx.run(sql`DELETE FROM added_repositories WHERE id = ${jobId} AND refreshed_at IS NULL`);
  const waitedFor = await tx.values<string | null>(
    changeJobs(cancelled(now), sql`parent_id = ${jobId} AND ${isAlive}`, sql`waits_for`),
  );
  for (const id of waitedFor.filter((id) => id !== null).toSorted())
    await cancelJobsWaitedFor(tx, { jobId: id, userId, now });
}

/** Cancels a job unless another planned article of the user waits for it. */
export async function cancelJobsWaitedFor(tx: Queries, wanted: WantedJob & { now: Date }): Promise<void> {
  const { jobId, userId } = wanted;
  // Because of the lock, the second of two concurrent calls sees that the first no longer waits.
  await tx.query(sql`SELECT FROM jobs WHERE id = ${jobId} FOR UPDATE`);
  const isStillWanted = await tx.any(sql`
    SELECT 1 FROM jobs WHERE waits_for = ${jobId} AND user_id = ${userId} AND ${isAlive} LIMIT 1`);
  if (!isStillWanted) await cancelJob(tx, wanted);
}

/** Cancels jobs about pull requests that are being deleted, even if users wait for them. */
export async function cancelJobsAbout(tx: Queries, pullRequestIds: string[], now: Date): Promise<void> {
  const which = sql`pull_request_id = ANY(${pullRequestIds}::uuid[]) AND ${isAlive}`;
  const ended = await tx.query<{ jobId: string; isPaid: boolean }>(
    changeJobs(cancelled(now), which, sql`id AS job_id, model_called AS is_paid`),
  );
  for (const job of ended) await endUnpublishedJobs(tx, job);
}

export interface WantedJob {
  jobId: string;
  userId: string;
}

/** `repository` is null if its mirror does not exist yet. */
interface FoundJob {
  job: Job;
  repository: Repository | null;
}

interface JobRow
  extends JobProgress,
    Pick<Columns, 'state' | 'version' | 'articleId' | 'answerId' | 'startedAt'>,
    Omit<Repository, 'id'> {
  place: number;
  jobId: string;
  work: Job['work'];
  error: JobError | null;
  mirror: { owner: string; name: string };
  test: ModelTest | null;
  preview: string | null;
  pullRequestId: string | null;
  gaveUp: boolean;
  id: string | null;
}

/**
 * Several jobs in one statement, each for its own user; null if the user did not request the job or may not see its
 * repository. A user who cancelled sees the job as cancelled even if it continues for others.
 */
export async function findJobs(
  db: Queries,
  wanted: WantedJob[],
  { now, purpose }: Omit<DetailScope, 'userId'>,
): Promise<(FoundJob | null)[]> {
  const userId = sql`wanted.user_id`;
  const jobs = wanted.map(({ jobId }) => jobId);
  const users = wanted.map((one) => one.userId);
  const rows = await db.query<JobRow>(sql`
    SELECT wanted.place, jobs.id AS job_id, jobs.work, jobs.state, jobs.step, jobs.done, jobs.total, jobs.version, jobs.error,
      jobs.article_id, jobs.answer_id, jobs.pull_request_id, jobs.started_at, requesters.cancelled_at IS NOT NULL AS gave_up,
      CASE WHEN jobs.work = 'mirror' THEN jobs.detail END AS mirror,
      CASE WHEN jobs.work = 'test' AND jobs.state = 'done' THEN jobs.detail END AS test,
      CASE WHEN jobs.work = 'preview' AND jobs.state = 'done' THEN jobs.detail::text END AS preview, ${columnsFor({ userId })}
    FROM unnest((SELECT ${jobs}::uuid[]), (SELECT ${users}::uuid[])) WITH ORDINALITY AS wanted (job_id, user_id, place)
    JOIN job_requesters AS requesters ON requesters.job_id = wanted.job_id AND requesters.user_id = wanted.user_id
    JOIN jobs ON jobs.id = requesters.job_id
    LEFT JOIN repositories ON repositories.id = jobs.repository_id
    WHERE jobs.work IN ('mirror', 'test') OR (${visibleTo({ userId, now, purpose })})`);
  const imports = rows.filter(({ work }) => work === 'import').map(({ jobId }) => jobId);
  const children = imports.length > 0 ? await listChildren(db, imports) : new Map();
  const byPlace = new Map(rows.map((row) => [row.place, foundJob(row, children.get(row.jobId) ?? [])]));
  return wanted.map((_, index) => byPlace.get(index + 1) ?? null);
}

function foundJob(row: JobRow, children: ChildRow[]): FoundJob {
  const { jobId, work, step, done, total, version, startedAt } = row;
  const { id, host, hostRepoId, owner, name, isPrivate, checkedAt, unreachableSince } = row;
  const repository = id && { id, host, hostRepoId, owner, name, isPrivate, checkedAt, unreachableSince };
  const state = row.gaveUp ? 'cancelled' : row.state;
  const error = row.gaveUp ? null : row.error;
  const job = { id: jobId, state, version, error, step, done, total };
  const running = <Step>(during: Step) => (state === 'queued' ? 'queued' : during);
  const found = (job: Job): FoundJob => ({ job, repository: repository || null });
  switch (work) {
    case 'article':
      return found({ ...job, work, articleId: row.gaveUp ? null : row.articleId });
    case 'answer':
      return found({ ...job, work, answerId: row.gaveUp ? null : row.answerId });
    case 'import':
      return found({ ...job, work, step: running('writing'), startedAt, ...countChildren(children) });
    case 'mirror':
      return found({ ...job, work, step: running('mirroring'), startedAt, ...row.mirror });
    case 'test':
      return found({ ...job, work, test: row.test });
    case 'preview':
      return found({ ...job, work, startedAt, pullRequestId: row.pullRequestId, preview: row.preview });
  }
}

interface ChildRow extends Pick<Columns, 'parentId' | 'state'>, JobProgress {
  prNumber: number;
  error: JobError | null;
}

async function listChildren(db: Queries, importIds: string[]): Promise<Map<string | null, ChildRow[]>> {
  const rows = await db.query<ChildRow>(sql`
    SELECT planned.parent_id, planned.pr_number, planned.state, planned.error, coalesce(writing.step, 'queued') AS step,
      coalesce(writing.done, 0) AS done, coalesce(writing.total, 0) AS total
    FROM jobs AS planned LEFT JOIN jobs AS writing ON writing.id = planned.waits_for
    WHERE planned.parent_id = ANY(${importIds}::uuid[]) ORDER BY planned.turn, planned.id`);
  return Map.groupBy(rows, ({ parentId }) => parentId);
}

type Counted = Pick<ImportJob, 'done' | 'total' | 'waiting' | 'current' | 'written' | 'failures'>;

function countChildren(children: ChildRow[]): Counted {
  const numbers = (state: JobState) =>
    children.flatMap((child) => (child.state === state ? child.prNumber : []));
  const written = numbers('done');
  const failures = children.flatMap(({ state, prNumber, error }) =>
    state === 'failed' && error ? { prNumber, error } : [],
  );
  const current = children.flatMap(({ state, prNumber, step, done, total }) =>
    state === 'running' ? { prNumber, step, done, total } : [],
  );
  return {
    done: written.length + failures.length,
    total: children.length,
    waiting: numbers('queued'),
    current,
    written,
    failures,
  };
}

export type LiveJob = JobProgress & { id: string; languageCode: string };

export function findLiveJobOfUser(
  db: Queries,
  {
    pullRequestId,
    userId,
    language,
  }: { pullRequestId: string; userId: string; language: string | undefined },
) {
  const inLanguage = language === undefined ? sql`` : sql`AND jobs.language_code = ${language}`;
  return db.first<LiveJob>(
    liveJobColumns(userId, sql`jobs.pull_request_id = ${pullRequestId} ${inLanguage}`),
  );
}

/** A subquery for other statements, whose columns become keys of JSON. */
export const liveJobColumns = (userId: string, isAbout: Sql): Sql => sql`
  SELECT jobs.id, jobs.language_code AS "languageCode", jobs.step, jobs.done, jobs.total
  FROM jobs JOIN job_requesters AS requesters ON requesters.job_id = jobs.id AND requesters.user_id = ${userId}
  WHERE ${isAbout} AND ${isAlive} AND jobs.work = 'article' AND requesters.cancelled_at IS NULL
  ORDER BY jobs.created_at DESC, jobs.id LIMIT 1`;
