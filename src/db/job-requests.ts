import type { JobProgress } from '../domain/pull-requests.ts';
import type { Queries } from './database.ts';
import type { Repository } from './repositories.ts';
import type { Tables } from './schema.ts';
import { type Sql, sql } from './sql.ts';
import { type DetailViewer, knownTo, visibleTo } from './visibility.ts';
import { isAlive, type JobError } from './writing-jobs.ts';

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
