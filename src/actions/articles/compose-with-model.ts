import type { BaseLogger } from 'pino';
import { findAiDraft } from '../../db/ai-drafts.ts';
import { deleteOldNotes, findNotes, findPartPlan, saveNotes, savePartPlan } from '../../db/ai-notes.ts';
import { findWrittenFor } from '../../db/articles.ts';
import type { Database } from '../../db/database.ts';
import type { PullRequestToWriteAbout } from '../../db/pull-requests.ts';
import type { StartedJob } from '../../db/writing-jobs.ts';
import { isSameDiff } from '../../domain/diff-range.ts';
import { answerForms, NotesAnswer } from '../../writing/ai/answers.ts';
import { createAsk } from '../../writing/ai/create-ask.ts';
import type { Prompts } from '../../writing/ai/fill-prompt.ts';
import { cautiousBytesPerToken, type Model } from '../../writing/ai/model.ts';
import { asNoAnswer, ModelFailure } from '../../writing/ai/model-failure.ts';
import type { PartPlan } from '../../writing/ai/parts/pack-parts.ts';
import type { Note } from '../../writing/ai/parts/read-parts.ts';
import { roomBeside, slackBytes } from '../../writing/ai/room-beside.ts';
import { isOfflineLanguage } from '../../writing/languages.ts';
import type { WrittenArticle } from '../../writing/written-article.ts';
import type { Watch } from './compose-offline.ts';
import { createPaidQuestions, type PaidQuestions } from './paid-questions.ts';
import { payloadOf } from './pull-request-payload.ts';
import { diffFeedOf } from './stored-diff-feed.ts';
import type { RunInThread } from './thread-tasks.ts';
import type { KeptDraft, ModelFeed } from './write-model-article.ts';

/** The models that write and read, what they are told, and how much of them may be had. */
export interface ModelWriting {
  writer: Model;
  /** Reads once more what was written; null where that is switched off. */
  judge: Model | null;
  /** Reads the parts of large pull requests, so many tokens of them at a time, and so many parts at once. */
  partReader: Model;
  partTokens: number;
  parallelCalls: number;
  prompts: Prompts;
  promptVersion: string;
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
  clock: () => Date;
  log: BaseLogger;
}

export interface WrittenByModel {
  words: WrittenArticle;
  /** Null where it is, or says again, what is kept. */
  kept: KeptDraft | null;
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
): Promise<WrittenByModel | 'tooLarge' | 'nothingToRead' | 'trivial'> {
  const { database, models } = parts;
  const { onProgress, signal } = watch;
  const { languageCode: language } = job;
  const paid = createPaidQuestions({ ...parts, tokensPerDay: models.tokensPerDay }, job);
  const writers = namesOf(models);
  const known = await findKnown(database, job, pullRequest, writers);
  const task = {
    payload: payloadOf(pullRequest),
    language,
    project: `${pullRequest.owner}/${pullRequest.repo}`,
    prompts: models.prompts,
    mostBytes: await roomBeside(models.prompts['write-article'], models.writer),
    mostBytesToJudge: models.judge && (await roomBeside(models.prompts['judge-sentences'], models.judge)),
    partBytes: await partBytesOf(models),
    parallelCalls: models.parallelCalls,
    partReader: `${models.partReader.provider}/${models.partReader.name}`,
    writers,
    known,
    seed: job.id,
  };
  let partFailure = new ModelFailure('badOutput');
  const onPartFailure = (failure: ModelFailure): void => {
    partFailure = failure;
  };
  const feed = {
    ...diffFeedOf(database, pullRequest, onProgress),
    ...(await asking(models, paid, watch, onPartFailure)),
    ...notesOf(database, pullRequest.id, parts.clock),
  };
  const startedAt = parts.clock();
  const written = await parts.runInThread('writeWithModel', task, feed, signal);
  if (written === 'noPartRead') throw partFailure;
  if (written === 'unread') throw new ModelFailure('unread');
  if (written === 'nothingHolds') throw new ModelFailure('badOutput');
  if (typeof written === 'string') return written;
  const { article, quote, counts, verification, coverage, droppedNotes } = written;
  if (article.mainChanges.length === 0) throw new ModelFailure('badOutput');
  const { provider, name: model } = models.writer;
  const writer = { kind: 'ai' as const, provider, model, promptVersion: models.promptVersion };
  const words = { ...article, quote, counts, writer, coverage, verification, usage: paid.spent() };
  if (droppedNotes) parts.log.info({ jobId: job.id, droppedNotes }, 'some notes of a model did not hold');
  // What says an article again has read no notes, and leaves them to the next push.
  if (!known) await deleteOldNotes(database, { pullRequestId: pullRequest.id, before: startedAt });
  return { words, kept: written.kept };
}

