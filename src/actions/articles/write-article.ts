import type { BaseLogger } from 'pino';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import { findWrittenFor, saveArticle } from '../../db/articles.ts';
import type { Database, Queries } from '../../db/database.ts';
import { findUnreadable, isCurrentDiff, noteUnreadable } from '../../db/diffs.ts';
import { saveAiDraft } from '../../db/drafts.ts';
import { asDatabaseFailure } from '../../db/failures.ts';
import { findPullRequestToWriteAbout, type PullRequestToWriteAbout } from '../../db/pull-requests.ts';
import { returnToQuota } from '../../db/quotas.ts';
import {
  failJob,
  finishJob,
  type JobError,
  noteArticle,
  putJobBack,
  type StartedJob,
} from '../../db/writing-jobs.ts';
import { Failure } from '../../domain/errors.ts';
import { isSameDiff, type JobProgress } from '../../domain/pull-requests.ts';
import type { WritingMetrics } from '../../metrics/metrics.ts';
import type { Composed } from './compose-as-asked.ts';
import type { ModelWriting } from './compose-with-model.ts';
import { contentOf } from './content-of-article.ts';
import { NotWritten } from './not-written.ts';
import { createProgressKeeper } from './save-progress.ts';
import type { RunInThread } from './thread-tasks.ts';
import { WorkLost } from './work-lost.ts';

/** More would only repeat what has gone wrong this often. */
const mostFailures = 3;

export interface WriterDeps {
  database: Database;
  codeHosts: CodeHost[];
  runInThread: RunInThread;
  /** What decides whether a diff can be read. */
  terms: () => Promise<string>;
  offlineWriter: () => Promise<number>;
  /** Null where articles are written without a model. */
  models: ModelWriting | null;
  metrics: WritingMetrics | null;
  clock: () => Date;
  log: BaseLogger;
}

interface Interruptions {
  /** Aborted when the job was taken from this worker, or given up. */
  dropped: AbortSignal;
  /** Aborted when the process is about to end, and another worker is to have the job. */
  stopping: AbortSignal;
}

/**
 * Writes the article of a job and publishes it. Whatever comes of it, the job changes with it, and only if this worker is
 * still the one that holds the job.
 */
export async function writeArticle(
  deps: WriterDeps,
  job: StartedJob,
  { dropped, stopping }: Interruptions,
): Promise<void> {
  const { database, clock } = deps;
  if (job.failures >= mostFailures) return giveUp(deps, job, asJobError(null, clock()));
  const lost = new AbortController();
  const signal = AbortSignal.any([dropped, stopping, lost.signal]);
  const progress = createProgressKeeper(deps, job, () => lost.abort());
  try {
    const pullRequest = await findPullRequestToWriteAbout(database, job.pullRequestId);
    if (!pullRequest) throw new WorkLost('The pull request was removed.');
    const known = await findUnreadable(database, { ...job, terms: await deps.terms() });
    if (known !== null) throw new NotWritten(new Failure('UNREADABLE', known));
    signal.throwIfAborted();
    // What reading and writing need is loaded when there is something to write, not when the service starts.
    const { composeAsAsked } = await import('./compose-as-asked.ts');
    const composed = await composeAsAsked(deps, job, pullRequest, { onProgress: progress.report, signal });
    signal.throwIfAborted();
    await publish(deps, job, { pullRequest, composed, progress: await progress.end() });
  } catch (error) {
    await progress.end();
    if (lost.signal.aborted || dropped.aborted || error instanceof WorkLost) return;
    if (stopping.aborted) await putBack(deps, job, { countsAsFailure: false });
    else await recover(deps, job, error);
  }
}

interface Publication {
  pullRequest: PullRequestToWriteAbout;
  composed: Composed;
  progress: JobProgress;
}

