import type { BaseLogger } from 'pino';
import { findWrittenFor } from '../../db/articles.ts';
import type { Database } from '../../db/database.ts';
import {
  deleteOldNotes,
  findAiDraft,
  findNotes,
  findPartPlan,
  saveNotes,
  savePartPlan,
} from '../../db/drafts.ts';
import type { PullRequestToWriteAbout } from '../../db/pull-requests.ts';
import type { StartedJob } from '../../db/writing-jobs.ts';
import { isSameDiff } from '../../domain/pull-requests.ts';
import type { WritingMetrics } from '../../metrics/metrics.ts';
import type { PartPlan } from '../../writing/ai/parts/pack-parts.ts';
import type { Note } from '../../writing/ai/parts/read-parts.ts';
import { isOfflineLanguage } from '../../writing/languages.ts';
import type { Watch } from './compose-offline.ts';
import { createPaidQuestions } from './paid-questions.ts';
import { payloadOf } from './pull-request-payload.ts';
import { diffFeedOf } from './stored-diff-feed.ts';
import { namesOf, tellWithModel, type WritingModels, type WrittenByModel } from './tell-with-model.ts';
import type { RunInThread } from './thread-tasks.ts';
import type { KeptDraft, ModelFeed } from './write-model-article.ts';

/** The models that write and read, and how much of them may be had. */
export interface ModelWriting extends WritingModels {
  tokensPerDay: number;
  articlesPerDay: number;
  /** How many a day it writes because repositories are watched. */
  watchedArticlesPerDay: number;
  /** Whether they may be shown what is private. */
  mayReadPrivate: boolean;
}

interface Parts {
  database: Database;
  runInThread: RunInThread;
  models: ModelWriting;
  metrics: WritingMetrics | null;
  clock: () => Date;
  log: BaseLogger;
}

/**
 * Has a model write the article about a stored pull request, which is read and checked in another thread. Every worker asks
 * the same, so that one that takes a job over finds the answers that were paid.
 */
export async function composeWithModel(
  parts: Parts,
  job: StartedJob,
  pullRequest: PullRequestToWriteAbout,
  watch: Watch,
): Promise<Pick<WrittenByModel, 'words' | 'kept'> | 'tooLarge' | 'nothingToRead' | 'trivial'> {
  const { database, models, runInThread } = parts;
  const questions = createPaidQuestions({ ...parts, tokensPerDay: models.tokensPerDay }, job);
  const known = await findKnown(database, job, pullRequest, namesOf(models));
  const feed = {
    ...diffFeedOf(database, pullRequest, watch.onProgress),
    ...notesOf(database, pullRequest.id, parts.clock),
  };
  const subject = { payload: payloadOf(pullRequest), language: job.languageCode, known, seed: job.id };
  const startedAt = parts.clock();
  const onControl = (isFound: boolean) => parts.metrics?.countControl(isFound);
  const written = await tellWithModel({ runInThread, models, questions, feed, onControl }, subject, watch);
  if (typeof written === 'string') return written;
  const { words, kept, droppedNotes } = written;
  if (droppedNotes) parts.log.info({ jobId: job.id, droppedNotes }, 'some notes of a model did not hold');
  // What says an article again has read no notes, and leaves them to the next push.
  if (!known) await deleteOldNotes(database, { pullRequestId: pullRequest.id, before: startedAt });
  return { words, kept };
}

/** What was written about a diff and can be published in this language, as it is or said again. */
async function findKnown(
  database: Database,
  job: StartedJob,
  pullRequest: PullRequestToWriteAbout,
  writers: string,
): Promise<KeptDraft | null> {
  const key = { pullRequestId: pullRequest.id, revision: pullRequest.diffRevision };
  const earlier = await findAiDraft<Omit<KeptDraft, 'languageCode'>>(database, key);
  if (!earlier) return null;
  const known = { ...earlier.draft, languageCode: earlier.languageCode };
  if (known.languageCode === job.languageCode) {
    const standing = await findWrittenFor(database, job);
    // What stands is asked for again in order to be written anew.
    const isAnew = standing?.writer.kind === 'ai' && isSameDiff(standing, pullRequest);
    return !isAnew && known.writers === writers ? known : null;
  }
  // The rules know two languages: what is said again in any other one was written in English.
  return known.languageCode === 'en' || isOfflineLanguage(job.languageCode) ? known : null;
}

const notesOf = (
  database: Database,
  pullRequestId: string,
  clock: () => Date,
): Pick<ModelFeed, 'findPlan' | 'savePlan' | 'findNotes' | 'saveNotes'> => ({
  findPlan: async () => (await findPartPlan<PartPlan>(database, pullRequestId)) ?? [],
  savePlan: (plan) => savePartPlan(database, { pullRequestId, plan }),
  findNotes: (part) => findNotes<Note[]>(database, { pullRequestId, part, now: clock() }),
  saveNotes: (part, notes) => saveNotes(database, { pullRequestId, part, notes, now: clock() }),
});
