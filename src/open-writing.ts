import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { ModelWriting } from './actions/deps.ts';
import type { Config } from './config.ts';
import { StartupProblem } from './domain/errors.ts';
import type { ModelAccess } from './domain/model-providers.ts';
import { createEgressClient } from './egress/egress-client.ts';
import type { Metrics } from './metrics/metrics.ts';
import { type ModelSettings, modelAccess } from './settings/model-settings.ts';
import { type TaskLimits, type Thread, ThreadPool } from './threads/thread-pool.ts';
import { packageFolder, version } from './version.ts';
import { createModel, type Model } from './writing/ai/model.ts';
import type { Prompts } from './writing/ai/prompts.ts';

const shipped = fileURLToPath(new URL('prompts/', packageFolder));

/** The prompts of the release or of the operator's folder, and their version. */
export function loadPrompts(folder: string = shipped): { prompts: Prompts; version: string } {
  const read = (name: keyof Prompts): string => {
    const file = join(folder, `${name}.md`);
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw new StartupProblem(`Cannot read the prompt ${file}.`, {
        remedy: 'Copy the files from the folder prompts/ there, or unset AI_PROMPTS.',
        cause: error,
      });
    }
  };
  const prompts: Prompts = {
    'write-article': read('write-article'),
    'read-part': read('read-part'),
    'judge-sentences': read('judge-sentences'),
    'mend-sentences': read('mend-sentences'),
    'say-again': read('say-again'),
    'ask-again': read('ask-again'),
    'answer-question': read('answer-question'),
    'look-around': read('look-around'),
  };
  const hash = createHash('sha256');
  for (const [name, text] of Object.entries(prompts)) hash.update(`${name}\0${text}\0`);
  return { prompts, version: hash.digest('hex').slice(0, 12) };
}

type Network = Parameters<typeof createEgressClient>[0];
type Settings = ModelSettings & Network & Pick<Config, 'aiContextTokens' | 'aiOutputTokens' | 'aiTimeoutMs'>;

export interface Models extends Pick<ModelWriting, 'writer' | 'judge' | 'partReader'> {
  close: () => Promise<void>;
}

/** The largest response of a model: enough for a hundred thousand tokens if each comes in its own message. */
const mostBytes = 32 * 1024 * 1024;

/** The models in the settings, each with connections to its own origin only; null if there are none. */
export function openModels(
  settings: Settings,
  { clock, wait, metrics }: Pick<Parameters<typeof createModel>[1], 'clock' | 'wait' | 'metrics'>,
): Models | null {
  const access = modelAccess(settings);
  if (!access) return null;
  const { aiContextTokens: contextTokens, aiOutputTokens: outputTokens, aiTimeoutMs: timeoutMs } = settings;
  const closing: (() => Promise<void>)[] = [];
  const opened = new Map<string, Model>();
  const open = (wanted: ModelAccess): Model => {
    const key = `${wanted.provider}/${wanted.name}`;
    const known = opened.get(key);
    if (known) return known;
    const { fetch, close } = createEgressClient(settings, {
      origins: [new URL(wanted.baseUrl).origin],
      mayBePrivate: wanted.isOwnAddress,
      patienceMs: timeoutMs,
      mostBytes,
    });
    closing.push(close);
    const model = createModel(
      { ...wanted, contextTokens, outputTokens, timeoutMs },
      { fetch, clock, metrics, ...(wait && { wait }) },
    );
    opened.set(key, model);
    return model;
  };
  return {
    writer: open(access.writer),
    judge: access.judge && open(access.judge),
    partReader: open(access.partReader),
    close: async () => void (await Promise.all(closing.map((close) => close()))),
  };
}

/**
 * Loads the code for the first question to a model before requests come, because that blocks the event loop, for
 * seconds on a busy machine. If loading fails, the question fails too and says why.
 */
