import { findArticlesWithoutModel } from '../../db/articles.ts';
import { likelyBytesPerToken } from '../../writing/ai/model.ts';
import { addTokens, noTokens, type TokenUsage } from '../../writing/ai/model-question.ts';
import type { Deps, ModelWriting } from '../deps.ts';

export interface WritingEstimate extends TokenUsage {
  articles: number;
  /** Null if the price of a model is unknown. */
  costUsd: number | null;
}

/** Measured with `bench/questions.ts`: all questions about a change, with those that repair a quarter of the sentences. */
const bytesBeside = { writer: 19_500, judge: 11_000 };
const bytesPerLine = { writer: 45, judge: 25 };
const replyBytes = { writer: 2_500, judge: 800 };

/** The writer reads more if it may look around. */
const withLooks = 1.6;

const likelyTokens = (bytes: number): number => Math.ceil(bytes / likelyBytesPerToken);

/** The expected cost of writing about changes of so many lines. */
export async function estimateWriting(
  { writer, judge, looks }: Pick<ModelWriting, 'writer' | 'judge' | 'looks'>,
  changedLines: number[],
): Promise<WritingEstimate> {
  const usageOf = (role: 'writer' | 'judge'): TokenUsage =>
    changedLines
      .map((lines) => ({
        inputTokens: likelyTokens(
          (bytesBeside[role] + lines * bytesPerLine[role]) * (role === 'writer' && looks > 0 ? withLooks : 1),
        ),
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
