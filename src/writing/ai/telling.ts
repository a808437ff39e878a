import type { Static, TSchema } from 'typebox';
import type { JobProgress } from '../../domain/pull-requests.ts';
import type { Draft, Sentence } from '../draft.ts';
import type { Prompts } from './fill-prompt.ts';

export interface Question<Schema extends TSchema> {
  instructions: string;
  prompt: string;
  schema: Schema;
}

/** Puts a question to a model and settles with an answer of the schema's form. */
export type Ask = <Schema extends TSchema>(question: Question<Schema>) => Promise<Static<Schema>>;

/** The same where there may be no answer: null then. */
export type AskReader = <Schema extends TSchema>(
  question: Question<Schema>,
) => Promise<Static<Schema> | null>;

/** What a job that a model works on is at. */
type ModelStep = Extract<JobProgress['step'], 'reading parts' | 'writing' | 'checking claims' | 'mending'>;

/** What the check says of a sentence: as it is kept, or why it is not. */
export type CheckedSentence = { kept: Sentence; isRepaired: boolean } | { kept: null; reason: string };

export interface Telling {
  ask: Ask;
  /** The second reader, and how many bytes it has room for beside its instructions; null where none is wanted. */
  judge: { ask: AskReader; mostBytes: number } | null;
  /** Holds every sentence of a draft against the diff; in the order of numberSentences. */
  check: (draft: Draft) => Promise<CheckedSentence[]>;
  prompts: Prompts;
  project: string;
  language: string;
  shuffle: <Item>(items: Item[]) => Item[];
  /** Whether the second reader found a control sentence out, or let it pass. */
  onControl?: (isFound: boolean) => void;
  /** How many sentences are through, of how many. */
  onProgress: (step: ModelStep, done: number, total: number) => void;
}
