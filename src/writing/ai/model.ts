import { setTimeout as sleep } from 'node:timers/promises';
import type { LanguageModel } from 'ai';
import { LazyPromise } from '../../domain/concurrency.ts';
import type { ModelAccess } from '../../domain/model-providers.ts';
import {
  callOnce,
  type JsonMode,
  jsonModes,
  loadLanguageModel,
  loadModelFacts,
  type MeasuredBy,
  measureCall,
} from './call-model.ts';
import {
  addTokens,
  bytesOf,
  createBreaker,
  ModelFailure,
  type ModelQuestion,
  type ModelReply,
  noTokens,
  type TokenUsage,
  tryAgain,
} from './model-question.ts';

export interface ModelOptions extends ModelAccess {
  /** The size of the context by the settings; undefined to use what is known of the model. */
  contextTokens: number | undefined;
  outputTokens: number;
  timeoutMs: number;
}

interface ModelDeps extends MeasuredBy {
  fetch: typeof globalThis.fetch;
  clock: () => Date;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Model extends Pick<ModelAccess, 'provider' | 'name' | 'baseUrl'> {
  /** Resolves with a reply of any quality, or rejects with a ModelFailure. */
  ask: (question: ModelQuestion) => Promise<ModelReply>;
  limits: () => Promise<{ outputTokens: number; promptBytes: number; surePromptBytes: number }>;
  /** Estimates the tokens of a number of bytes, rather too high than too low. */
  estimateTokens: (bytes: number) => number;
  priceOf: (usage: TokenUsage) => Promise<number | undefined>;
}

/**
 * Diffs with line numbers take three bytes or more per token; an estimate that is too high only leaves space unused.
 */
export const cautiousBytesPerToken = 2.5;

/** The bytes per token with which costs are estimated in advance. */
export const likelyBytesPerToken = 3;

/** No provider truncates smaller prompts, and they say little about bytes per token. */
const tellingBytes = 4_000;

const boldestBytesPerToken = 4;

/** A model that is called with retries and a circuit breaker. Its libraries are loaded with the first question. */
export function createModel(options: ModelOptions, deps: ModelDeps): Model {
  const { fetch, clock, wait = pause } = deps;
  const breaker = createBreaker(clock);
  let bytesPerToken: number | null = null;
  let form: JsonMode = 'schema';
  const loaded = new LazyPromise(async () => {
    const [languageModel, facts] = await Promise.all([
      loadLanguageModel(options, requireStream(fetch)),
      loadModelFacts(options),
      import('ai'),
    ]);
    return { languageModel, facts };
  });
  const estimateTokens = (bytes: number) => Math.ceil(bytes / (bytesPerToken ?? cautiousBytesPerToken));

  const learn = (bytes: number, { inputTokens }: TokenUsage): void => {
    if (bytes < tellingBytes) return;
    const reported = Math.min(boldestBytesPerToken, Math.max(1, bytes / inputTokens));
    bytesPerToken = bytesPerToken === null ? reported : Math.min(bytesPerToken, reported);
  };

  /**
   * Some servers reject schemas, or JSON mode altogether; after a rejection they get no further request of that kind.
   */
  const askInSomeForm = async (languageModel: LanguageModel, question: ModelQuestion) => {
    for (;;) {
      const mode = form;
      try {
        const circumstances = { mode, timeoutMs: options.timeoutMs, clock, estimateTokens };
        return await callOnce(languageModel, question, circumstances);
      } catch (error) {
        const plainer = jsonModes[jsonModes.indexOf(mode) + 1];
        if (!(error instanceof ModelFailure) || !error.refusesForm || !plainer) throw error;
        if (form === mode) form = plainer;
      }
    }
  };

  return {
    provider: options.provider,
    name: options.name,
    baseUrl: options.baseUrl,
    estimateTokens,
    async ask(question) {
      const { languageModel, facts } = await loaded.get();
      const measuring = { ...deps, provider: options.provider, priceOf: facts.priceOf };
      const bytes = bytesOf(question);
      let spent = noTokens;
      const call = async () => {
        await question.beforeCall?.(spent);
        const { isReported, ...said } = await measureCall(measuring, async () => {
          const { usage, ...rest } = await askInSomeForm(languageModel, question);
          if (isCut(bytes, usage)) throw Object.assign(new ModelFailure('cutPrompt'), { spent: usage });
          return { usage, ...rest };
        });
        if (isReported) learn(bytes, said.usage);
        return said;
      };
      const callAndCount = () =>
        call().catch((error: unknown) => {
          if (error instanceof ModelFailure) error.spent = spent = addTokens(spent, error.spent);
          throw error;
        });
      const waitAndTell = (ms: number) => {
        question.onWait?.();
        return wait(ms, question.signal);
      };
      const said = await breaker(() => tryAgain(callAndCount, waitAndTell));
      return { ...said, usage: addTokens(said.usage, spent) };
    },
    async limits() {
      const contextTokens = options.contextTokens ?? (await loaded.get()).facts.contextTokens;
      const outputTokens = Math.min(options.outputTokens, Math.floor(contextTokens / 4));
      const promptBytes = Math.floor(
        (contextTokens - outputTokens) * (bytesPerToken ?? cautiousBytesPerToken),
      );
      const surePromptBytes = Math.floor((contextTokens - outputTokens) * cautiousBytesPerToken);
      return { outputTokens, promptBytes, surePromptBytes };
    },
    priceOf: async (usage) => (await loaded.get()).facts.priceOf(usage),
  };
}

/** A response that is not a stream, such as a web page, would look like a stream without text. */
const requireStream =
  (fetch: ModelDeps['fetch']): ModelDeps['fetch'] =>
  async (...request) => {
    const response = await fetch(...request);
    const isWhole = /^(?:text\/html|application\/json)\b/i.test(response.headers.get('content-type') ?? '');
    if (!response.ok || !isWhole) return response;
    await response.body?.cancel();
    throw new ModelFailure('notStreamed');
  };

/** Some servers silently read only the end of a prompt, which shows in the number of tokens they report. */
const isCut = (bytes: number, { inputTokens }: TokenUsage): boolean =>
  bytes >= tellingBytes && inputTokens < bytes / cautiousBytesPerToken / 2;

const pause: NonNullable<ModelDeps['wait']> = async (ms, signal) => {
  await sleep(ms, undefined, { signal });
};

/** The bytes reserved for the values filled into a prompt, and for what providers add. */
export const slackBytes = 2_000;

export async function roomBeside(prompt: string, model: Model): Promise<number> {
  const { promptBytes } = await model.limits();
  return promptBytes - Buffer.byteLength(prompt) - slackBytes;
}
