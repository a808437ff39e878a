import type { AskedJob, FoundJob, ImportedArticles, WantedJob } from './asked-jobs.ts';
import type { Queries } from './database.ts';
import { columnsFor, type Repository } from './repositories.ts';
import { sql } from './sql.ts';
import { type DetailViewer, visibleTo } from './visibility.ts';
import type { JobError } from './writing-jobs.ts';

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
    WHERE user_id = ${userId} AND repository_id = ${repositoryId} AND state IN ('queued', 'running')
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
