import { answerForms, NotesAnswer } from '../../writing/ai/answers.ts';
import { createAsk } from '../../writing/ai/create-ask.ts';
import type { Prompts } from '../../writing/ai/fill-prompt.ts';
import { cautiousBytesPerToken, type Model } from '../../writing/ai/model.ts';
import { asNoAnswer, ModelFailure } from '../../writing/ai/model-failure.ts';
import type { ModelAnswer, ModelQuestion } from '../../writing/ai/model-question.ts';
import { roomBeside, slackBytes } from '../../writing/ai/room-beside.ts';
import type { WrittenArticle } from '../../writing/written-article.ts';
import type { Watch } from './compose-offline.ts';
import type { RunInThread } from './thread-tasks.ts';
import type { KeptDraft, ModelFeed, ModelTask } from './write-model-article.ts';

/** The models that write and read, and what they are told. */
export interface WritingModels {
  writer: Model;
  /** Reads once more what was written; null where that is switched off. */
  judge: Model | null;
  /** Reads the parts of large pull requests, so many tokens of them at a time, and so many parts at once. */
  partReader: Model;
  partTokens: number;
  parallelCalls: number;
  prompts: Prompts;
  promptVersion: string;
}

/** The questions about one article. */
export interface ModelQuestions {
  /** Has a question answered by a model, unless the answer was paid before and is kept. */
  put: (model: Model) => (question: ModelQuestion) => Promise<ModelAnswer>;
  /** What the answers have cost, those that were kept included. */
  spent: () => { inputTokens: number; outputTokens: number; estimatedCostUsd?: number };
}

interface Parts {
  runInThread: RunInThread;
  models: WritingModels;
  questions: ModelQuestions;
  /** The diff, and what is kept of its parts. */
  feed: Omit<ModelFeed, 'ask' | 'askJudge' | 'askPart' | 'onControl'>;
  /** Whether the second reader found a control sentence out. */
  onControl?: (isFound: boolean) => void;
}

export interface WrittenByModel {
  words: WrittenArticle;
  /** Null where it is, or says again, what is kept. */
  kept: KeptDraft | null;
  /** Notes on parts that did not hold; null where it was not read part by part. */
  droppedNotes: number | null;
}

/** Has a model write an article about what is read and checked in another thread. */
export async function tellWithModel(
  { runInThread, models, questions, feed, onControl }: Parts,
  subject: Pick<ModelTask, 'payload' | 'language' | 'known' | 'seed'>,
  watch: Watch,
): Promise<WrittenByModel | 'tooLarge' | 'nothingToRead' | 'trivial'> {
  const task = {
    ...subject,
    project: subject.payload.repository,
    prompts: models.prompts,
    mostBytes: await roomBeside(models.prompts['write-article'], models.writer),
    mostBytesToJudge: models.judge && (await roomBeside(models.prompts['judge-sentences'], models.judge)),
    partBytes: await partBytesOf(models),
    parallelCalls: models.parallelCalls,
    partReader: `${models.partReader.provider}/${models.partReader.name}`,
    writers: namesOf(models),
  };
  let partFailure = new ModelFailure('badOutput');
  const onPartFailure = (failure: ModelFailure): void => {
    partFailure = failure;
  };
  const asked = await asking(models, questions, watch, onPartFailure);
  const calls = { ...feed, ...asked, onControl: async (isFound: boolean) => onControl?.(isFound) };
  const written = await runInThread('writeWithModel', task, calls, watch.signal);
  if (written === 'noPartRead') throw partFailure;
  if (written === 'unread') throw new ModelFailure('unread');
  if (written === 'nothingHolds') throw new ModelFailure('badOutput');
  if (typeof written === 'string') return written;
  const { article, quote, counts, verification, coverage, droppedNotes, kept } = written;
  if (article.mainChanges.length === 0) throw new ModelFailure('badOutput');
  const { provider, name: model } = models.writer;
  const writer = { kind: 'ai' as const, provider, model, promptVersion: models.promptVersion };
  const words = { ...article, quote, counts, writer, coverage, verification, usage: questions.spent() };
  return { words, kept, droppedNotes };
}

/** Who writes, told by which prompts, and who reads it once more. */
export const namesOf = ({ writer, judge, promptVersion }: WritingModels): string =>
  [writer, judge].map((model) => (model ? `${model.provider}/${model.name} ` : 'off ')).join('') +
  promptVersion;

async function asking(
  { writer, judge, partReader, prompts }: WritingModels,
  { put }: ModelQuestions,
  { signal, onProgress }: Watch,
  onPartFailure: (failure: ModelFailure) => void,
): Promise<Pick<ModelFeed, 'ask' | 'askJudge' | 'askPart'>> {
  // Askers are told that nothing comes, and not only that nothing has come yet.
  const onWait = () => onProgress({ step: 'waiting for the model', done: 0, total: 0 });
  const common = { askAgain: prompts['ask-again'], signal, onWait };
  const written = {
    ...common,
    put: put(writer),
    maxOutputTokens: (await writer.limits()).outputTokens,
    onText: countSentences((done) => onProgress({ step: 'writing', done, total: 0 })),
  };
  const second = judge ?? writer;
  const askJudge = createAsk({
    ...common,
    put: put(second),
    language: null,
    maxOutputTokens: (await second.limits()).outputTokens,
    onText: () => {},
  });
  const askPart = createAsk({
    ...common,
    put: put(partReader),
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

/** The same whatever was learned of a model meanwhile: other parts would have to be read anew. */
async function partBytesOf({ partReader, partTokens, prompts }: WritingModels): Promise<number> {
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
