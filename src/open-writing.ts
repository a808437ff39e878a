import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Deps, ModelWriting, OpenedModels } from './actions/deps.ts';
import { accessOf, type ModelSource } from './actions/models/model-settings.ts';
import type { Config } from './config.ts';
import { findModelSettings } from './db/models.ts';
import { StartupProblem } from './domain/errors.ts';
import {
  type ModelAccess,
  type ModelLimits,
  type StoredModelSettings,
  usualLimits,
} from './domain/model-providers.ts';
import { createEgressClient } from './egress/egress-client.ts';
import type { Metrics } from './metrics/metrics.ts';
import { limitsOf, type ModelSettings, modelAccess } from './settings/model-settings.ts';
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
    'from-review': read('from-review'),
    'choose-points': read('choose-points'),
    'write-digest': read('write-digest'),
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

type OpenedAccess = NonNullable<ReturnType<typeof modelAccess>>;

/** The models in the settings; null if there are none. */
export function openModels(settings: Settings, options: Parameters<typeof connectModels>[2]): Models | null {
  const access = modelAccess(settings);
  return access && connectModels(access, settings, options);
}

type ModelOptions = Pick<Parameters<typeof createModel>[1], 'clock' | 'wait' | 'metrics'>;

/** Models with connections to their own origins only. */
function connectModels(
  access: OpenedAccess,
  settings: Omit<Settings, keyof ModelSettings>,
  { clock, wait, metrics }: ModelOptions,
): Models {
  const { aiContextTokens: contextTokens, aiOutputTokens: outputTokens, aiTimeoutMs: timeoutMs } = settings;
  const closing: (() => Promise<void>)[] = [];
  const opened = new Map<string, Model>();
  const open = (wanted: ModelAccess): Model => {
    const key = JSON.stringify([wanted.provider, wanted.name, wanted.baseUrl, wanted.apiKey]);
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

interface WritingOptions extends Pick<Parameters<typeof openModels>[1], 'clock' | 'wait'> {
  metrics: Metrics | null;
}

type ChosenModels = OpenedAccess & { limits: ModelLimits };

/** The models of the environment or, without any, those that operators have set, which may change at any time. */
export class CurrentModels {
  readonly #config: Config;
  readonly #options: Parameters<typeof connectModels>[2];
  readonly #closing: (() => Promise<void>)[] = [];
  #inUse: ModelWriting | null;
  #chosen: ChosenModels | null;
  #source: ModelSource;
  /** The stored settings that were opened last, so that a reload without a change opens no connections. */
  #opened: string | null = null;
  #reloading: Promise<void> = Promise.resolve();
  /** Prompts are read at the start, so that a missing one is found then. */
  readonly #prompts: Pick<ModelWriting, 'prompts' | 'promptVersion'>;
  readonly environmentLimits: Partial<ModelLimits>;

  constructor(config: Config, { metrics, ...options }: WritingOptions) {
    const { prompts, version: promptVersion } = loadPrompts(config.aiPrompts);
    this.#config = config;
    this.#options = { ...options, metrics: metrics?.models };
    this.#prompts = { prompts, promptVersion };
    const access = modelAccess(config);
    this.environmentLimits = limitsOf(config);
    this.#chosen = access && { ...access, limits: usualLimits };
    this.#inUse = this.#chosen && this.#keep(this.#chosen);
    this.#source = access ? 'environment' : 'none';
  }

  readonly current = (): ModelWriting | null => this.#inUse;

  readonly source = (): ModelSource => this.#source;

  /**
   * Opens models for a trial: the given ones, or those in use with connections of their own. Null if there are none, or
   * a key cannot be decrypted. Without patience, a failed call is repeated at once.
   */
  openForTrial(
    { secretKeys }: Pick<Deps, 'secretKeys'>,
    stored: StoredModelSettings | null,
    isPatient: boolean,
  ): OpenedModels | null {
    const access = stored && accessOf(secretKeys, stored);
    const chosen = stored
      ? access && { ...access, partReader: access.writer, limits: stored.limits }
      : this.#chosen;
    const hurried = { ...this.#options, wait: async () => {} };
    return chosen && this.#open(chosen, isPatient ? this.#options : hurried);
  }

  /** Jobs that have begun go on with the models that they began with, so those stay open. */
  async reload(deps: Pick<Deps, 'database' | 'secretKeys'>): Promise<void> {
    if (this.#source === 'environment') return;
    // One after the other, because one that read older settings could otherwise end last.
    const reloaded = this.#reloading.then(() => this.#openStored(deps));
    this.#reloading = reloaded.catch(() => {});
    await reloaded;
    if (this.#inUse) await loadModelCode(this.#inUse);
  }

  async #openStored({ database, secretKeys }: Pick<Deps, 'database' | 'secretKeys'>): Promise<void> {
    const stored = await findModelSettings(database);
    const text = JSON.stringify(stored);
    if (text === this.#opened) return;
    const access = stored && accessOf(secretKeys, stored);
    this.#chosen = access && { ...access, partReader: access.writer, limits: stored.limits };
    this.#inUse = this.#chosen && this.#keep(this.#chosen);
    this.#source = stored ? 'settings' : 'none';
    this.#opened = text;
  }

  async close(): Promise<void> {
    await Promise.all(this.#closing.map((close) => close()));
  }

  #keep(chosen: ChosenModels): ModelWriting {
    const { close, ...models } = this.#open(chosen, this.#options);
    this.#closing.push(close);
    return models;
  }

  #open({ limits, ...access }: ChosenModels, options: ModelOptions): OpenedModels {
    const models = connectModels(access, this.#config, options);
    const { watchedArticlesPerDay, aiPartTokens, aiParallelCalls, aiLooks } = this.#config;
    return {
      ...models,
      ...this.#prompts,
      ...limits,
      ...this.environmentLimits,
      partTokens: aiPartTokens,
      parallelCalls: aiParallelCalls,
      looks: aiLooks,
      watchedArticlesPerDay,
    };
  }
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
