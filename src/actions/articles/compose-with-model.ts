import { findArticleForJob } from '../../db/articles.ts';
import type { Database } from '../../db/database.ts';
import {
  deleteOldPartNotes,
  findAiDraft,
  findPartNotes,
  findPartPlan,
  savePartNotes,
  savePartPlan,
} from '../../db/drafts.ts';
import type { ClaimedArticle, HeldJob } from '../../db/job-queue.ts';
import type { PullRequestToWriteAbout } from '../../db/pull-requests.ts';
import { recordedProvider } from '../../domain/model-providers.ts';
import { isSameDiff } from '../../domain/pull-requests.ts';
import type { WritingMetrics } from '../../metrics/metrics.ts';
import { createAsk } from '../../writing/ai/ask-model.ts';
import { cautiousBytesPerToken, type Model, roomBeside, slackBytes } from '../../writing/ai/model.ts';
import { ModelFailure, nullWithoutReply } from '../../writing/ai/model-question.ts';
import type { PartPlan } from '../../writing/ai/parts/pack-parts.ts';
import type { Note } from '../../writing/ai/parts/read-parts.ts';
import { NotesReply, replyForms } from '../../writing/ai/reply-forms.ts';
import { isOfflineLanguage, type WrittenArticle } from '../../writing/articles.ts';
import type { Deps, ModelWriting, WritingModels } from '../deps.ts';
import { createPaidQuestions, createUnkeptQuestions, type ModelQuestions } from './model-questions.ts';
import { openTreeSource } from './open-tree.ts';
import { diffSourceOf, type ProgressHooks, payloadOf, type RunInThread } from './thread-tasks.ts';
import type { KeptDraft, ModelSource, ModelTask } from './write-model-article.ts';

/**
 * Lets a model write the article about a stored pull request. Every worker asks the same questions, so that the next
 * one finds the replies that were already paid.
 */
export async function composeWithModel(
  deps: Pick<Deps, 'database' | 'runWriter' | 'clock' | 'log' | 'codeHosts' | 'callerOn'> & {
    models: WritingModels | ModelWriting;
    metrics: WritingMetrics | null;
  },
  job: ClaimedArticle,
  pullRequest: PullRequestToWriteAbout,
  hooks: ProgressHooks,
): Promise<Pick<WrittenByModel, 'words' | 'kept'> | 'tooLarge' | 'nothingToRead' | 'trivial'> {
  const { database, models, runWriter, clock, metrics, log } = deps;
  const { onProgress, onLost = () => {} } = hooks;
  const known = await findKnown(database, job, pullRequest, writerNames(models));
  const startedAt = clock();
  const tree = openTreeSource(deps, job, pullRequest, hooks.signal);
  const written = await writeWithModels(
    {
      runWriter,
      models,
      questions: questionsTo(models, { database, clock }, job, onLost),
      source: {
        ...diffSourceOf(database, pullRequest, onProgress),
        ...notesOf(deps, pullRequest.id),
        ...tree.source,
      },
      onControl: (isFound) => metrics?.countControl(isFound),
    },
    {
      payload: payloadOf(pullRequest),
      language: job.languageCode,
      known,
      seed: models.recorded?.seed ?? job.id,
    },
    hooks,
  ).finally(tree.close);
  if (typeof written === 'string') return written;
  const { words, kept, droppedNotes } = written;
  if (droppedNotes)
    log.info({ jobId: job.id, droppedNotes }, 'some notes from a model did not pass the checks');
  // A translation does not read notes, so it must not delete them as unused.
  if (!known) await deleteOldPartNotes(database, { pullRequestId: pullRequest.id, before: startedAt });
  return { words, kept };
}