/** Who writes, told by which prompts, and who reads it once more. */
const namesOf = ({ writer, judge, promptVersion }: ModelWriting): string =>
  [writer, judge].map((model) => (model ? `${model.provider}/${model.name} ` : 'off ')).join('') +
  promptVersion;

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

async function asking(
  { writer, judge, partReader, prompts }: ModelWriting,
  paid: PaidQuestions,
  { signal, onProgress }: Watch,
  onPartFailure: (failure: ModelFailure) => void,
): Promise<Pick<ModelFeed, 'ask' | 'askJudge' | 'askPart'>> {
  // Askers are told that nothing comes, and not only that nothing has come yet.
  const onWait = () => onProgress({ step: 'waiting for the model', done: 0, total: 0 });
  const common = { askAgain: prompts['ask-again'], signal, onWait };
  const written = {
    ...common,
    put: paid.put(writer),
    maxOutputTokens: (await writer.limits()).outputTokens,
    onText: countSentences((done) => onProgress({ step: 'writing', done, total: 0 })),
  };
  const second = judge ?? writer;
  const askJudge = createAsk({
    ...common,
    put: paid.put(second),
    language: null,
    maxOutputTokens: (await second.limits()).outputTokens,
    onText: () => {},
  });
  const askPart = createAsk({
    ...common,
    put: paid.put(partReader),
    language: null,
    maxOutputTokens: (await partReader.limits()).outputTokens,
    onText: () => {},
  });
  return {
    askPart: (question) =>
      askPart({ ...question, schema: NotesAnswer }).catch((error: unknown) => {
        const outcome = asPartFailure(error);
        if (error instanceof ModelFailure) onPartFailure(error);
        return outcome;
      }),
    ask: ({ form, language, instructions, prompt }) =>
      createAsk({ ...written, language })({ instructions, prompt, schema: answerForms[form] }),
    askJudge: ({ form, instructions, prompt }) =>
      askJudge({ instructions, prompt, schema: answerForms[form] }).catch(asNoAnswer),
  };
}

/** A part that cannot be read leaves the rest to be told; a model that cannot be had leaves nothing. */
function asPartFailure(error: unknown): 'tooLong' | 'failed' {
  if (!(error instanceof ModelFailure)) throw error;
  if (error.reason === 'tooLong' || error.reason === 'cutPrompt') return 'tooLong';
  if (error.hasAnswered) return 'failed';
  throw error;
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

/** The same whatever was learned of a model meanwhile: other parts would have to be read anew. */
async function partBytesOf({ partReader, partTokens, prompts }: ModelWriting): Promise<number> {
  const { surePromptBytes } = await partReader.limits();
  const room = surePromptBytes - Buffer.byteLength(prompts['read-part']) - slackBytes;
  return Math.min(partTokens * cautiousBytesPerToken, room);
}

/** Looked at no more often: an answer comes in thousands of pieces. */
const tellingCharacters = 500;

/** Tells how many sentences an answer has so far; none of them is looked at before it was checked. */
function countSentences(onCount: (sentences: number) => void): (soFar: string) => void {
  const mark = '"text"';
  let looked = 0;
  let count = 0;
  return (soFar) => {
    if (soFar.length < looked) looked = count = 0;
    if (soFar.length - looked < tellingCharacters) return;
    // A mark may lie across the place up to which was looked before.
    const piece = soFar.slice(Math.max(0, looked - mark.length + 1));
    count += piece.split(mark).length - 1;
    looked = soFar.length;
    onCount(count);
  };
}
