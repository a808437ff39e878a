import type { LanguageModel, ModelMessage, OutputInterface } from 'ai';
import type { TSchema } from 'typebox';
import { asModelFailure, ModelFailure } from './model-failure.ts';
import {
  bytesOf,
  type ModelAnswer,
  type ModelQuestion,
  noTokens,
  type TokenUsage,
} from './model-question.ts';
import { readAnswer } from './read-answer.ts';

/** How an answer in JSON is asked for: of a form, of any form, or by the words of the question alone. */
export const askedForms = ['schema', 'object', 'words'] as const;
export type AskedForm = (typeof askedForms)[number];

interface Circumstances {
  asked: AskedForm;
  timeoutMs: number;
  clock: () => Date;
  estimateTokens: (bytes: number) => number;
}

/** An article has a few thousand bytes; a model that writes hundreds of times as many has gone astray. */
const longestAnswer = 1024 * 1024;

/** What has come of an answer so far. */
interface Received {
  text: string;
  bytes: number;
  hasBegun: boolean;
  finish: string;
  /** What the model's side said about tokens, if it did. */
  reported: Partial<TokenUsage>;
}

/** Puts a question to a model, once, and reads the answer as it comes. */
export async function callOnce(
  model: LanguageModel,
  question: ModelQuestion,
  { asked, timeoutMs, clock, estimateTokens }: Circumstances,
): Promise<ModelAnswer & { isReported: boolean }> {
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
    await receive(model, { ...question, output: asItComes(question.schema, asked), abortSignal }, received);
    const { text, finish, reported } = received;
    if (finish === 'content-filter') throw new ModelFailure('refused');
    const isCutOff = finish === 'length';
    const isWhole = finish === 'stop' || finish === 'tool-calls';
    const answer = isCutOff ? undefined : await readAnswer(text, { isCut: !isWhole });
    // A stream that stops without saying why was cut on the way.
    if (!isWhole && !isCutOff && answer === undefined) throw new ModelFailure('unreachable');
    const isReported = reported.inputTokens !== undefined;
    return { text, answer, isCutOff, usage: usageOf(received), isReported };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const failure = timeout.aborted ? new ModelFailure('timeout') : asModelFailure(error, clock());
    failure.spent = received.hasBegun ? usageOf(received) : noTokens;
    throw failure;
  } finally {
    done.abort();
  }
}

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
    // Nothing is kept at the provider. Other providers than OpenAI have no such option, and ignore this one.
    providerOptions: { openai: { store: false } },
    // Errors are parts of the stream; by default they would be printed too.
    onError: () => {},
  });
  // Read by hand: leaving a loop over it would wait until the other side lets go of the stream.
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
      if (into.bytes > longestAnswer) throw new ModelFailure('badOutput');
      question.onText?.(into.text);
    }
    if (part.type === 'finish') {
      into.finish = part.finishReason;
      const { inputTokens, outputTokens } = part.totalUsage;
      if (inputTokens) into.reported.inputTokens = inputTokens;
      if (outputTokens) into.reported.outputTokens = outputTokens;
    }
  }
}

function messagesOf({ prompt, earlier }: ModelQuestion): ModelMessage[] {
  return [
    { role: 'user', content: prompt },
    ...earlier.flatMap(({ answer, complaint }): ModelMessage[] => [
      { role: 'assistant', content: answer },
      { role: 'user', content: complaint },
    ]),
  ];
}

/** Asks for JSON, and leaves reading it to us: the library would parse all that there is at every piece. */
function asItComes(schema: TSchema, asked: AskedForm): OutputInterface<string, number, never> {
  const formats = {
    schema: { type: 'json' as const, name: 'answer', schema: JSON.parse(JSON.stringify(schema)) },
    object: { type: 'json' as const },
    words: { type: 'text' as const },
  };
  return {
    name: 'object',
    responseFormat: Promise.resolve(formats[asked]),
    parseCompleteOutput: async ({ text }) => text,
    // Text is passed on when this has changed.
    parsePartialOutput: async ({ text }) => ({ partial: text.length }),
    createElementStreamTransform: () => undefined,
  };
}
