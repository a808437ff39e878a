import type { LanguageModel, ModelMessage, OutputInterface } from 'ai';
import type { TSchema } from 'typebox';
import type { ModelAccess } from '../../domain/model-providers.ts';
import type { ModelMetrics } from '../../metrics/metrics.ts';
import { inSpan } from '../../metrics/spans.ts';
import {
  asModelFailure,
  bytesOf,
  ModelFailure,
  type ModelQuestion,
  type ModelReply,
  noTokens,
  type TokenUsage,
} from './model-question.ts';

/** The context that local models usually have, for models of which nothing is known. */
const unknownContextTokens = 32_000;

/** The largest context that is used: more costs money without making an article better. */
const largestContextTokens = 200_000;

interface ModelFacts {
  contextTokens: number;
  /** The list price of tokens in US dollars; undefined if the model is in no list. */
  priceOf: (usage: TokenUsage) => number | undefined;
}

export async function loadModelFacts({ provider, name, baseUrl }: ModelAccess): Promise<ModelFacts> {
  const { calcPrice } = await import('@pydantic/genai-prices');
  const seller = provider === 'compatible' ? { providerApiUrl: baseUrl } : { providerId: provider };
  const price = ({ inputTokens, outputTokens }: TokenUsage) =>
    calcPrice({ input_tokens: inputTokens, output_tokens: outputTokens }, name, seller);
  const known = price({ inputTokens: 0, outputTokens: 0 });
  // The list has no context window for models whose price depends on the prompt's length, which have the largest
  // windows.
  const window = known
    ? (known.model.context_window ?? (name.startsWith('gemini-') ? largestContextTokens : 0))
    : 0;
  return {
    contextTokens: Math.min(largestContextTokens, window || unknownContextTokens),
    priceOf: (usage) => price(usage)?.total_price,
  };
}

/** Keys and addresses are passed explicitly, because the libraries would otherwise look for them in the environment. */
export async function loadLanguageModel(
  { provider, name, apiKey = '', baseUrl: baseURL }: ModelAccess,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel> {
  switch (provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ apiKey, baseURL, fetch })(name);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ apiKey, baseURL, fetch }).responses(name);
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ apiKey, baseURL, fetch })(name);
    }
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const options = { name: provider, baseURL, fetch, includeUsage: true, supportsStructuredOutputs: true };
      return createOpenAICompatible({ ...options, ...(apiKey && { apiKey }) })(name);
    }
  }
}

/**
 * The JSON object in a model's reply, whatever surrounds it: thinking, fences or prose. Undefined if there is none. A
 * truncated object is never completed, because half a reply may say the opposite of the whole.
 */
export async function readReply(text: string, { isCut }: { isCut: boolean }): Promise<unknown> {
  const said = withoutThinking(text);
  const whole = largestObject(said);
  if (whole !== undefined || isCut) return whole;
  const first = said.indexOf('{');
  const last = said.lastIndexOf('}');
  if (first < 0 || last < first) return undefined;
  const { jsonrepair } = await import('jsonrepair');
  return objectIn(() => jsonrepair(said.slice(first, last + 1)));
}

/** Some models print their thinking, and some templates leave out its beginning. */
function withoutThinking(text: string): string {
  const end = Math.max(
    ...['</think>', '</thinking>', '</thought>'].map((tag) => {
      const at = text.lastIndexOf(tag);
      return at < 0 ? -1 : at + tag.length;
    }),
  );
  const rest = end < 0 ? text : text.slice(end);
  return rest.includes('{') ? rest : text;
}

/** Finds the largest object: braces in prose are skipped, and an inner object is never taken for the whole. */
function largestObject(text: string): unknown {
  let found: unknown;
  let size = 0;
  let start = text.indexOf('{');
  while (start >= 0) {
    const end = endOfObject(text, start);
    if (end < 0) break;
    const value = end - start > size ? objectIn(() => text.slice(start, end)) : undefined;
    if (value !== undefined) {
      found = value;
      size = end - start;
    }
    start = text.indexOf('{', end);
  }
  return found;
}

/** The index of the bracket that closes the one at `start`; -1 if it is not closed. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted) {
      if (character === '\\') at += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function objectIn(print: () => string): unknown {
  try {
    const value: unknown = JSON.parse(print());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export interface MeasuredBy {
  metrics?: ModelMetrics | null | undefined;
}

interface Measuring extends MeasuredBy {
  provider: string;
  priceOf: (usage: TokenUsage) => number | undefined;
}

export function measureCall<Said extends { usage: TokenUsage }>(
  { metrics, provider, priceOf }: Measuring,
  call: () => Promise<Said>,
): Promise<Said> {
  return inSpan('model call', { 'gen_ai.provider.name': provider }, async (describe) => {
    const start = performance.now();
    const note = (outcome: string, usage: TokenUsage): void => {
      describe({
        'pullquote.outcome': outcome,
        'gen_ai.usage.input_tokens': usage.inputTokens,
        'gen_ai.usage.output_tokens': usage.outputTokens,
      });
      metrics?.observeCall({ provider, outcome, seconds: (performance.now() - start) / 1000, ...usage });
      const usd = metrics ? priceOf(usage) : undefined;
      if (usd !== undefined) metrics?.addCost(provider, usd);
    };
    try {
      const said = await call();
      note('answered', said.usage);
      return said;
    } catch (error) {
      if (error instanceof ModelFailure) note(error.reason, error.spent);
      else note('givenUp', noTokens);
      throw error;
    }
  });
}

/** The ways of requesting JSON: with a schema, without one, or by the prompt alone. */
export const jsonModes = ['schema', 'object', 'words'] as const;
export type JsonMode = (typeof jsonModes)[number];

