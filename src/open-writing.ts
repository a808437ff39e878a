import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Logger } from 'pino';
import type { ModelWriting } from './actions/articles/compose-with-model.ts';
import type { Config } from './config.ts';
import { createEgressClient, type EgressRules } from './egress/egress-client.ts';
import type { Metrics } from './metrics/metrics.ts';
import { loadPrompts, openModels } from './open-models.ts';
import { type TaskLimits, type Thread, ThreadPool } from './threads/thread-pool.ts';
import { version } from './version.ts';

/** The folders whose source decides what an article without a model says; prompts have a folder of their own. */
const folders = ['domain', 'reading', 'writing'];

/** TypeScript in a checkout and JavaScript once built; tables are the same in both. */
const extension = extname(import.meta.filename);

/** The version of the offline writer: a hash of its source. */
export async function offlineWriterVersion(source = import.meta.dirname): Promise<string> {
  const listed = await Promise.all(
    folders.map((folder) => readdir(join(source, folder), { recursive: true, withFileTypes: true })),
  );
  const files = listed
    .flat()
    .filter((entry) => entry.isFile() && isPartOfIt(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !file.startsWith(join(import.meta.dirname, 'writing', 'ai')))
    .sort();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash('sha256');
  for (const [index, content] of contents.entries()) {
    hash.update(`${files[index]?.slice(source.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('base64url').slice(0, 22);
}

const isPartOfIt = (name: string): boolean =>
  !name.includes('.test.') && !name.endsWith('.d.ts') && [extension, '.json'].includes(extname(name));

interface Surroundings extends Pick<Parameters<typeof openModels>[1], 'clock' | 'wait'> {
  metrics: Metrics | null;
}

/** The models of the settings with their prompts; null where there are none. */
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

export interface SharedThreads {
  log: Logger;
  /** Threads that other services of this process leave idle; tests share them. */
  sharedThreads?: ((limits: TaskLimits) => Thread[]) | undefined;
}

/** Threads that start with the first work there is for them. */
export function startThreads(
  config: Config,
  { sharedThreads }: SharedThreads,
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
