import type { Static, TSchema } from 'typebox';
import { createAsk, fitReply, isSentenceInLanguage } from '../../writing/ai/ask-model.ts';
import { type Judgement, judgeSentences } from '../../writing/ai/judge-sentences.ts';
import { labelMaterial, type Material } from '../../writing/ai/material.ts';
import { likelyBytesPerToken, type Model, roomBeside } from '../../writing/ai/model.ts';
import {
  addTokens,
  bytesOf,
  type FailureReason,
  ModelFailure,
  type ModelQuestion,
  type ModelReply,
  noTokens,
  nullWithoutReply,
  type TokenUsage,
} from '../../writing/ai/model-question.ts';
import type { Ask, Prompts, Question, WritingDeps } from '../../writing/ai/prompts.ts';
import { translateDraft } from '../../writing/ai/translate-draft.ts';
import { writeWithModel } from '../../writing/ai/write-with-model.ts';
import { type Draft, numberSentences } from '../../writing/draft.ts';
import type { CheckedSentence } from '../../writing/verify/check-sentence.ts';
import { shuffleBy } from '../articles/write-model-article.ts';
import {
  type Cost,
  type ReplyCounts,
  type Results,
  type TrialFigures,
  tally,
  type WrittenSample,
} from './figures.ts';
import { checkedArticle, type Sample, translatedSample } from './samples.ts';

interface Trying {
  samples: Sample[];
  writer: Model;
  judge: Model | null;
  prompts: Prompts;
  clock: () => Date;
}

export interface Trial extends Pick<TrialFigures, 'writer' | 'judge'> {
  estimate: Cost & { questions: number };
  run: (onStep: (done: number, total: number, name: string) => void) => Promise<TrialFigures>;
  used: () => TokenUsage;
}

export interface TrialAsking {
  writer: { askIn: (language: string) => Ask; mostBytes: number };
  judge: NonNullable<WritingDeps['judge']> | null;
  telling: Pick<WritingDeps, 'prompts' | 'shuffle'>;
}

const otherLanguages = ['ja', 'fr', 'de', 'zh'];

export async function prepareTrial(trying: Trying): Promise<Trial> {
  const { writer, judge, clock } = trying;
  const writing = createMeter(writer);
  const judging = judge === writer ? writing : judge && createMeter(judge);
  const meters = judging && judging !== writing ? [writing, judging] : [writing];
  const asking = await askingOf(trying, writing, judging);
  const used = () => meters.reduce((sum, meter) => addTokens(sum, meter.usage()), noTokens);
  const names = { writer: modelName(writer), judge: judge && modelName(judge) };
  const stopped = (): TrialFigures['stopped'] => {
    const silent = meters.find((meter) => meter.silence());
    const reason = silent?.silence();
    return silent && reason ? { model: modelName(silent.model), reason } : null;
  };
  return {
    ...names,
    estimate: await rehearse(trying, asking),
    used,
    async run(onStep) {
      const results: Results = { articles: [], judged: [], languages: [] };
      const measure = () => ({ at: clock().getTime(), tokens: totalTokens(used()) });
      const steps = stepsOf(trying, asking, results, measure);
      for (const [index, { name, take }] of steps.entries()) {
        if (stopped()) break;
        onStep(index, steps.length, name);
        await take();
      }
      return {
        ...names,
        ...tally(results, judge !== null),
        replies: meters.map((meter) => meter.counts).reduce(addCounts),
        used: await priceOf(meters.map(({ model, usage }) => ({ model, usage: usage() }))),
        stopped: stopped(),
      };
    },
  };
}

const modelName = ({ provider, name }: Model): string => `${provider}/${name}`;
const totalTokens = ({ inputTokens, outputTokens }: TokenUsage): number => inputTokens + outputTokens;

const addCounts = (one: ReplyCounts, other: ReplyCounts): ReplyCounts => ({
  questions: one.questions + other.questions,
  askedAgain: one.askedAgain + other.askedAgain,
  useless: one.useless + other.useless,
  unreplied: one.unreplied + other.unreplied,
});

async function priceOf(used: { model: Model; usage: TokenUsage }[]): Promise<Cost> {
  const prices = await Promise.all(used.map(({ model, usage }) => model.priceOf(usage)));
  const known = prices.filter((price) => price !== undefined);
  const usage = used.reduce((sum, one) => addTokens(sum, one.usage), noTokens);
  return known.length < prices.length
    ? usage
    : { ...usage, usd: known.reduce((sum, price) => sum + price, 0) };
}

