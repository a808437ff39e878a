import type { Queries } from './database.ts';
import { json, sql } from './sql.ts';

/** What a model answered to a question of this job, if it was paid already. */
export async function findPaidAnswer<Answer>(
  db: Queries,
  { jobId, question }: { jobId: string; question: string },
): Promise<Answer | null> {
  const [row] = await db.query<{ answer: Answer }>(
    sql`SELECT answer FROM ai_answers WHERE job_id = ${jobId} AND question = ${question}`,
  );
  return row?.answer ?? null;
}

/**
 * Keeps an answer until its job is over. A job that was cancelled meanwhile has no use for it. For one that gets further with
 * it, no start so far was a failure: it is given up when it gets no further, not when many workers died over it.
 */
export async function savePaidAnswer(
  db: Queries,
  { jobId, question, answer }: { jobId: string; question: string; answer: unknown },
): Promise<void> {
  await db.query(sql`
    WITH saved AS (
      INSERT INTO ai_answers (job_id, question, answer)
      SELECT id, ${question}, ${json(answer)} FROM writing_jobs WHERE id = ${jobId} AND state IN ('queued', 'running')
      ON CONFLICT (job_id, question) DO NOTHING RETURNING job_id)
    UPDATE writing_jobs SET put_back = attempt FROM saved WHERE id = saved.job_id`);
}

export async function deletePaidAnswers(db: Queries, jobId: string): Promise<void> {
  await db.query(sql`DELETE FROM ai_answers WHERE job_id = ${jobId}`);
}