export async function loadModelCode({
  writer,
  judge,
}: Pick<ModelWriting, 'writer' | 'judge'>): Promise<void> {
  await Promise.allSettled([
    ...[writer, judge].map((model) => model?.priceOf({ inputTokens: 0, outputTokens: 0 })),
    import('./actions/articles/compose-with-model.ts'),
    import('./actions/questions/answer-with-models.ts'),
  ]);
}

interface LocalModel {
  server: string;
  settings: string[];
}

const localServers = [
  { server: 'Ollama', port: 11434 },
  { server: 'LM Studio', port: 1234 },
  { server: 'llama.cpp', port: 8080 },
];

/** Servers on this machine respond at once. */
const localPatienceMs = 300;

/**
 * Finds a model server on a usual port of this machine. It is only suggested: the only request sent to it lists its
 * models.
 */
export async function findLocalModel(network: Network, servers = localServers): Promise<LocalModel | null> {
  const found = await Promise.all(
    servers.map(async ({ server, port }): Promise<LocalModel | null> => {
      const origin = `http://127.0.0.1:${port}`;
      const { fetch, close } = createEgressClient(network, {
        origins: [origin],
        mayBePrivate: true,
        patienceMs: localPatienceMs,
        mostBytes: 256 * 1024,
      });
      try {
        const ask = () => fetch(`${origin}/v1/models`, { signal: AbortSignal.timeout(localPatienceMs) });
        // Tried twice, because loading the client may take as long as the timeout.
        const reply = await ask().catch(ask);
        const name = reply.ok ? writerAmong(await reply.json()) : null;
        if (!name) return null;
        return { server, settings: [`AI_MODEL=compatible/${name}`, `AI_BASE_URL=${origin}/v1`] };
      } catch {
        return null;
      } finally {
        await close();
      }
    }),
  );
  return found.find((one) => one !== null) ?? null;
}

/**
 * The first model in the list that writes text and has a usable name. The response may come from another kind of
 * server.
 */
function writerAmong(reply: unknown): string | null {
  const listed = typeof reply === 'object' && reply !== null && 'data' in reply ? reply.data : null;
  const names = Array.isArray(listed) ? listed.map((one: { id?: unknown } | null) => one?.id) : [];
  const isFit = (name: unknown): name is string =>
    typeof name === 'string' && /^[\w.:/@+-]{1,120}$/.test(name) && !/embed|rerank|whisper/i.test(name);
  return names.find(isFit) ?? null;
}

export const adviceOnLocalModel = ({ server, settings }: LocalModel): string =>
  `${server} is running on this machine. To use it, set ${settings.join(' and ')}.`;

interface WritingOptions extends Pick<Parameters<typeof openModels>[1], 'clock' | 'wait'> {
  metrics: Metrics | null;
}

export function openModelWriting(
  config: Config,
  { metrics, ...options }: WritingOptions,
  opened: AsyncDisposableStack,
): ModelWriting | null {
  const models = openModels(config, { ...options, metrics: metrics?.models });
  if (!models) return null;
  opened.defer(models.close);
  // Prompts are read at the start, so that a missing one is found then.
  const { prompts, version: promptVersion } = loadPrompts(config.aiPrompts);
  const { aiTokensPerDay, aiArticlesPerDay, watchedArticlesPerDay } = config;
  const { aiPrivate, aiPartTokens, aiParallelCalls, aiLooks } = config;
  return {
    writer: models.writer,
    judge: models.judge,
    partReader: models.partReader,
    partTokens: aiPartTokens,
    parallelCalls: aiParallelCalls,
    looks: aiLooks,
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
  /** Idle threads that services in one process share; used by tests. */
  sharedThreads?: ((limits: TaskLimits) => Thread[]) | undefined;
}

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

/** The version of the reader: unreadable diffs are tried again when the program or its limits change. */
export function readerVersionOf(
  { writingMs, writingBytes, maxDiffBytes }: Config,
  offlineWriter: number,
): string {
  return [version, offlineWriter, writingMs, writingBytes, maxDiffBytes].join(' ');
}
