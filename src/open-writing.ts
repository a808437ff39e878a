import type { Logger } from 'pino';
import type { ModelWriting } from './actions/articles/compose-with-model.ts';
import type { Config } from './config.ts';
import { createEgressClient, type EgressRules } from './egress/egress-client.ts';
import { loadPrompts } from './load-prompts.ts';
import type { Metrics } from './metrics/metrics.ts';
import { openModels } from './open-models.ts';
import type { Thread } from './threads/thread.ts';
import { ThreadPool } from './threads/thread-pool.ts';
import type { TaskLimits } from './threads/watch-limits.ts';
import { version } from './version.ts';

interface Surroundings extends Pick<Parameters<typeof openModels>[1], 'clock' | 'wait'> {
  /** Null where nothing is measured. */
  metrics: Metrics | null;
}

/** The models of the settings, and what they are told; null where there are none. */
export function openModelWriting(
  config: Config,
  { metrics, ...surroundings }: Surroundings,
  opened: AsyncDisposableStack,
): ModelWriting | null {
  const connect = (rules: EgressRules) => createEgressClient(config, rules);
  const models = openModels(config, { ...surroundings, connect, metrics: metrics?.models });
  if (!models) return null;
  opened.defer(models.close);
  // Prompts are read at the start, so that a folder that lacks one is found then.
  const { prompts, version: promptVersion } = loadPrompts(config.aiPrompts);
  const { aiTokensPerDay, aiArticlesPerDay, watchedArticlesPerDay } = config;
  const { aiPrivate, aiPartTokens, aiParallelCalls } = config;
  return {
    writer: models.writer,
    judge: models.judge,
    partReader: models.partReader,
    partTokens: aiPartTokens,
    parallelCalls: aiParallelCalls,
    prompts,
    promptVersion,
    tokensPerDay: aiTokensPerDay,
    articlesPerDay: aiArticlesPerDay,
    watchedArticlesPerDay,
    mayReadPrivate: aiPrivate,
  };
}

export interface ThreadSurroundings {
  log: Logger;
  /** Threads with some limits that other services of this process leave idle; it uses its own alone, unless told otherwise. */
  sharedThreads?: ((limits: TaskLimits) => Thread[]) | undefined;
}

/** Threads that start with the first work there is for them. */
export function startThreads(
  config: Config,
  { sharedThreads }: ThreadSurroundings,
  opened: AsyncDisposableStack,
  { most = Math.max(1, config.writers), workMs = config.writingMs } = {},
): ThreadPool['run'] {
  const limits = { workMs, memoryBytes: config.writingBytes };
  const threads = new ThreadPool({ most, limits, sharedIdle: sharedThreads?.(limits) });
  opened.defer(() => threads.close());
  return threads.run;
}

/** What was more than could be read is tried again when one of these has changed. */
export function readingTerms(
  { writingMs, writingBytes, maxDiffBytes }: Config,
  offlineWriter: number,
): string {
  return [version, offlineWriter, writingMs, writingBytes, maxDiffBytes].join(' ');
}
