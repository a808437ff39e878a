import { findArticlesWithoutModel } from '../../db/articles.ts';
import { likelyBytesPerToken } from '../../writing/ai/model.ts';
import { addTokens, noTokens, type TokenUsage } from '../../writing/ai/model-question.ts';
import type { Deps, ModelWriting } from '../deps.ts';

export interface WritingEstimate extends TokenUsage {
  articles: number;
  /** Null if the price of a model is unknown. */
  costUsd: number | null;
}

/** The size of questions beside the change: instructions, the form of the reply, and code around the change. */
const bytesBeside = { writer: 22_000, judge: 9_000 };

/** Per changed line, with the lines around it; a second model reads only cited ones. */
const bytesPerLine = { writer: 90, judge: 40 };

/** An article of fifteen sentences, each with its citations, and their verdicts. */
const replyBytes = { writer: 3_500, judge: 900 };

const likelyTokens = (bytes: number): number => Math.ceil(bytes / likelyBytesPerToken);

/** The expected cost of writing about changes of so many lines. */
export async function estimateWriting(
  { writer, judge }: Pick<ModelWriting, 'writer' | 'judge'>,
  changedLines: number[],
): Promise<WritingEstimate> {
  const usageOf = (role: 'writer' | 'judge'): TokenUsage =>
    changedLines
      .map((lines) => ({
        inputTokens: likelyTokens(bytesBeside[role] + lines * bytesPerLine[role]),
        outputTokens: likelyTokens(replyBytes[role]),
      }))
      .reduce(addTokens, noTokens);
  const roles = [
    { model: writer, usage: usageOf('writer') },
    ...(judge ? [{ model: judge, usage: usageOf('judge') }] : []),
  ];
  const costs = await Promise.all(roles.map(({ model, usage }) => model.priceOf(usage)));
  const isKnown = costs.every((cost) => cost !== undefined);
  return {
    articles: changedLines.length,
    ...roles.map(({ usage }) => usage).reduce(addTokens, noTokens),
    costUsd: isKnown ? costs.reduce<number>((sum, cost) => sum + cost, 0) : null,
  };
}

interface Rewritable {
  host: string;
  hostRepoId: number;
  isPrivate: boolean;
}

/** An estimate for the newest articles of a repository without a model; null if no model may write about it. */
export async function estimateRewriting(
  { database, currentModels }: Pick<Deps, 'database' | 'currentModels'>,
  { isPrivate, ...repository }: Rewritable,
  { languageCode, most }: { languageCode: string; most: number },
): Promise<WritingEstimate | null> {
  const models = currentModels();
  if (!models || (isPrivate && !models.mayReadPrivate)) return null;
  const found = await findArticlesWithoutModel(database, { ...repository, languageCode, most });
  return estimateWriting(
    models,
    found.map(({ changedLines }) => changedLines),
  );
}
