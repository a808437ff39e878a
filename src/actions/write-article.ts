import type { BaseLogger } from 'pino';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { saveArticle } from '../db/articles.ts';
import type { Database, Queries } from '../db/database.ts';
import { asDatabaseFailure } from '../db/failures.ts';
import { findPullRequestToWriteAbout } from '../db/pull-requests.ts';
import { isCurrentDiff } from '../db/stored-diffs.ts';
import {
  failJob,
  finishJob,
  type JobError,
  noteArticle,
  putJobBack,
  type StartedJob,
  startJob,
} from '../db/writing-jobs.ts';
import { Failure } from '../domain/errors.ts';
import type { JobProgress } from '../domain/writing-job.ts';
import type { GrammarLibrary } from '../grammars.ts';
import { isOfflineLanguage } from '../writing/languages.ts';
import { contentOf } from './content-of-article.ts';
import { createProgressKeeper } from './save-progress.ts';

/** More would only repeat what has gone wrong this often. */
const mostFailures = 3;

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  grammars: GrammarLibrary;
  offlineWriter: () => Promise<number>;
  clock: () => Date;
  log: BaseLogger;
  enqueue: (tx: Queries, jobId: string) => Promise<void>;
}

/** Work as the queue handed it over. */
export interface Assignment {
  jobId: string;
  /** Takes it out of the queue, if the transaction commits. */
  settle: (tx: Queries) => Promise<void>;
  /** Aborted when the work is to be dropped here; `isStopping` tells whether others are to have it. */
  signal: AbortSignal;
  isStopping: () => boolean;
}

/**
 * Writes the article of a job and publishes it. Whatever comes of it, the job and the queue change together, and only
 * if this worker is still the one that holds the job.
 */
export async function writeArticle(parts: Parts, assignment: Assignment): Promise<void> {
  const { database, clock } = parts;
  const job = await startJob(database, assignment.jobId, clock());
  if (!job) return database.transaction(assignment.settle);
  if (job.failures >= mostFailures) return giveUp(parts, assignment, job, asJobError(null));
  const lost = new AbortController();
  const signal = AbortSignal.any([assignment.signal, lost.signal]);
  const progress = createProgressKeeper(parts, job, () => lost.abort());
  try {
    const composed = await compose(parts, job, progress.report, signal);
    await publish(parts, assignment, job, { ...composed, progress: await progress.end() });
  } catch (error) {
    await progress.end();
    if (lost.signal.aborted) return;
    if (signal.aborted && !assignment.isStopping()) return database.transaction(assignment.settle);
    await recover(parts, assignment, job, error);
  }
}

/** What reading and writing need is loaded when there is something to write, not when the service starts. */
async function compose(
  { database, grammars, offlineWriter: numberOfWriter }: Parts,
  job: StartedJob,
  onProgress: ReturnType<typeof createProgressKeeper>['report'],
  signal: AbortSignal,
) {
  const pullRequest = await findPullRequestToWriteAbout(database, job.pullRequestId);
  if (!pullRequest) throw new Error('The pull request of a job is gone, and the job is not.');
  signal.throwIfAborted();
  const { composeArticle } = await import('./compose-article.ts');
  const watch = { onProgress, signal };
  if (!isOfflineLanguage(job.languageCode)) throw new Error('A job is in a language that needs a model.');
  const offlineWriter = await numberOfWriter();
  const parts = { database, grammars, offlineWriter };
  const words = await composeArticle(parts, pullRequest, job.languageCode, watch);
  signal.throwIfAborted();
  return { words, pullRequest, offlineWriter };
}

async function publish(
  { database, codeHosts, clock }: Parts,
  { settle }: Assignment,
  job: StartedJob,
  {
    words,
    pullRequest,
    offlineWriter,
    progress,
  }: Awaited<ReturnType<typeof compose>> & { progress: JobProgress },
): Promise<void> {
  const now = clock();
  const content = contentOf(words, { codeHosts, pullRequest, languageCode: job.languageCode, now });
  await database.transaction(async (tx) => {
    if (!(await finishJob(tx, job, progress, now))) return;
    // What was written about an older diff must not take the place of what stands for a newer one.
    if (!(await isCurrentDiff(tx, { pullRequestId: pullRequest.id, revision: pullRequest.diffRevision }))) {
      throw new Failure('UNAVAILABLE', 'The pull request changed while it was being read. Ask again.');
    }
    const articleId = await saveArticle(tx, { pullRequestId: pullRequest.id, content, offlineWriter, now });
    await noteArticle(tx, job, articleId);
    await settle(tx);
  });
}

/** Lets the work be tried again, here or elsewhere, unless it has failed too often. */
async function recover(parts: Parts, assignment: Assignment, job: StartedJob, error: unknown): Promise<void> {
  const { database, clock, log, enqueue } = parts;
  const isStopping = assignment.isStopping();
  if (!isStopping)
    log.error({ err: error, jobId: job.id, attempt: job.attempt }, 'writing an article failed');
  if (!isStopping && job.failures + 1 >= mostFailures) {
    return giveUp(parts, assignment, job, asJobError(error));
  }
  await database.transaction(async (tx) => {
    const isOurs = await putJobBack(tx, job, { countsAsFailure: !isStopping, now: clock() });
    if (!isOurs) return;
    await enqueue(tx, job.id);
    await assignment.settle(tx);
  });
}

async function giveUp(
  { database, clock }: Parts,
  { settle }: Assignment,
  job: StartedJob,
  error: JobError,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (await failJob(tx, job, error, clock())) await settle(tx);
  });
}

function asJobError(error: unknown): JobError {
  const failure = error instanceof Failure ? error : asDatabaseFailure(error);
  if (failure) {
    const { code, message, details } = failure;
    return { code, message, ...(details && { details }) };
  }
  return {
    code: 'INTERNAL',
    message:
      'The article could not be written, after several attempts. Ask for it again; if it stays, report the id of the job.',
  };
}
