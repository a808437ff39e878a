import type { BaseLogger } from 'pino';
import { findWrittenFor, type NextTry, type WrittenFor } from '../../db/articles.ts';
import type { Database } from '../../db/database.ts';
import type { PullRequestToWriteAbout } from '../../db/pull-requests.ts';
import { settleQuota } from '../../db/quotas.ts';
import type { StartedJob } from '../../db/writing-jobs.ts';
import { Failure } from '../../domain/errors.ts';
import { isSameDiff } from '../../domain/pull-requests.ts';
import type { WritingMetrics } from '../../metrics/metrics.ts';
import { ModelFailure } from '../../writing/ai/model-failure.ts';
import { isOfflineLanguage } from '../../writing/languages.ts';
import type { WriterLabel, WrittenArticle } from '../../writing/written-article.ts';
import { composeOffline, type Watch } from './compose-offline.ts';
import type { ModelWriting } from './compose-with-model.ts';
import { explainModelFailure } from './explain-model-failure.ts';
import { NotWritten } from './not-written.ts';
import type { RunInThread } from './thread-tasks.ts';
import type { KeptDraft } from './write-model-article.ts';
import { writtenOfflineOnly } from './writing-language.ts';

interface Parts {
  database: Database;
  runInThread: RunInThread;
  offlineWriter: () => Promise<number>;
  models: ModelWriting | null;
  metrics: WritingMetrics | null;
  clock: () => Date;
  log: BaseLogger;
}

export interface Composed {
  words: WrittenArticle;
  /** The number of the offline writer; null for a model. */
  offlineWriter: number | null;
  nextTry: NextTry | null;
  kept: KeptDraft | null;
}

const minute = 60_000;

/** How long a model that has failed is not asked for the same article again. */
const pausesMs = [10 * minute, 60 * minute, 6 * 60 * minute];

/** Writes an article in the way that its job asks for, or without a model where that does not go. */
export async function composeAsAsked(
  parts: Parts,
  job: StartedJob,
  pullRequest: PullRequestToWriteAbout,
  watch: Watch,
): Promise<Composed> {
  const standing = await findWrittenFor(parts.database, job);
  const offline = (label: Omit<WriterLabel, 'kind'>, nextTry: NextTry | null = null) =>
    composeWithoutModel(parts, job, pullRequest, watch, { label, nextTry });
  if (job.because) return offline({ because: job.because });
  if (job.writer !== 'ai') return offline(...labelOf(parts, pullRequest, standing));
  if (pullRequest.isPrivate && !parts.models?.mayReadPrivate) return offline({ because: 'private' });
  if (pullRequest.changedFiles === 0) return offline({});
  try {
    if (!parts.models) throw new ModelFailure('unreachable');
    // Loading it blocks the event loop: without a model it is not loaded.
    const { composeWithModel } = await import('./compose-with-model.ts');
    const written = await composeWithModel({ ...parts, models: parts.models }, job, pullRequest, watch);
    if (typeof written !== 'string') return { ...written, offlineWriter: null, nextTry: null };
    if (written === 'nothingToRead') return offline({});
    if (written === 'trivial') return offline({ because: 'trivial' });
  } catch (error) {
    if (error instanceof Failure && error.code === 'QUOTA_EXHAUSTED') throw new NotWritten(error);
    if (!(error instanceof ModelFailure)) throw error;
    const { reason, status } = error;
    if (error.hasAnswered) await settleQuota(parts.database, job.id);
    parts.log.warn({ jobId: job.id, reason, status }, 'a model has not written an article');
    const isByModel = standing?.writer.kind === 'ai';
    if (isByModel || !isOfflineLanguage(job.languageCode)) throw new NotWritten(explainModelFailure(error));
    // The model knows better than an estimate what fits.
    if (reason === 'tooLong') return offline({ because: 'tooLarge' });
    return offline({ standsIn: true, because: 'failed' }, nextTryAfter(standing, pullRequest, parts.clock()));
  }
  if (!isOfflineLanguage(job.languageCode))
    throw new NotWritten(explainModelFailure(new ModelFailure('tooLong')));
  return offline({ because: 'tooLarge' });
}

/** What is written anew by a newer offline writer stands for the same reason as before. */
function labelOf(
  { models }: Parts,
  pullRequest: PullRequestToWriteAbout,
  standing: WrittenFor | null,
): [label: Omit<WriterLabel, 'kind'>, nextTry: NextTry | null] {
  if (!standing || !isSameDiff(standing, pullRequest) || standing.writer.kind === 'ai') {
    return [models && pullRequest.isPrivate ? { because: 'private' } : {}, null];
  }
  const { standsIn, because } = standing.writer;
  const { failedTries, nextTryAt } = standing;
  return [
    { ...(standsIn !== undefined && { standsIn }), ...(because !== undefined && { because }) },
    nextTryAt && { failedTries, at: nextTryAt },
  ];
}

function nextTryAfter(standing: WrittenFor | null, pullRequest: PullRequestToWriteAbout, now: Date): NextTry {
  const before = standing && isSameDiff(standing, pullRequest) ? standing.failedTries : 0;
  const pauseMs = pausesMs[Math.min(before, pausesMs.length - 1)] ?? minute;
  return { failedTries: before + 1, at: new Date(now.getTime() + pauseMs) };
}

async function composeWithoutModel(
  parts: Parts,
  { languageCode }: StartedJob,
  pullRequest: PullRequestToWriteAbout,
  watch: Watch,
  { label, nextTry }: { label: Omit<WriterLabel, 'kind'>; nextTry: NextTry | null },
): Promise<Composed> {
  if (!isOfflineLanguage(languageCode)) throw new NotWritten(writtenOfflineOnly());
  const offlineWriter = await parts.offlineWriter();
  const words = await composeOffline({ ...parts, offlineWriter }, pullRequest, languageCode, watch);
  return { words: { ...words, writer: { ...words.writer, ...label } }, offlineWriter, nextTry, kept: null };
}
