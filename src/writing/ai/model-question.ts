import type { TSchema } from 'typebox';

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}

export interface ModelQuestion {
  instructions: string;
  prompt: string;
  /** Answers that were of no use, and what was wrong with each. */
  earlier: { answer: string; complaint: string }[];
  schema: TSchema;
  maxOutputTokens: number;
  signal: AbortSignal;
  /** Told how much has been written, as it is written. */
  onText?: (soFar: string) => void;
}

export interface ModelAnswer {
  text: string;
  /** The JSON object in the text; undefined where there is none that is whole. */
  answer: unknown;
  isCutOff: boolean;
  usage: TokenUsage;
}
