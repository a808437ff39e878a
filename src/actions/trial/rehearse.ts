import type { Static, TSchema } from 'typebox';
import { fitAnswer } from '../../writing/ai/fit-answer.ts';
import { likelyBytesPerToken, type Model } from '../../writing/ai/model.ts';
import { addTokens, bytesOf, noTokens, type TokenUsage } from '../../writing/ai/model-question.ts';
import type { Ask, Question } from '../../writing/ai/telling.ts';
import { toldSample } from './checked-article.ts';
import { type Cost, priceOf } from './figures.ts';
import type { Sample } from './prepare-sample.ts';
import { judgeKnown, sayIn, type TrialAsking, writeAbout } from './steps.ts';

/** What a model writes, in bytes, as far as can be foreseen: an article of fifteen sentences, each with what it cites. */
const articleBytes = 3_500;
const verdictBytes = 60;

const tokensOf = (bytes: number): number => Math.ceil(bytes / likelyBytesPerToken);

/** The languages that an article is said in after it was written in English. */
export const otherLanguages = ['ja', 'fr', 'de', 'zh'];

/** Thrown in place of an answer. */
class Rehearsed extends Error {}

interface Rehearsing {
  samples: Sample[];
  writer: Model;
  judge: Model | null;
  asking: TrialAsking;
}

/**
 * What a trial will cost: every question is made as it will be put, and put to nobody. What a model has to mend, or is asked
 * again, and what it thinks, comes on top.
 */
export async function rehearse({
  samples,
  writer,
  judge,
  asking,
}: Rehearsing): Promise<Cost & { questions: number }> {
  const written = rehearseRole();
  const judged = judge && rehearseRole();
  const dry: TrialAsking = {
    ...asking,
    writer: { ...asking.writer, askIn: () => written.askFor(articleBytes) },
    judge: asking.judge && judged && { ...asking.judge, ask: judged.askForVerdicts },
  };
  const pretend = (step: Promise<unknown>): Promise<unknown> =>
    step.catch((error: unknown) => {
      if (!(error instanceof Rehearsed)) throw error;
    });
  for (const sample of samples) {
    await pretend(writeAbout(sample, dry));
    // Once for the article, of which nothing is known but that it is about as long, and once for what is known.
    await judgeKnown(sample, dry);
    await judgeKnown(sample, dry);
  }
  const told = samples.find(({ number }) => number === toldSample);
  const again = { ...dry, writer: { ...dry.writer, askIn: () => written.askFor('asked') } };
  if (told) for (const language of otherLanguages) await pretend(sayIn(language, told, again));
  const cost = await priceOf([
    { model: writer, usage: written.usage() },
    ...(judge && judged ? [{ model: judge, usage: judged.usage() }] : []),
  ]);
  return { ...cost, questions: written.questions() + (judged?.questions() ?? 0) };
}

function rehearseRole() {
  let usage: TokenUsage = noTokens;
  let questions = 0;
  const note = (question: Question<TSchema>, answerBytes: number): void => {
    questions += 1;
    const inputTokens = tokensOf(bytesOf({ ...question, earlier: [] }));
    usage = addTokens(usage, { inputTokens, outputTokens: tokensOf(answerBytes) });
  };
  /** Finds fault with every sentence, which no reader would be asked about once more. */
  const askForVerdicts: Ask = async <Schema extends TSchema>(
    question: Question<Schema>,
  ): Promise<Static<Schema>> => {
    const sentences = question.prompt.match(/^s\d+ /gm) ?? [];
    note(question, sentences.length * verdictBytes);
    const verdicts = sentences.map((_, index) => ({ n: index + 1, reason: '', verdict: 'notShown' }));
    const answer = fitAnswer(question.schema, { verdicts });
    if (!answer.fits) throw new Error(`The rehearsed verdicts have no form: ${answer.complaint}`);
    return answer.answer;
  };
  const askFor =
    (bytes: number | 'asked'): Ask =>
    async (question) => {
      // What is said again is about as long as before.
      note(question, bytes === 'asked' ? Buffer.byteLength(question.prompt) : bytes);
      throw new Rehearsed();
    };
  return { askForVerdicts, askFor, usage: () => usage, questions: () => questions };
}
