import type { DigestPeriod } from '../domain/digests.ts';
import { type JobError, type JobProgress, jobKinds, type Queue, type Work } from '../domain/jobs.ts';
import type { StoredModelSettings } from '../domain/model-providers.ts';
import { restsForMs } from '../domain/pull-requests.ts';
import type { Queries } from './database.ts';
import { deletePaidReplies } from './drafts.ts';
import { returnToQuota } from './quotas.ts';
import type { Tables } from './schema.ts';
import { json, type Sql, sql, withoutSync } from './sql.ts';
import type { Repository } from './visibility.ts';

type Columns = Tables['jobs'];

/** The channel for every visible change of a job; messages contain its id, version and state. */
export const jobChannel = 'jobs';

const notified = sql`pg_notify(${jobChannel}, concat_ws(' ', id, version, state)) AS notified`;

/** Changes jobs and notifies the requests waiting for them, in one statement. */
export const changeAndNotify = (change: Sql, columns: Sql = sql`id`): Sql => sql`
  WITH changed AS (${change} RETURNING jobs.*) SELECT ${columns}, ${notified} FROM changed`;

export const changeJobs = (change: Sql, which: Sql, columns?: Sql): Sql =>
  changeAndNotify(sql`UPDATE jobs SET version = version + 1, ${change} WHERE ${which}`, columns);

export const announceQueuedJobs = sql`SELECT pg_notify(${jobChannel}, concat_ws(' ', gen_random_uuid(), 1, 'queued'))`;

export const isAlive = sql`state IN ('queued', 'running')`;

/** Conditions as in the indexes, which the planner would not use otherwise. */
export const jobQueues: Record<Queue, Sql> = {
  writing: sql`work IN ('article', 'answer')`,
  planned: sql`work = 'planned'`,
  mirrors: sql`work = 'mirror'`,
  refreshes: sql`work = 'refresh'`,
  models: sql`work IN ('test', 'preview')`,
  digests: sql`work = 'digest'`,
};

export const jobsInTurn = sql`is_planned, turn, queued_at, id`;

export const isJobDue = (now: Date): Sql => sql`(not_before IS NULL OR not_before <= ${now})`;

/** The time without a heartbeat after which a worker counts as dead, longer than any wait for a stalled database. */
export const deadAfterSeconds = 20;

/** Heartbeats use the clock of the database, because clocks of processes differ. */
export const isJobUnheld = sql`(heartbeat_at IS NULL
  OR heartbeat_at < clock_timestamp() - make_interval(secs => ${deadAfterSeconds}::double precision))`;

interface Requester {
  /** The user who requested the job; null if no single user did. */
  userId: string | null;
  isPlanned: boolean;
}

/**
 * The turn of a new job: the same as that of the job claimed next, or the one after the user's last job in the queue.
 * So a user with many jobs delays each other user by one job.
 */
export function nextTurn(queue: Queue, { userId, isPlanned }: Requester, now: Date): Sql {
  const waiting = sql`FROM jobs WHERE ${jobQueues[queue]} AND state = 'queued' AND is_planned = ${isPlanned} AND ${isJobDue(now)}`;
  const isOwn = userId === null ? sql`user_id IS NULL` : sql`user_id = ${userId}`;
  return sql`
    (SELECT greatest(0, (SELECT min(turn) ${waiting}), (SELECT max(turn) + 1 ${waiting} AND ${isOwn})))`;
}

interface NewJob {
  work: Work;
  subject: (string | number)[];
  id?: string;
  repositoryId?: string | null;
  languageCode?: string | null;
  detail?: object | null;
  notBefore?: Date | null;
  of?: (WorkKey & { because?: string | null }) | null;
  isOver?: boolean;
}

/**
 * Jobs with the same subject are the same job. A planned article counts even after it has ended, so that it is planned
 * once.
 */
export const isOnlyWork = sql`work = 'planned' OR state IN ('queued', 'running')`;

