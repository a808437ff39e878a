import type { Model } from '../../writing/ai/model.ts';
import { type FailureReason, ModelFailure } from '../../writing/ai/model-failure.ts';
import {
  addTokens,
  type ModelAnswer,
  type ModelQuestion,
  noTokens,
  type TokenUsage,
} from '../../writing/ai/model-question.ts';

/** What came of the questions to a model. */
export interface AnswerCounts {
  questions: number;
  /** Answers that were of no use, so that the question was put once more. */
  askedAgain: number;
  /** Questions that were answered, and never with anything of use. */
  useless: number;
  /** Questions to which no answer came at all. */
  unanswered: number;
}

export const addCounts = (one: AnswerCounts, other: AnswerCounts | undefined): AnswerCounts => ({
  questions: one.questions + (other?.questions ?? 0),
  askedAgain: one.askedAgain + (other?.askedAgain ?? 0),
  useless: one.useless + (other?.useless ?? 0),
  unanswered: one.unanswered + (other?.unanswered ?? 0),
});

/** Counts what a model is asked and answers. */
export interface Meter {
  model: Model;
  put: (question: ModelQuestion) => Promise<ModelAnswer>;
  /** Counts a question as useless where that is how it failed. */
  note: (error: unknown) => void;
  counts: () => AnswerCounts;
  usage: () => TokenUsage;
  /** Why nothing is asked any more; null while it answers. */
  silence: () => FailureReason | null;
}

/** One may be an accident. Each was tried three times by then, or waited for as long as AI_TIMEOUT_SECONDS says. */
const unansweredToStop = 2;

export function createMeter(model: Model): Meter {
  const counts: AnswerCounts = { questions: 0, askedAgain: 0, useless: 0, unanswered: 0 };
  let usage = noTokens;
  let inARow = 0;
  let silence: FailureReason | null = null;

  const fail = (error: unknown): never => {
    if (error instanceof ModelFailure) {
      usage = addTokens(usage, error.spent);
      inARow = error.hasAnswered ? 0 : inARow + 1;
      if (!error.hasAnswered) counts.unanswered += 1;
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
      const said = await model.ask(question).catch(fail);
      inARow = 0;
      usage = addTokens(usage, said.usage);
      return said;
    },
    note(error) {
      if (error instanceof ModelFailure && error.hasAnswered) counts.useless += 1;
    },
    counts: () => counts,
    usage: () => usage,
    silence: () => silence,
  };
}
