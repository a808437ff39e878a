import type { Model } from '../../writing/ai/model.ts';
import type { FailureReason } from '../../writing/ai/model-failure.ts';
import { addTokens, noTokens, type TokenUsage } from '../../writing/ai/model-question.ts';
import type { LieKind } from './known-sentences.ts';
import type { AnswerCounts } from './meter.ts';

/** Tokens, and what they cost by the list; absent where a model is on none. */
export interface Cost extends TokenUsage {
  usd?: number;
}

/** What several models have used together, with its price where all are on the list. */
export async function priceOf(used: { model: Model; usage: TokenUsage }[]): Promise<Cost> {
  const prices = await Promise.all(used.map(({ model, usage }) => model.priceOf(usage)));
  const known = prices.filter((price) => price !== undefined);
  const usage = used.reduce((sum, one) => addTokens(sum, one.usage), noTokens);
  if (known.length < prices.length) return usage;
  return { ...usage, usd: known.reduce((sum, price) => sum + price, 0) };
}

/** What a trial has shown. */
export interface TrialFigures {
  writer: string;
  /** Null where the second reader is off. */
  judge: string | null;
  articles: {
    asked: number;
    written: number;
    /** Those that were not asked for, because the model reads too little at once. */
    noRoom: number;
    /** Of each, on the average. */
    seconds: number;
    tokens: number;
  };
  sentences: {
    written: number;
    /** Those that passed the rules as they were first written. */
    byRules: number;
    /** Those that were left after rules, second reader and mending; the mended ones among them. */
    kept: number;
    mended: number;
    dropped: number;
  };
  reader: ReaderFigures | null;
  languages: LanguageFigures[];
  answers: AnswerCounts;
  used: Cost;
  /** Where it was given up, and why; null where it was run to its end. */
  stopped: { model: string; reason: FailureReason } | null;
}

export interface ReaderFigures {
  lies: { told: number; caught: number; missed: Partial<Record<LieKind, number>> };
  truths: { told: number; passed: number; refused: number };
  /** Sentences that it gave no verdict on that counts. */
  unread: number;
}

interface LanguageFigures {
  language: string;
  sentences: number;
  kept: number;
  isHeld: boolean;
}