/** Creates a job, which starts when the transaction commits; null if there is one for the same work. */
export function insertJob(tx: Queries, job: NewJob, requester: Requester, now: Date) {
  const { work, subject, id, repositoryId = null, detail = null, notBefore = null, of = null } = job;
  const { userId, isPlanned } = requester;
  const { queue } = jobKinds[work];
  const { pullRequestId = null, baseSha = null, headSha = null, writer = null, because = null } = of ?? {};
  const languageCode = of?.languageCode ?? job.languageCode ?? null;
  const insertion = sql`
    INSERT INTO jobs (id, work, subject, user_id, is_planned, turn, repository_id, pull_request_id, base_sha, head_sha,
      language_code, writer, because, detail, not_before, state, queued_at, created_at, finished_at)
    VALUES (coalesce(${id ?? null}::uuid, gen_random_uuid()), ${work}, ${subject.join(' ')}, ${userId}, ${isPlanned},
      ${queue ? nextTurn(queue, requester, now) : 0},
      coalesce(${repositoryId}::uuid, (SELECT repository_id FROM pull_requests WHERE id = ${pullRequestId}::uuid)),
      ${pullRequestId}, ${baseSha}, ${headSha}, ${languageCode}, ${writer}, ${because}, ${detail && json(detail)}, ${notBefore},
      ${job.isOver ? 'done' : 'queued'}, ${now}, ${now}, ${job.isOver ? now : null})
    ON CONFLICT (work, subject) WHERE ${isOnlyWork} DO NOTHING`;
  return tx.value<string>(changeAndNotify(insertion, isPlanned ? sql`id, ${withoutSync}` : sql`id`));
}

export interface WorkKey {
  pullRequestId: string;
  baseSha: string;
  headSha: string;
  languageCode: string;
  writer: string;
}

/** The text of a question, and the pull requests in which its answer is looked for. */
interface AskedQuestion {
  text: string;
  isAboutRepository: boolean;
  pullRequestIds: string[];
  key: string;
  standInKey: string;
}

/**
 * An article, or the answer to `question`. `because` says why it is written without a model although one is configured.
 */
export interface WritingWork extends WorkKey {
  because?: 'budget' | null;
  question?: AskedQuestion | null;
}

const jobSubject = ({ pullRequestId, baseSha, headSha, languageCode, writer, question }: WritingWork) => [
  ...[pullRequestId, baseSha, headSha, languageCode, writer],
  ...(question ? [question.key] : []),
];

export const isForFollowers: Requester = { userId: null, isPlanned: true };

/** Planned jobs start only when no other job waits. */
export const claimJobWork = (tx: Queries, work: WritingWork, now: Date, requester = isForFollowers) =>
  insertJob(
    tx,
    {
      work: work.question ? 'answer' : 'article',
      subject: jobSubject(work),
      of: work,
      detail: work.question ?? null,
    },
    requester,
    now,
  );

/** The running or queued job for this work, locked so that it is not cancelled before the transaction ends. */
export const findLiveJob = (tx: Queries, work: WritingWork) =>
  tx.value<string>(sql`
    SELECT id FROM jobs
    WHERE work = ${work.question ? 'answer' : 'article'} AND subject = ${jobSubject(work).join(' ')} AND ${isAlive}
    FOR UPDATE`);

/** Gives a job to another requester if that one's turn is earlier; false otherwise. */
export const replaceJob = (tx: Queries, jobId: string, requester: Requester, now: Date) =>
  tx.any(sql`
    UPDATE jobs SET user_id = ${requester.userId}, is_planned = ${requester.isPlanned}, turn = theirs.turn
    FROM (SELECT ${nextTurn('writing', requester, now)} AS turn) AS theirs
    WHERE id = ${jobId} AND (jobs.is_planned, jobs.turn) > (${requester.isPlanned}, theirs.turn) RETURNING id`);

/** The number of jobs that a user has queued, without planned ones. Concurrent requests of one user take turns. */
export async function countQueuedJobs(tx: Queries, userId: string): Promise<number> {
  await tx.query(sql`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`);
  return tx.count(sql`
    SELECT count(*) FROM jobs
    WHERE user_id = ${userId} AND work IN ('article', 'answer', 'mirror', 'test', 'preview') AND NOT is_planned AND state = 'queued'`);
}

/** A job claimed again has a higher attempt, so a worker with an older one cannot change it. */
export type HeldJob = Pick<Columns, 'id' | 'attempt'>;

interface ClaimedAs<Kind extends Work> extends HeldJob, Pick<Columns, 'isPlanned'> {
  work: Kind;
  failures: number;
}

export interface ClaimedArticle extends ClaimedAs<'article'>, WorkKey {
  because: 'budget' | null;
}

export interface ClaimedAnswer extends ClaimedAs<'answer'>, WorkKey {
  because: 'budget' | null;
  detail: AskedQuestion;
}

export type ClaimedWriting = ClaimedArticle | ClaimedAnswer;