function stepsOf(
  { samples, judge }: Pick<Trying, 'samples' | 'judge'>,
  asking: TrialAsking,
  results: Results,
  measure: () => { at: number; tokens: number },
): { name: string; take: () => Promise<unknown> }[] {
  const write = async (sample: Sample) => {
    const before = measure();
    const written = await unlessFailed(tryOnSample(sample, asking));
    const { at, tokens } = measure();
    results.articles.push({ written, seconds: (at - before.at) / 1000, tokens: tokens - before.tokens });
  };
  return [
    ...samples.map((sample) => ({ name: `writes about #${sample.number}`, take: () => write(sample) })),
    ...(judge ? samples : []).map((sample) => ({
      name: `judges sentences about #${sample.number}`,
      take: async () =>
        results.judged.push({ known: sample.known, judgement: await judgeKnown(sample, asking) }),
    })),
    ...samples
      .filter(({ number }) => number === translatedSample)
      .flatMap((sample) =>
        otherLanguages.map((language) => ({
          name: `says it in ${language}`,
          take: async () =>
            results.languages.push({ language, said: await unlessFailed(sayIn(language, sample, asking)) }),
        })),
      ),
  ];
}

const unlessFailed = <Done>(step: Promise<Done>): Promise<Done | null> =>
  step.catch((error: unknown) => {
    if (error instanceof ModelFailure) return null;
    throw error;
  });

export async function tryOnSample(sample: Sample, asking: TrialAsking): Promise<WrittenSample | 'noRoom'> {
  const material = labelMaterial(sample.writing.material, asking.writer.mostBytes);
  if (!material) return 'noRoom';
  let first: WrittenSample['first'] | null = null;
  const telling = tellingOf(sample, asking, 'en');
  const check: WritingDeps['check'] = async (draft) => {
    const outcomes = await telling.check(draft);
    first ??= await countFirst(draft, outcomes);
    return outcomes;
  };
  const article = await writeWithModel({ ...telling, check }, material, sample.writing.known);
  return { article, first: first ?? { claims: 0, passed: 0, inEnglish: 0 } };
}

async function countFirst(draft: Draft, outcomes: CheckedSentence[]): Promise<WrittenSample['first']> {
  const claims = numberSentences(draft).flatMap(({ basis, text }, index) =>
    basis === 'judgement' || text === '' ? [] : [{ text, outcome: outcomes[index] }],
  );
  const inEnglish = await Promise.all(claims.map(({ text }) => isSentenceInLanguage(text, 'en')));
  return {
    claims: claims.length,
    passed: claims.filter(({ outcome }) => outcome?.kept).length,
    inEnglish: inEnglish.filter(Boolean).length,
  };
}

/** Lets the second model judge sentences that are known to be true or false, as it judges an article. */
export function judgeKnown(sample: Sample, asking: TrialAsking): Promise<Judgement> {
  const sentences = sample.known.map(({ sentence, lie }, index) => ({
    index,
    sentence,
    name: null,
    isFalse: lie !== null,
  }));
  return judgeSentences(tellingOf(sample, asking, 'en'), sentences, wholeMaterial(sample));
}

async function sayIn(
  language: string,
  sample: Sample,
  asking: TrialAsking,
): Promise<{ sentences: number; kept: number }> {
  const article = checkedArticle(sample);
  const telling = { ...tellingOf(sample, asking, language), judge: null };
  const translated = await translateDraft(telling, article, wholeMaterial(sample));
  const count = (draft: Draft) => numberSentences(draft).filter(({ text }) => text !== '').length;
  return { sentences: count(article), kept: translated ? count(translated.draft) : 0 };
}

const wholeMaterial = ({ writing }: Sample): Material => {
  const material = labelMaterial(writing.material, Number.POSITIVE_INFINITY);
  if (!material) throw new Error('There is always room without a limit.');
  return material;
};

const tellingOf = (
  { project, writing }: Sample,
  { writer, judge, telling }: TrialAsking,
  language: string,
): WritingDeps => ({
  ...telling,
  ask: writer.askIn(language),
  judge,
  check: async (draft) => writing.check(draft),
  project,
  language,
  onProgress: () => {},
});

type Asked = Pick<Meter, 'model' | 'put' | 'note'>;

export async function askingOf(
  { prompts }: Pick<Trying, 'prompts'>,
  writer: Asked,
  judge: Asked | null,
): Promise<TrialAsking> {
  const askWith = async (meter: Asked): Promise<(language: string | null) => Ask> => {
    const { outputTokens } = await meter.model.limits();
    return (language) => {
      const ask = createAsk({
        put: meter.put,
        askAgain: prompts['ask-again'],
        language,
        maxOutputTokens: outputTokens,
        signal: new AbortController().signal,
        onText: () => {},
      });
      return async (question) =>
        ask(question).catch((error: unknown) => {
          meter.note(error);
          throw error;
        });
    };
  };
  const askReader = judge && (await askWith(judge))(null);
  return {
    writer: {
      askIn: await askWith(writer),
      mostBytes: await roomBeside(prompts['write-article'], writer.model),
    },
    judge: judge &&
      askReader && {
        ask: (question) => askReader(question).catch(nullWithoutReply),
        mostBytes: await roomBeside(prompts['judge-sentences'], judge.model),
      },
    telling: { prompts, shuffle: shuffleBy('trial') },
  };
}

