import { createHash } from 'node:crypto';
import { findArticleForJob, type NextTry, type WrittenFor } from '../../db/articles.ts';
import { findOfflineArticles, saveOfflineArticles } from '../../db/drafts.ts';
import type { ClaimedArticle } from '../../db/job-queue.ts';
import type { PullRequestToWriteAbout } from '../../db/pull-requests.ts';
import { settleQuota } from '../../db/quotas.ts';
import { Failure } from '../../domain/errors.ts';
import type { JobProgress } from '../../domain/jobs.ts';
import { isSameDiff } from '../../domain/pull-requests.ts';
import { anyOf } from '../../domain/text.ts';
import type { WritingMetrics } from '../../metrics/metrics.ts';
import { type FailureReason, ModelFailure } from '../../writing/ai/model-question.ts';
import {
  isOfflineLanguage,
  type OfflineLanguage,
  offlineLanguages,
  type WriterLabel,
  type WrittenArticle,
} from '../../writing/articles.ts';
import type { Deps, ModelWriting } from '../deps.ts';
import type { OfflineWritten } from './read-for-writing.ts';
import { diffSourceOf, type ProgressHooks, payloadOf } from './thread-tasks.ts';
import type { KeptDraft } from './write-model-article.ts';

/** A failure that a retry would not mend; requesters see it. */
export class NotWritten extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message, { cause: failure });
    this.failure = failure;
  }
}

type ComposeDeps = Pick<
  Deps,
  | 'database'
  | 'runWriter'
  | 'offlineWriter'
  | 'currentModels'
  | 'clock'
  | 'log'
  | 'codeHosts'
  | 'callerOn'
  | 'recordings'
> & {
  metrics: WritingMetrics | null;
};

export type WriterDeps = ComposeDeps & Pick<Deps, 'readerVersion'>;

export type Publish = (progress: JobProgress) => Promise<void>;

export interface Composed {
  words: WrittenArticle;
  offlineWriter: number | null;
  nextTry: NextTry | null;
  kept: KeptDraft | null;
}

type Label = Omit<WriterLabel, 'kind'>;

const minute = 60_000;

const pausesMs = [10 * minute, 60 * minute, 6 * 60 * minute];

export async function composeArticle(
  deps: ComposeDeps,
  job: ClaimedArticle,
  pullRequest: PullRequestToWriteAbout,
  hooks: ProgressHooks,
): Promise<Composed> {
  const { languageCode, writer } = job;
  const models =
    writer === 'recorded'
      ? await deps.recordings.modelsFor({ ...pullRequest, languageCode })
      : deps.currentModels();
  const existing = await findArticleForJob(deps.database, job);
  const offline = (label: Label, nextTry: NextTry | null = null) =>
    composeOffline(deps, job, pullRequest, hooks, { label, nextTry });
  if (job.because) return offline({ because: job.because });
  if (writer === 'offline') return offline(...sameLabel(deps.currentModels(), pullRequest, existing));
  // The model may have been removed while the job waited.
  if (!models) return offline({});
  if (pullRequest.isPrivate && !deps.currentModels()?.mayReadPrivate) return offline({ because: 'private' });
  if (pullRequest.changedFiles === 0) return offline({});
  const isOffline = isOfflineLanguage(languageCode);
  try {
    // Loaded only with a model configured, because loading it blocks the event loop.
    const { composeWithModel } = await import('./compose-with-model.ts');
    const written = await composeWithModel({ ...deps, models }, job, pullRequest, hooks);
    if (typeof written !== 'string') return { ...written, offlineWriter: null, nextTry: null };
    if (written === 'tooLarge' && !isOffline) throw new ModelFailure('tooLong');
    if (written === 'nothingToRead') return offline({});
    return offline({ because: written });
  } catch (error) {
    if (error instanceof Failure && error.code === 'QUOTA_EXHAUSTED') {
      if (!isOffline || existing?.writer.kind === 'ai') throw new NotWritten(error);
      return offline({ because: 'budget' });
    }
    if (!(error instanceof ModelFailure)) throw error;
    const { reason, status } = error;
    if (error.hasReplied) await settleQuota(deps.database, job.id);
    deps.log.warn({ jobId: job.id, reason, status }, 'a model has not written an article');
    if (!isOffline || existing?.writer.kind === 'ai') throw new NotWritten(explainModelFailure(error));
    if (reason === 'tooLong') return offline({ because: 'tooLarge' });
    return offline({ standsIn: true, because: 'failed' }, nextTryAfter(existing, pullRequest, deps.clock()));
  }
}

/** If a newer offline writer rewrites an article, it keeps the reason why no model wrote it. */
function sameLabel(
  models: ModelWriting | null,
  pullRequest: PullRequestToWriteAbout,
  existing: WrittenFor | null,
): [label: Label, nextTry: NextTry | null] {
  if (!existing || !isSameDiff(existing, pullRequest) || existing.writer.kind === 'ai')
    return [models && pullRequest.isPrivate ? { because: 'private' } : {}, null];
  const { standsIn, because } = existing.writer;
  const { failedTries, nextTryAt } = existing;
  return [
    { ...(standsIn !== undefined && { standsIn }), ...(because !== undefined && { because }) },
    nextTryAt && { failedTries, at: nextTryAt },
  ];
}