export interface PlannedArticle
  extends ClaimedAs<'planned'>,
    Pick<Columns, 'deferred' | 'parentId' | 'waitsFor'>,
    Pick<Repository, 'host' | 'hostRepoId' | 'owner' | 'name' | 'isPrivate'> {
  repositoryId: string;
  prNumber: number;
  languageCode: string;
  /** The user whose access is used; null for articles for all followers. */
  userId: string | null;
  /** Whether the article may be about an open pull request, because one exists already. */
  mayBeOpen: boolean;
  /** Whether an article without a model is written with it; null if not. */
  detail: { isRewriting: true } | null;
}

/** `subject` is the id of the added repository. */
export interface ClaimedMirror<Kind extends 'mirror' | 'refresh' = 'mirror' | 'refresh'>
  extends ClaimedAs<Kind> {
  subject: string;
  detail: { address: string };
  hasError: boolean;
}

/** The models to try, with encrypted keys; null for those in use. */
interface TriedModels {
  detail: StoredModelSettings | null;
}

export interface ClaimedTest extends ClaimedAs<'test'>, TriedModels {}

export interface ClaimedPreview extends ClaimedAs<'preview'>, TriedModels {
  pullRequestId: string;
  languageCode: string;
}

export interface ClaimedDigest
  extends ClaimedAs<'digest'>,
    Pick<Repository, 'host' | 'owner' | 'name' | 'isPrivate'> {
  repositoryId: string;
  languageCode: string;
  detail: { period: DigestPeriod; periodEnd: string };
}

export interface ClaimedJobs {
  article: ClaimedArticle;
  answer: ClaimedAnswer;
  planned: PlannedArticle;
  mirror: ClaimedMirror<'mirror'>;
  refresh: ClaimedMirror<'refresh'>;
  test: ClaimedTest;
  preview: ClaimedPreview;
  digest: ClaimedDigest;
}

export type ClaimedJob = ClaimedJobs[keyof ClaimedJobs];

interface Together {
  hosts: string[];
  atMost: number;
}

/**
 * Claims the next job of a queue by turn, including those of dead workers; planned jobs come last. For an import, the
 * following jobs are claimed too if the host reads pull requests together. A pull request that a job waited for is
 * forgotten.
 */
export const claimJobs = (
  db: Queries,
  queue: Queue,
  now: Date,
  { hosts, atMost }: Together = { hosts: [], atMost: 1 },
) => {
  const isFree = sql`${isAlive} AND ${isJobUnheld} AND ${isJobDue(now)}`;
  const siblings = sql`
    UNION ALL SELECT siblings.id FROM due JOIN repositories ON repositories.id = due.repository_id
    CROSS JOIN LATERAL (
      SELECT id FROM jobs WHERE parent_id = due.parent_id AND id <> due.id AND ${isFree}
      ORDER BY turn, id LIMIT ${atMost - 1} FOR UPDATE SKIP LOCKED) AS siblings
    WHERE repositories.host = ANY(${hosts}::text[])`;
  return db.query<ClaimedJob>(sql`
    WITH due AS (
      SELECT id, parent_id, repository_id FROM jobs WHERE ${jobQueues[queue]} AND ${isFree}
      ORDER BY ${jobsInTurn} LIMIT 1 FOR UPDATE SKIP LOCKED),
    next AS (SELECT id FROM due ${hosts.length > 0 ? siblings : sql``}),
    claimed AS (
      UPDATE jobs SET state = 'running', attempt = attempt + 1, heartbeat_at = clock_timestamp(),
        started_at = coalesce(started_at, ${now}), version = version + 1, is_due_again = false,
        waits_for = CASE WHEN is_due_again THEN NULL ELSE waits_for END
      WHERE id IN (SELECT id FROM next) RETURNING *)
    SELECT claimed.id, work, attempt, attempt - 1 - put_back AS failures, is_planned, subject, detail, error IS NOT NULL AS has_error,
      pull_request_id, base_sha, head_sha, claimed.language_code, writer, because, parent_id, user_id, repository_id, pr_number,
      deferred, may_be_open, waits_for, host, host_repo_id, owner, name, is_private,
      pg_notify(${jobChannel}, concat_ws(' ', claimed.id, version, state)) AS notified
    FROM claimed LEFT JOIN repositories ON repositories.id = claimed.repository_id ORDER BY turn, claimed.id`);
};

const isJobHeld = ({ id, attempt }: HeldJob): Sql =>
  sql`id = ${id} AND attempt = ${attempt} AND state = 'running'`;