/** The expected size of replies in bytes: an article of fifteen sentences, each with its citations. */
const articleBytes = 3_500;
const verdictBytes = 60;

const likelyTokens = (bytes: number): number => Math.ceil(bytes / likelyBytesPerToken);

/** Runs all steps with questions that are counted and not sent. Repairs, retries and thinking cost more. */
async function rehearse(trying: Trying, asking: TrialAsking): Promise<Cost & { questions: number }> {
  const { samples, writer, judge } = trying;
  const written = rehearseRole();
  const judged = rehearseRole();
  const askIn = (language: string): Ask =>
    language === 'en'
      ? written.askFor(() => articleBytes)
      : // A translation is about as long as the prompt.
        written.askFor(({ prompt }) => Buffer.byteLength(prompt));
  const dry: TrialAsking = {
    ...asking,
    writer: { ...asking.writer, askIn },
    judge: asking.judge && { ...asking.judge, ask: judged.askForVerdicts },
  };
  const results: Results = { articles: [], judged: [], languages: [] };
  for (const { take } of stepsOf(trying, dry, results, () => ({ at: 0, tokens: 0 }))) await take();
  // Written articles are judged too; they are assumed to be about as long as the known ones.
  if (judge) for (const sample of samples) await judgeKnown(sample, dry);
  const cost = await priceOf([
    { model: writer, usage: written.usage() },
    ...(judge ? [{ model: judge, usage: judged.usage() }] : []),
  ]);
  return { ...cost, questions: written.questions() + judged.questions() };
}

function rehearseRole() {
  let usage: TokenUsage = noTokens;
  let questions = 0;
  const note = (question: Question<TSchema>, replyBytes: number): void => {
    questions += 1;
    const inputTokens = likelyTokens(bytesOf({ ...question, earlier: [] }));
    usage = addTokens(usage, { inputTokens, outputTokens: likelyTokens(replyBytes) });
  };
  /** Rejects every sentence, so that there is no second question. */
  const askForVerdicts: Ask = async <Schema extends TSchema>(
    question: Question<Schema>,
  ): Promise<Static<Schema>> => {
    const sentences = question.prompt.match(/^s\d+ /gm) ?? [];
    note(question, sentences.length * verdictBytes);
    const verdicts = sentences.map((_, index) => ({ n: index + 1, reason: '', verdict: 'notShown' }));
    const reply = fitReply(question.schema, { verdicts });
    if (!reply.fits) throw new Error(`The rehearsed verdicts have no form: ${reply.complaint}`);
    return reply.reply;
  };
  const askFor =
    (bytes: (question: Question<TSchema>) => number): Ask =>
    async (question) => {
      note(question, bytes(question));
      throw new ModelFailure('badOutput');
    };
  return { askForVerdicts, askFor, usage: () => usage, questions: () => questions };
}

interface Meter {
  model: Model;
  put: (question: ModelQuestion) => Promise<ModelReply>;
  note: (error: unknown) => void;
  counts: ReplyCounts;
  usage: () => TokenUsage;
  silence: () => FailureReason | null;
}

/**
 * A single timeout may be an accident. By then each question was tried three times, or waited for as long as
 * AI_TIMEOUT_SECONDS says.
 */
const unansweredToStop = 2;

function createMeter(model: Model): Meter {
  const counts: ReplyCounts = { questions: 0, askedAgain: 0, useless: 0, unreplied: 0 };
  let usage = noTokens;
  let inARow = 0;
  let silence: FailureReason | null = null;
  const fail = (error: unknown): never => {
    if (error instanceof ModelFailure) {
      usage = addTokens(usage, error.spent);
      inARow = error.hasReplied ? 0 : inARow + 1;
      if (!error.hasReplied) counts.unreplied += 1;
      if (inARow >= unansweredToStop) silence = error.reason;
    }
    throw error;
  };
  return {
    model,
    async put(question) {
      if (silence) throw new ModelFailure(silence);
      if (question.earlier.length === 0) counts.questions += 1;
      else counts.askedAgain += 1;
      const reply = await model.ask(question).catch(fail);
      inARow = 0;
      usage = addTokens(usage, reply.usage);
      return reply;
    },
    note(error) {
      if (error instanceof ModelFailure && error.hasReplied) counts.useless += 1;
    },
    counts,
    usage: () => usage,
    silence: () => silence,
  };
}
