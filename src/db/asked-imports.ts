import type { JobState } from '../domain/writing-job.ts';
import type { AskedJob, FoundJob, ImportedArticles, WantedJob } from './asked-jobs.ts';
import type { Queries } from './database.ts';
import { columnsFor, type Repository } from './repositories.ts';
import { sql } from './sql.ts';
import { type DetailViewer, visibleTo } from './visibility.ts';
import { isAlive, type JobError } from './writing-jobs.ts';

interface ImportRow extends Repository, Pick<AskedJob, 'state' | 'version' | 'error' | 'done' | 'total'> {
  jobId: string;
  startedAt: Date | null;
}

/** An import as the user who asked for it sees it; null where they have not, or may not see the repository. */
export async function findImportOfAsker(
  db: Queries,
  { jobId, userId }: WantedJob,
  { now, purpose }: Omit<DetailViewer, 'userId'>,
): Promise<FoundJob | null> {
  const viewer = { userId, now, purpose };
  const [row] = await db.query<ImportRow>(sql`
    SELECT ${columnsFor(viewer)}, imports.id AS "jobId", imports.state, imports.version,
      imports.error, imports.done, imports.total, imports.started_at AS "startedAt"
    FROM imports JOIN repositories ON repositories.id = imports.repository_id
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

interface PlanRow {
  prNumber: number;
  state: 'running' | 'done' | 'failed';
  error: JobError | null;
  step: AskedJob['step'] | null;
  done: number | null;
  total: number | null;
}

async function findArticles(db: Queries, importId: string): Promise<Omit<ImportedArticles, 'startedAt'>> {
  const rows = await db.query<PlanRow>(sql`
    SELECT planned.pr_number AS "prNumber", planned.state, planned.error, writing_jobs.step, writing_jobs.done,
      writing_jobs.total
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

/** The import of a user in a repository that they see which began last and is not over; null where there is none. */
export async function findLiveImportOf(
  db: Queries,
  { userId, repositoryId }: { userId: string; repositoryId: string },
): Promise<string | null> {
  const [found] = await db.query<{ id: string }>(sql`
    SELECT id FROM imports
    WHERE user_id = ${userId} AND repository_id = ${repositoryId} AND ${isAlive}
    ORDER BY created_at DESC LIMIT 1`);
  return found?.id ?? null;
}

/** Which pull requests of an import wait for their turn. */
export async function listWaiting(db: Queries, importId: string): Promise<number[]> {
  const rows = await db.query<{ prNumber: number }>(
    sql`SELECT pr_number AS "prNumber" FROM planned_articles WHERE import_id = ${importId} AND state = 'waiting'`,
  );
  return rows.map(({ prNumber }) => prNumber);
}

/** How far an import is, without a check of visibility: for the operator, who asked for it. */
interface ImportProgress {
  state: JobState;
  done: number;
  total: number;
  error: JobError | null;
}

export async function findImportProgress(db: Queries, importId: string): Promise<ImportProgress | null> {
  const [row] = await db.query<ImportProgress>(
    sql`SELECT state, done, total, error FROM imports WHERE id = ${importId}`,
  );
  return row ?? null;
}

/** What has not become an article in an import, for the operator. */
export async function listImportFailures(
  db: Queries,
  importId: string,
): Promise<{ prNumber: number; error: JobError }[]> {
  return db.query(sql`
    SELECT pr_number AS "prNumber", error FROM planned_articles
    WHERE import_id = ${importId} AND state = 'failed' ORDER BY id`);
}

/** What the models cost that wrote the articles of an import, by list prices; null where that is not known of any. */
export async function sumImportCost(db: Queries, importId: string): Promise<number | null> {
  const [row] = await db.query<{ cost: string | null }>(sql`
    SELECT sum((contents.body::jsonb #>> '{usage,estimatedCostUsd}')::numeric)::text AS cost
    FROM planned_articles AS planned
    JOIN pull_requests ON pull_requests.repository_id = planned.repository_id
      AND pull_requests.number = planned.pr_number
    JOIN articles ON articles.pull_request_id = pull_requests.id
    JOIN article_contents AS contents ON contents.article_id = articles.id
      AND contents.language_code = planned.language_code
    WHERE planned.import_id = ${importId} AND planned.state = 'done'`);
  return row?.cost ? Number(row.cost) : null;
}