interface Circumstances {
  mode: JsonMode;
  timeoutMs: number;
  clock: () => Date;
  estimateTokens: (bytes: number) => number;
}

/** An article has a few thousand bytes; a model that writes hundreds of times as many has gone astray. */
const longestReply = 1024 * 1024;

interface Received {
  text: string;
  bytes: number;
  hasBegun: boolean;
  finish: string;
  reported: Partial<TokenUsage>;
}

export async function callOnce(
  model: LanguageModel,
  question: ModelQuestion,
  { mode, timeoutMs, clock, estimateTokens }: Circumstances,
): Promise<ModelReply & { isReported: boolean }> {
  const { signal } = question;
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  const done = new AbortController();
  const received: Received = { text: '', bytes: 0, hasBegun: false, finish: 'other', reported: {} };
  const usageOf = ({ text, reported }: Received): TokenUsage => ({
    inputTokens: estimateTokens(bytesOf(question)),
    outputTokens: estimateTokens(Buffer.byteLength(text)),
    ...reported,
  });
  try {
    const abortSignal = AbortSignal.any([signal, timeout, done.signal]);
    await receive(model, { ...question, output: asItComes(question.schema, mode), abortSignal }, received);
    const { text, finish, reported } = received;
    if (finish === 'content-filter') throw new ModelFailure('refused');
    const isCutOff = finish === 'length';
    const isWhole = finish === 'stop' || finish === 'tool-calls';
    const reply = isCutOff ? undefined : await readReply(text, { isCut: !isWhole });
    // A stream that ends without a reason was cut on the way.
    if (!isWhole && !isCutOff && reply === undefined) throw new ModelFailure('unreachable');
    const isReported = reported.inputTokens !== undefined;
    return { text, value: reply, isCutOff, usage: usageOf(received), isReported };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const failure = timeout.aborted ? new ModelFailure('timeout') : asModelFailure(error, clock());
    failure.spent = received.hasBegun ? usageOf(received) : noTokens;
    throw failure;
  } finally {
    done.abort();
  }
}

/**
 * The largest plausible token count, more than any model reads or writes at once: servers that report more have not
 * counted.
 */
const mostTokens = 10_000_000;

const isPlausible = (tokens: number | undefined): tokens is number =>
  tokens !== undefined && Number.isInteger(tokens) && tokens > 0 && tokens <= mostTokens;

async function receive(
  model: LanguageModel,
  question: ModelQuestion & { output: ReturnType<typeof asItComes>; abortSignal: AbortSignal },
  into: Received,
): Promise<void> {
  const { abortSignal } = question;
  const { streamText } = await import('ai');
  const { fullStream } = streamText({
    model,
    instructions: question.instructions,
    messages: messagesOf(question),
    output: question.output,
    maxOutputTokens: question.maxOutputTokens,
    maxRetries: 0,
    abortSignal,
    // OpenAI must not store the texts. Other providers have no such option and ignore it.
    providerOptions: { openai: { store: false } },
    // Errors arrive as parts of the stream; by default the library would also print them.
    onError: () => {},
  });
  // Read without a loop, because leaving a loop would wait until the server closes the stream.
  const reader = fullStream.getReader();
  for (;;) {
    const { done, value: part } = await reader.read();
    if (done) return;
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') abortSignal.throwIfAborted();
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') into.hasBegun = true;
    if (part.type === 'text-delta') {
      into.text += part.text;
      into.bytes += Buffer.byteLength(part.text);
      if (into.bytes > longestReply) throw new ModelFailure('badOutput');
      question.onText?.(into.text);
    }
    if (part.type === 'finish') {
      into.finish = part.finishReason;
      const { inputTokens, outputTokens } = part.totalUsage;
      if (isPlausible(inputTokens)) into.reported.inputTokens = inputTokens;
      if (isPlausible(outputTokens)) into.reported.outputTokens = outputTokens;
    }
  }
}

function messagesOf({ prompt, earlier }: ModelQuestion): ModelMessage[] {
  return [
    { role: 'user', content: prompt },
    ...earlier.flatMap(({ reply, complaint }): ModelMessage[] => [
      { role: 'assistant', content: reply },
      { role: 'user', content: complaint },
    ]),
  ];
}

/** Requests JSON and leaves parsing to us, because the library would parse the whole text at every piece. */
function asItComes(schema: TSchema, mode: JsonMode): OutputInterface<string, number, never> {
  const formats = {
    schema: { type: 'json' as const, name: 'answer', schema: JSON.parse(JSON.stringify(schema)) },
    object: { type: 'json' as const },
    words: { type: 'text' as const },
  };
  return {
    name: 'object',
    responseFormat: Promise.resolve(formats[mode]),
    parseCompleteOutput: async ({ text }) => text,
    // The library passes text on whenever this value changes.
    parsePartialOutput: async ({ text }) => ({ partial: text.length }),
    createElementStreamTransform: () => undefined,
  };
}