function nextTryAfter(existing: WrittenFor | null, pullRequest: PullRequestToWriteAbout, now: Date): NextTry {
  const before = existing && isSameDiff(existing, pullRequest) ? existing.failedTries : 0;
  const pauseMs = pausesMs[Math.min(before, pausesMs.length - 1)] ?? minute;
  return { failedTries: before + 1, at: new Date(now.getTime() + pauseMs) };
}

async function composeOffline(
  deps: ComposeDeps,
  { languageCode }: ClaimedArticle,
  pullRequest: PullRequestToWriteAbout,
  hooks: ProgressHooks,
  { label, nextTry }: { label: Label; nextTry: NextTry | null },
): Promise<Composed> {
  if (!isOfflineLanguage(languageCode)) throw new NotWritten(writtenOfflineOnly());
  const { offlineWriter } = deps;
  const words = await writeOnce(deps, pullRequest, languageCode, hooks);
  return { words: { ...words, writer: { ...words.writer, ...label } }, offlineWriter, nextTry, kept: null };
}

/** `isQuestion` chooses the message for a question instead of an article. */
export const writtenOfflineOnly = (isQuestion = false): Failure =>
  new Failure(
    'LANGUAGE_UNAVAILABLE',
    isQuestion
      ? `This question can only be answered without a model. Ask it in ${anyOf(offlineLanguages)}.`
      : `This article can only be written without a model. Request it in ${anyOf(offlineLanguages)}.`,
  );

type HashedTexts = Pick<
  PullRequestToWriteAbout,
  'title' | 'body' | 'labels' | 'commits' | 'comments' | 'linkedIssues'
>;

/** The order in which the database returns keys of JSON, shorter ones first, so that hashes are equal. */
const hashedKeys = [
  'sha',
  'body',
  'kind',
  'line',
  'path',
  'title',
  'author',
  'number',
  'message',
  'createdAt',
];

/** The description may change while the diff stays the same. */
export function hashOfTexts({ title, body, labels, commits, comments, linkedIssues }: HashedTexts): string {
  const texts = JSON.stringify([title, body, labels, commits, comments, linkedIssues], hashedKeys);
  return createHash('sha256').update(texts).digest('base64url');
}

/** Written once for each diff, in all languages together, so that the languages do not differ. */
export async function writeOnce(
  { database, runWriter, offlineWriter }: Pick<Deps, 'database' | 'runWriter' | 'offlineWriter'>,
  pullRequest: PullRequestToWriteAbout,
  languageCode: OfflineLanguage,
  { onProgress, signal }: ProgressHooks,
): Promise<WrittenArticle> {
  const key = { pullRequestId: pullRequest.id, revision: pullRequest.diffRevision, version: offlineWriter };
  const words = hashOfTexts(pullRequest);
  const known = await findOfflineArticles<OfflineWritten>(database, key);
  if (known?.words === words) return known.articles[languageCode];
  const source = diffSourceOf(database, pullRequest, onProgress);
  const articles = await runWriter('writeOffline', payloadOf(pullRequest), source, signal);
  signal.throwIfAborted();
  const written = JSON.stringify({ words, articles } satisfies OfflineWritten);
  await saveOfflineArticles(database, [{ ...key, written }]);
  return articles[languageCode];
}

/** The pause before a failed model is tried again if the provider names none. */
const usualPauseMs = 30_000;

type Lasting = Exclude<
  FailureReason,
  'rateLimited' | 'overloaded' | 'unreachable' | 'breakerOpen' | 'timeout'
>;

const problems: Record<Lasting, string> = {
  badKey: 'it rejects the key of this service',
  unknownModel: 'there is no model with this name at the configured URL',
  spendLimit: 'the provider account has no credit left or has reached its limit',
  tooLong: 'the pull request is too long for it',
  rejected: 'it rejects the request',
  notStreamed: 'its server does not stream answers as server-sent events',
  refused: 'it refuses to write about this pull request',
  badOutput: 'its answers cannot be used',
  cutOff: 'its answers are cut off',
  cutPrompt: 'it reads only part of the pull request',
  unread: 'what it wrote was not checked: the second model cannot tell true from false sentences',
};

export function explainModelFailure(
  { reason, retryAfterMs = usualPauseMs }: ModelFailure,
  isQuestion = false,
): Failure {
  switch (reason) {
    case 'rateLimited':
    case 'overloaded':
    case 'unreachable':
    case 'breakerOpen': {
      const headers = { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) };
      return new Failure('UNAVAILABLE', 'The model is not available. Try again later.', {
        headers,
      });
    }
    case 'timeout':
      return new Failure('AI_TIMEOUT', 'The model did not answer in time. Try again later.');
    default:
      return new Failure(
        'AI_ERROR',
        `The model did not ${isQuestion ? 'answer the question' : 'write the article'}; see details. Tell your administrator, or try again later.`,
        { details: [{ field: 'model', problem: `${reason}: ${problems[reason]}` }] },
      );
  }
}