/** An earlier draft about the same diff that can be published in this language, directly or translated. */
async function findKnown(
  database: Database,
  job: ClaimedArticle,
  pullRequest: PullRequestToWriteAbout,
  writers: string,
): Promise<KeptDraft | null> {
  const key = { pullRequestId: pullRequest.id, revision: pullRequest.diffRevision };
  const earlier = await findAiDraft<Omit<KeptDraft, 'languageCode'>>(database, key);
  if (!earlier) return null;
  const known = { ...earlier.draft, languageCode: earlier.languageCode };
  if (known.languageCode === job.languageCode) {
    const existing = await findArticleForJob(database, job);
    const isRewritten = existing?.writer.kind === 'ai' && isSameDiff(existing, pullRequest);
    return !isRewritten && known.writers === writers ? known : null;
  }
  // The rules cannot write in other languages, so a translation starts from an English draft.
  return known.languageCode === 'en' || isOfflineLanguage(job.languageCode) ? known : null;
}

const notesOf = (
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  pullRequestId: string,
): Pick<ModelSource, 'findPlan' | 'savePlan' | 'findNotes' | 'saveNotes'> => ({
  findPlan: async () => (await findPartPlan<PartPlan>(database, pullRequestId)) ?? [],
  savePlan: (plan) => savePartPlan(database, { pullRequestId, plan }),
  findNotes: (part) => findPartNotes<Note[]>(database, { pullRequestId, part, now: clock() }),
  saveNotes: (part, notes) => savePartNotes(database, { pullRequestId, part, notes, now: clock() }),
});

/** For articles of which nothing is stored. */
export const withoutNotes: ReturnType<typeof notesOf> = {
  findPlan: async () => [],
  savePlan: async () => {},
  findNotes: async () => null,
  saveNotes: async () => {},
};

/** Questions to a model that is called are paid for; those to a recorded one cost nothing. */
export const questionsTo = (
  models: WritingModels | ModelWriting,
  deps: Pick<Deps, 'database' | 'clock'>,
  job: HeldJob,
  onLost: () => void,
): ModelQuestions =>
  'tokensPerDay' in models ? createPaidQuestions({ ...deps, models }, job, onLost) : createUnkeptQuestions();

interface ModelDeps {
  runWriter: RunInThread;
  models: WritingModels;
  questions: ModelQuestions;
  source: Omit<ModelSource, 'ask' | 'askJudge' | 'askPart' | 'askLooks' | 'onControl'>;
  onControl?: (isFound: boolean) => void;
}

interface WrittenByModel {
  words: WrittenArticle;
  kept: KeptDraft | null;
  /** The number of notes that failed their checks; null if the pull request was not read in parts. */
  droppedNotes: number | null;
}

export async function writeWithModels(
  { runWriter, models, questions, source, onControl }: ModelDeps,
  subject: Pick<ModelTask, 'payload' | 'language' | 'known' | 'seed'>,
  hooks: ProgressHooks,
): Promise<WrittenByModel | 'tooLarge' | 'nothingToRead' | 'trivial'> {
  const task = {
    ...subject,
    project: subject.payload.repository,
    prompts: models.prompts,
    looks: models.looks,
    mostBytes: await roomBeside(models.prompts['write-article'], models.writer),
    mostBytesToJudge: models.judge && (await roomBeside(models.prompts['judge-sentences'], models.judge)),
    partBytes: await partBytesOf(models),
    parallelCalls: models.parallelCalls,
    partReader: `${models.partReader.provider}/${models.partReader.name}`,
    writers: writerNames(models),
  };
  let partFailure = new ModelFailure('badOutput');
  const onPartFailure = (failure: ModelFailure): void => {
    partFailure = failure;
  };
  const calls = {
    ...source,
    ...(await questionsOf(models, questions, hooks, onPartFailure)),
    onControl: async (isFound: boolean) => onControl?.(isFound),
  };
  const written = await runWriter('writeWithModel', task, calls, hooks.signal);
  if (written === 'noPartRead') throw partFailure;
  if (written === 'unread') throw new ModelFailure('unread');
  if (written === 'nothingHolds') throw new ModelFailure('badOutput');
  if (typeof written === 'string') return written;
  const { article, quote, counts, dependencies, verification, coverage, droppedNotes, kept, chosen } =
    written;
  if (article.mainChanges.length === 0) throw new ModelFailure('badOutput');
  const writer = writerLabel(models);
  const words = {
    ...article,
    quote,
    counts,
    dependencies,
    writer,
    coverage,
    verification,
    usage: questions.spent(),
    chosen,
  };
  return { words, kept, droppedNotes };
}

