import type { TSchema } from 'typebox';

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}

export const noTokens: TokenUsage = { inputTokens: 0, outputTokens: 0 };

export const addTokens = (one: TokenUsage, other: TokenUsage): TokenUsage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
});

export interface ModelQuestion {
  instructions: string;
  prompt: string;
  /** Answers that were of no use, and what was wrong with each. */
  earlier: { answer: string; complaint: string }[];
  schema: TSchema;
  maxOutputTokens: number;
  signal: AbortSignal;
  /** Asked before each call, which is none if it throws; told what the calls before it have used for nothing. */
  beforeCall?: (spent: TokenUsage) => Promise<void>;
  /** Told how much has been written, as it is written. */
  onText?: (soFar: string) => void;
  /** Told when the model did not answer and is to be asked again after a pause. */
  onWait?: () => void;
}

export interface ModelAnswer {
  text: string;
  /** The JSON object in the text; undefined where there is none that is whole. */
  answer: unknown;
  isCutOff: boolean;
  usage: TokenUsage;
}

/** How much is sent with a question. */
export function bytesOf({
  instructions,
  prompt,
  earlier,
}: Pick<ModelQuestion, 'instructions' | 'prompt' | 'earlier'>): number {
  const said = earlier.flatMap(({ answer, complaint }) => [answer, complaint]);
  return [instructions, prompt, ...said].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
