import type { JobError, JobProgress } from '../domain/jobs.ts';
import type { StoredModelSettings } from '../domain/model-providers.ts';
import type { Queries } from './database.ts';
import { failJob, finishJob, type HeldJob, insertJob, type WorkKey } from './job-queue.ts';
import { addJobRequester } from './jobs.ts';
import { json, sql } from './sql.ts';

interface NewTrial {
  /** The models to try, with encrypted keys; null for those in use. */
  models: StoredModelSettings | null;
  userId: string;
  /** The article to write; null for a test. */
  of: WorkKey | null;
}

/** Creates a test or a preview; each request is a job of its own. */
export async function insertTrial(tx: Queries, { models, userId, of }: NewTrial, now: Date): Promise<string> {
  const id = crypto.randomUUID();
  const work = of ? 'preview' : 'test';
  const jobId = await insertJob(
    tx,
    { work, subject: [id], id, detail: models, of },
    { userId, isPlanned: false },
    now,
  );
  if (!jobId) throw new Error('A random id was taken.');
  await addJobRequester(tx, { jobId, userId });
  return jobId;
}

/** The result replaces the models, whose keys are not needed any more. */
const replaceDetail = (tx: Queries, { id, attempt }: HeldJob, result: object | null) =>
  tx.run(sql`
    UPDATE jobs SET detail = ${result && json(result)} WHERE id = ${id} AND attempt = ${attempt} AND state = 'running'`);

export async function finishTrial(
  tx: Queries,
  job: HeldJob,
  { result, progress, now }: { result: object; progress: JobProgress; now: Date },
): Promise<void> {
  await replaceDetail(tx, job, result);
  await finishJob(tx, job, progress, now);
}

export async function failTrial(tx: Queries, job: HeldJob, error: JobError, now: Date): Promise<void> {
  await replaceDetail(tx, job, null);
  await failJob(tx, job, error, now);
}