const areHeld = (held: HeldJob[]): Sql => sql`
  FROM unnest(${held.map(({ id }) => id)}::uuid[], ${held.map(({ attempt }) => attempt)}::integer[])
    AS held (held_id, held_attempt)
  WHERE id = held_id AND attempt = held_attempt AND state = 'running'`;

/** Renews the heartbeats of a worker's jobs. Returns only the jobs that the worker still holds. */
export const renewJobHeartbeats = (db: Queries, held: HeldJob[]) =>
  db.query<HeldJob>(sql`
    UPDATE jobs SET heartbeat_at = clock_timestamp() ${areHeld(held)} RETURNING id, attempt`);

/** Returns false if the worker has lost the job, like the following functions. */
export const saveJobProgress = (db: Queries, job: HeldJob, { step, done, total }: JobProgress) =>
  db.any(changeJobs(sql`step = ${step}, done = ${done}, total = ${total}`, isJobHeld(job), withoutSync));

export const noteJobWaiting = (db: Queries, job: HeldJob, jobId: string | null) =>
  db.any(sql`UPDATE jobs SET waits_for = ${jobId} WHERE ${isJobHeld(job)} RETURNING ${withoutSync}`);

/** Records that a model is called for a job. If it returns false, the model must not be called. */
export const noteJobModelCall = (tx: Queries, job: HeldJob) =>
  tx.any(sql`UPDATE jobs SET model_called = true WHERE ${isJobHeld(job)} RETURNING id`);

interface PutBack {
  now: Date;
  isFailure?: boolean;
  until?: Date | null;
  error?: JobError | null | undefined;
}

export const putJobBack = (
  tx: Queries,
  job: HeldJob,
  { now, isFailure = false, until = null, error }: PutBack,
): Promise<boolean> =>
  tx.any(
    changeJobs(
      sql`state = 'queued', step = 'queued', done = 0, total = 0, queued_at = ${now}, heartbeat_at = NULL,
        put_back = least(attempt, put_back + ${isFailure ? 0 : 1}), not_before = ${until},
        error = ${error === undefined ? sql`error` : error && json(error)},
        deferred = deferred + ${until ? 1 : 0}, waits_for = ${until ? sql`NULL` : sql`waits_for`}`,
      isJobHeld(job),
    ),
  );

export type JobEnd = { state: 'done'; progress?: JobProgress } | { state: 'failed'; error: JobError };

/**
 * Ends jobs, or queues them again if their pull request moved in the meantime. Returns those that the worker still
 * held.
 */
export function endJobs(tx: Queries, held: HeldJob[], end: JobEnd, now: Date): Promise<string[]> {
  const { step, total } = (end.state === 'done' && end.progress) || {};
  const progress = step ? sql`step = ${step}, done = ${total}, total = ${total},` : sql``;
  const error = end.state === 'failed' ? json(end.error) : sql`NULL`;
  return tx.values(
    changeAndNotify(sql`
      UPDATE jobs SET version = version + 1, state = CASE WHEN is_due_again THEN 'queued' ELSE ${end.state}::text END,
        error = ${error}, finished_at = CASE WHEN is_due_again THEN NULL ELSE ${now}::timestamptz END, ${progress}
        not_before = CASE WHEN is_due_again THEN ${new Date(now.getTime() + restsForMs)} ELSE not_before END,
        heartbeat_at = NULL, waits_for = NULL
      ${areHeld(held)}`),
  );
}

/** Returns false if the worker has lost the job, and must not publish. */
export async function finishJob(tx: Queries, job: HeldJob, progress: JobProgress, now: Date) {
  const [isHeld] = await endJobs(tx, [job], { state: 'done', progress }, now);
  if (isHeld) await deletePaidReplies(tx, job.id);
  return isHeld !== undefined;
}

export async function failJob(tx: Queries, job: HeldJob, error: JobError, now: Date): Promise<boolean> {
  const [isHeld] = await endJobs(tx, [job], { state: 'failed', error }, now);
  if (isHeld) await endUnpublishedJobs(tx, { jobId: job.id, isPaid: false });
  return isHeld !== undefined;
}

/** Returns the article to the quota unless a model was paid for it. */
export async function endUnpublishedJobs(tx: Queries, { jobId, isPaid }: { jobId: string; isPaid: boolean }) {
  if (!isPaid) await returnToQuota(tx, jobId);
  await deletePaidReplies(tx, jobId);
}

export const countLiveWritingJobs = (db: Queries) =>
  db.count(sql`SELECT count(*) FROM jobs WHERE ${jobQueues.writing} AND ${isAlive}`);