async function publish(
  { database, codeHosts, metrics, clock }: WriterDeps,
  job: StartedJob,
  { pullRequest, composed, progress }: Publication,
): Promise<void> {
  const now = clock();
  const { words, offlineWriter, nextTry, kept } = composed;
  const { id: pullRequestId, diffRevision: revision } = pullRequest;
  const content = contentOf(words, { codeHosts, pullRequest, languageCode: job.languageCode, now });
  const isByModel = words.writer.kind === 'ai';
  const isPublished = await database.transaction(async (tx) => {
    if (!(await finishJob(tx, job, progress, now))) return false;
    // What was written about an older diff must not take the place of what stands for a newer one.
    if (!(await isCurrentDiff(tx, { pullRequestId, revision }))) {
      throw new Failure('UNAVAILABLE', 'The pull request changed while it was being read. Ask again.');
    }
    if (!isByModel) await returnToQuota(tx, job.id);
    const standing = await findWrittenFor(tx, job);
    // While the diff stays, what a model wrote does; a newer one of which no model is to write takes its place.
    const stays = !isByModel && standing?.writer.kind === 'ai' && isSameDiff(standing, pullRequest);
    const articleId = stays
      ? standing.articleId
      : await saveArticle(tx, { pullRequestId, content, offlineWriter, nextTry, now });
    if (kept) {
      const { languageCode, ...draft } = kept;
      await saveAiDraft(tx, { pullRequestId, revision, languageCode, draft });
    }
    await noteArticle(tx, job, articleId);
    return true;
  });
  if (!isPublished) return;
  const writer = isByModel ? 'model' : 'offline';
  metrics?.countArticle(writer, 'written');
  metrics?.countSentences(writer, words.verification);
}

/** Lets the work be tried again, here or elsewhere, unless it has failed too often. */
async function recover(deps: WriterDeps, job: StartedJob, error: unknown): Promise<void> {
  const { clock, log } = deps;
  if (error instanceof NotWritten) return giveUp(deps, job, asJobError(error.failure, clock()));
  if (error instanceof Failure && error.code === 'UNREADABLE') {
    log.warn({ jobId: job.id, reason: error.message }, 'a pull request cannot be read within the limits');
    const terms = await deps.terms();
    return giveUp(deps, job, asJobError(error, clock()), (tx) =>
      noteUnreadable(tx, { ...job, terms }, { message: error.message, now: clock() }),
    );
  }
  log.error({ err: error, jobId: job.id, attempt: job.attempt }, 'writing an article failed');
  if (job.failures + 1 >= mostFailures) return giveUp(deps, job, asJobError(error, clock()));
  await putBack(deps, job, { countsAsFailure: true });
  deps.metrics?.countArticle(writerOf(job), 'retried');
}

const writerOf = ({ writer }: StartedJob) => (writer === 'ai' ? 'model' : 'offline');

const putBack = ({ database, clock }: WriterDeps, job: StartedJob, how: { countsAsFailure: boolean }) =>
  putJobBack(database, job, { ...how, now: clock() });

async function giveUp(
  { database, metrics, clock }: WriterDeps,
  job: StartedJob,
  error: JobError,
  note: (tx: Queries) => Promise<void> = async () => {},
): Promise<void> {
  const isFailed = await database.transaction(async (tx) => {
    const isHeld = await failJob(tx, job, error, clock());
    if (isHeld) await note(tx);
    return isHeld;
  });
  if (isFailed) metrics?.countArticle(writerOf(job), 'failed');
}

function asJobError(error: unknown, now: Date): JobError {
  const failure = error instanceof Failure ? error : asDatabaseFailure(error);
  if (failure) {
    const { code, message, details, headers } = failure;
    const seconds = Number(headers['retry-after'] ?? 0);
    const retryAt = new Date(now.getTime() + seconds * 1000).toISOString();
    return { code, message, ...(details && { details }), ...(seconds > 0 && { retryAt }) };
  }
  return {
    code: 'INTERNAL',
    message:
      'The article could not be written, after several attempts. Ask for it again; if it stays, report the id of the job.',
  };
}
