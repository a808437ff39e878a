import type { LanguageModel, ModelMessage, OutputInterface } from 'ai';
import type { TSchema } from 'typebox';
import { asModelFailure, ModelFailure } from './model-failure.ts';
import type { ModelAnswer, ModelQuestion, TokenUsage } from './model-question.ts';
import { readAnswer } from './read-answer.ts';

interface Called extends Omit<ModelAnswer, 'usage'> {
  /** What the model's side said about tokens, if it did. */
  reported: Partial<TokenUsage>;
}

/** Puts a question to a model, once, and reads the answer as it comes. */
export async function callOnce(
  model: LanguageModel,
  question: ModelQuestion,
  { timeoutMs, clock }: { timeoutMs: number; clock: () => Date },
): Promise<Called> {
  const { signal } = question;
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const { text, finish, reported } = await stream(model, question, AbortSignal.any([signal, timeout]));
    if (finish === 'content-filter') throw new ModelFailure('refused');
    const isCutOff = finish === 'length';
    const isWhole = finish === 'stop' || finish === 'tool-calls';
    const answer = await readAnswer(text, { isCut: !isWhole });
    // A stream that stops without saying why was cut on the way.
    if (!isWhole && !isCutOff && answer === undefined) throw new ModelFailure('unreachable');
    return { text, answer: isCutOff ? undefined : answer, isCutOff, reported };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (timeout.aborted) throw new ModelFailure('timeout');
    throw asModelFailure(error, clock());
  }
}

async function stream(model: LanguageModel, question: ModelQuestion, abortSignal: AbortSignal) {
  const { streamText } = await import('ai');
  const { fullStream } = streamText({
    model,
    instructions: question.instructions,
    messages: messagesOf(question),
    output: asItComes(question.schema),
    maxOutputTokens: question.maxOutputTokens,
    maxRetries: 0,
    abortSignal,
    // Nothing is kept at the provider. Others than OpenAI have no such option, and ignore this one.
    providerOptions: { openai: { store: false } },
    // Errors are parts of the stream; by default they would be printed too.
    onError: () => {},
  });
  let text = '';
  let finish = 'other';
  const reported: Partial<TokenUsage> = {};
  for await (const part of fullStream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') abortSignal.throwIfAborted();
    if (part.type === 'text-delta') {
      text += part.text;
      question.onText?.(text);
    }
    if (part.type === 'finish') {
      finish = part.finishReason;
      const { inputTokens, outputTokens } = part.totalUsage;
      if (inputTokens) reported.inputTokens = inputTokens;
      if (outputTokens) reported.outputTokens = outputTokens;
    }
  }
  return { text, finish, reported };
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

/** Asks for JSON of a form, and leaves reading it to us: the library would parse all that there is at every piece. */
function asItComes(schema: TSchema): OutputInterface<string, never, never> {
  return {
    name: 'object',
    responseFormat: Promise.resolve({
      type: 'json',
      name: 'answer',
      schema: JSON.parse(JSON.stringify(schema)),
    }),
    parseCompleteOutput: async ({ text }) => text,
    parsePartialOutput: async () => undefined,
    createElementStreamTransform: () => undefined,
  };
}