export const writerLabel = ({ writer, promptVersion, recorded }: WritingModels) => ({
  kind: 'ai' as const,
  provider: recorded ? recordedProvider : writer.provider,
  model: writer.name,
  promptVersion,
});

const writerNames = ({ writer, judge, promptVersion }: WritingModels): string =>
  [writer, judge].map((model) => (model ? `${model.provider}/${model.name} ` : 'off ')).join('') +
  promptVersion;

export async function questionsOf(
  { writer, judge, partReader, prompts }: WritingModels,
  { put }: ModelQuestions,
  { signal, onProgress }: ProgressHooks,
  onPartFailure: (failure: ModelFailure) => void,
): Promise<Pick<ModelSource, 'ask' | 'askJudge' | 'askPart' | 'askLooks'>> {
  // Tells requesters that the model is being waited for.
  const onWait = () => onProgress({ step: 'waiting for the model', done: 0, total: 0 });
  const askWith = async (model: Model, onText: (soFar: string) => void = () => {}) => {
    const maxOutputTokens = (await model.limits()).outputTokens;
    const common = {
      askAgain: prompts['ask-again'],
      signal,
      onWait,
      put: put(model),
      maxOutputTokens,
      onText,
    };
    return (language: string | null) => createAsk({ ...common, language });
  };
  const askWriter = await askWith(
    writer,
    countSentences((done) => onProgress({ step: 'writing', done, total: 0 })),
  );
  const askJudge = (await askWith(judge ?? writer))(null);
  const askPart = (await askWith(partReader))(null);
  const askLooks = (await askWith(writer))(null);
  return {
    askLooks: ({ form, instructions, prompt }) =>
      askLooks({ instructions, prompt, schema: replyForms[form] }).catch(nullWithoutLooks),
    askPart: (question) =>
      askPart({ ...question, schema: NotesReply }).catch((error: unknown) => {
        const outcome = asPartFailure(error);
        if (error instanceof ModelFailure) onPartFailure(error);
        return outcome;
      }),
    ask: ({ form, language, instructions, prompt }) =>
      askWriter(language)({ instructions, prompt, schema: replyForms[form] }),
    askJudge: ({ form, instructions, prompt }) =>
      askJudge({ instructions, prompt, schema: replyForms[form] }).catch(nullWithoutReply),
  };
}

/** A model that gives no usable reply may still write, unlike one that cannot be asked. */
function nullWithoutLooks(error: unknown): null {
  if (error instanceof ModelFailure && (error.hasReplied || error.reason === 'tooLong')) return null;
  throw error;
}

/** If the model cannot read a part, the article is written without that part. */
function asPartFailure(error: unknown): 'tooLong' | 'failed' {
  if (!(error instanceof ModelFailure)) throw error;
  if (error.reason === 'tooLong' || error.reason === 'cutPrompt') return 'tooLong';
  if (error.hasReplied) return 'failed';
  throw error;
}

/** Does not depend on limits learned later, because other parts would have to be read again. */
async function partBytesOf({ partReader, partTokens, prompts }: WritingModels): Promise<number> {
  const { surePromptBytes } = await partReader.limits();
  const room = surePromptBytes - Buffer.byteLength(prompts['read-part']) - slackBytes;
  return Math.min(partTokens * cautiousBytesPerToken, room);
}

/** A reply arrives in thousands of pieces; sentences are counted again after this many characters. */
const charactersPerCount = 500;

function countSentences(onCount: (sentences: number) => void): (soFar: string) => void {
  const mark = '"text"';
  let looked = 0;
  let count = 0;
  return (soFar) => {
    if (soFar.length < looked) looked = count = 0;
    if (soFar.length - looked < charactersPerCount) return;
    // The mark may begin in the text that was counted before.
    const piece = soFar.slice(Math.max(0, looked - mark.length + 1));
    count += piece.split(mark).length - 1;
    looked = soFar.length;
    onCount(count);
  };
}
