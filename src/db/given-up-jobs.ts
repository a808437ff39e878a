import { deletePaidAnswers } from './ai-answers.ts';
import { returnToQuota } from './ai-limits.ts';
import type { Queries } from './database.ts';
import { sql } from './sql.ts';
import { changeAndNotify, isAlive } from './writing-jobs.ts';

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
  const [live] = await tx.query<{ modelCalled: boolean }>(
    sql`SELECT model_called AS "modelCalled" FROM writing_jobs WHERE id = ${jobId} AND ${isAlive} FOR UPDATE`,
  );
  if (!live) return false;
  await tx.query(
    sql`
      UPDATE writing_job_askers SET cancelled_at = ${now}
      WHERE job_id = ${jobId} AND user_id = ${userId} AND cancelled_at IS NULL`,
  );
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
  const ended = await tx.query<{ id: string; modelCalled: boolean }>(
    changeAndNotify(
      sql`UPDATE writing_jobs
          SET state = 'cancelled', version = version + 1, updated_at = ${now}, finished_at = ${now}
          WHERE pull_request_id = ANY(${pullRequestIds}::uuid[]) AND ${isAlive}`,
      sql`id, model_called AS "modelCalled"`,
    ),
  );
  for (const { id, modelCalled } of ended) if (!modelCalled) await returnToQuota(tx, id);
}
