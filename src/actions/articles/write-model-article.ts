import type { Static, TSchema } from 'typebox';
import { type AnswerForm, answerForms } from '../../writing/ai/answers.ts';
import { notesNotCited } from '../../writing/ai/draft-from-answer.ts';
import type { FilledPrompt } from '../../writing/ai/fill-prompt.ts';
import { fitAnswer } from '../../writing/ai/fit-answer.ts';
import { isTrivial } from '../../writing/ai/is-trivial.ts';
import { readableFiles } from '../../writing/ai/material.ts';
import type { ModelArticle } from '../../writing/ai/model-article.ts';
import { leastToName, type Note } from '../../writing/ai/parts/read-parts.ts';
import { type PreparedWriting, prepareWriting } from '../../writing/ai/prepare-writing.ts';
import { sayAgain } from '../../writing/ai/say-again.ts';
import type { Ask, AskReader, Telling } from '../../writing/ai/telling.ts';
import { writeWithModel } from '../../writing/ai/write-with-model.ts';
import type { Draft, Sentence } from '../../writing/draft.ts';
import { isOfflineLanguage } from '../../writing/languages.ts';
import type {
  AuthorQuote,
  CheckedDraft,
  Counts,
  Coverage,
  Verification,
} from '../../writing/written-article.ts';
import {
  coverageOf,
  type DiffFeed,
  type PullRequestPayload,
  readForWriting,
  withoutUnread,
} from './read-for-writing.ts';
import { type PartsFeed, progressTo, type ReadingTask, readMaterial } from './read-material.ts';
import { shuffleBy } from './shuffle-by.ts';

/** What a model wrote about a diff, and what holds of it, for saying it in another language. */
export interface KeptDraft {
  languageCode: string;
  draft: Draft;
  coverage: Coverage;
  /** This and who wrote it are absent from what older releases kept, which is only ever said again. */
  verification?: Verification;
  writers?: string;
}

export interface ModelTask extends ReadingTask {
  payload: PullRequestPayload;
  language: string;
  /** The same for the second reader; null where there is none. */
  mostBytesToJudge: number | null;
  /** Which models write and read, told by which prompts. */
  writers: string;
  /** What was written about the diff, and is to be said in this language, unless it is in it. */
  known: KeptDraft | null;
  /** What decides the order in which sentences are judged, so that a worker that takes the job over asks the same. */
  seed: string;
}

/** A question without its schema, which does not travel. */
interface NamedQuestion extends FilledPrompt {
  form: AnswerForm;
  /** In which language the answer is to be. */
  language: string;
}

/** Where a thread gets its diff and the answers of models from. */
export interface ModelFeed extends DiffFeed, PartsFeed {
  ask: (question: NamedQuestion) => Promise<unknown>;
  /** Null where the second reader has no answer. */
  askJudge: (question: NamedQuestion) => Promise<unknown>;
  /** Whether the second reader found a control sentence out. */
  onControl: (isFound: boolean) => Promise<void>;
}

interface ToldByModel extends Pick<ModelArticle, 'verification'> {
  article: CheckedDraft;
  quote: AuthorQuote | null;
  counts: Counts;
  coverage: Coverage;
  /** Notes on parts that did not hold, of those that were asked for; null where it was not read part by part. */
  droppedNotes: number | null;
  /** Null where it is, or says again, what is kept. */
  kept: KeptDraft | null;
}

/**
 * Why there is no article: the models have no room for it, not even part by part, there is no line that could be cited,
 * nothing that needs explaining, no part that a model could read, no second reader, or nothing that holds.
 */
export type Unwritten = 'tooLarge' | 'nothingToRead' | 'trivial' | 'noPartRead' | 'unread' | 'nothingHolds';

/**
 * Reads a pull request, has a model write about it and checks what it wrote, unless there is no use in asking one. The rules
 * know two languages: in any other one an article says again what was written and checked in English.
 */
export async function writeModelArticle(task: ModelTask, feed: ModelFeed): Promise<ToldByModel | Unwritten> {
  const { payload, language, known } = task;
  const source = await readForWriting(payload, feed);
  // Other languages have nobody else to write in them.
  if (isOfflineLanguage(language) && isTrivial(source.facts, source.diff)) return 'trivial';
  const prepared = prepareWriting(source, language);
  const tellingIn = (code: string): Telling => createTelling(task, feed, prepared.check, code);
  if (readableFiles(prepared.material).length === 0) return 'nothingToRead';
  const read = await readMaterial(task, feed, prepared);
  if (typeof read === 'string') return read;
  const { material, notes, unread, droppedNotes } = read;
  const coverage = known?.coverage ?? {
    ...withoutUnread(
      coverageOf(payload, source.facts.files),
      [
        ...material.cutFiles.map((fileName) => ({ fileName, reason: 'a line is too long' })),
        ...unread.map((fileName) => ({ fileName, reason: 'the model could not read it' })),
      ],
      source.facts.files,
    ),
    ...(notes && { notes: { total: notes.length + (droppedNotes ?? 0), used: 0 } }),
  };
  const firstLanguage = isOfflineLanguage(language) ? language : 'en';
  const first = known
    ? null
    : await writeWithModel(tellingIn(firstLanguage), material, prepared.known, mustBeTold(notes ?? []));
  const base = known?.draft ?? first?.draft;
  if (!base) return 'unread';
  if (notes && coverage.notes)
    coverage.notes.used =
      notes.length -
      notesNotCited(
        notes.map(({ sentence }) => sentence),
        base,
      ).length;
  if (!base.mainChanges.some(({ sentences }) => sentences.length > 0)) return 'nothingHolds';
  const isSaidAgain = language !== (known?.languageCode ?? firstLanguage);
  const told = isSaidAgain ? await sayAgain(tellingIn(language), base, material) : (first ?? asKept(known));
  if (!told) return 'unread';
  const { draft, verification } = told;
  return {
    ...prepared.publish(draft),
    verification,
    coverage,
    droppedNotes,
    kept: first && { ...first, languageCode: firstLanguage, coverage, writers: task.writers },
  };
}

const mustBeTold = (notes: Note[]): Sentence[] =>
  notes.flatMap(({ sentence, weight }) => (weight >= leastToName ? [sentence] : []));

const asKept = (known: KeptDraft | null): ModelArticle | null =>
  known?.verification ? { draft: known.draft, verification: known.verification } : null;

const createTelling = (
  { prompts, project, mostBytesToJudge, seed }: ModelTask,
  feed: ModelFeed,
  check: PreparedWriting['check'],
  language: string,
): Telling => ({
  ask: askThrough(feed.ask, language),
  judge:
    mostBytesToJudge === null
      ? null
      : { ask: askReaderThrough(feed.askJudge, language), mostBytes: mostBytesToJudge },
  check: async (draft) => check(draft),
  prompts,
  project,
  language,
  shuffle: shuffleBy(seed),
  onProgress: progressTo(feed),
  onControl: (isFound) => void feed.onControl(isFound),
});

const askReaderThrough =
  (put: ModelFeed['askJudge'], language: string): AskReader =>
  async ({ schema, instructions, prompt }) => {
    const said = await put({ instructions, prompt, form: formOf(schema), language });
    return said === null ? null : asAnswer(schema, said);
  };

const askThrough =
  (put: ModelFeed['ask'], language: string): Ask =>
  async ({ schema, instructions, prompt }) =>
    asAnswer(schema, await put({ instructions, prompt, form: formOf(schema), language }));

function asAnswer<Schema extends TSchema>(schema: Schema, said: unknown): Static<Schema> {
  const answer = fitAnswer(schema, said);
  if (!answer.fits) throw new Error(`An answer lost its form on the way: ${answer.complaint}`);
  return answer.answer;
}

function formOf(schema: TSchema): AnswerForm {
  for (const form of Object.keys(answerForms) as AnswerForm[]) if (answerForms[form] === schema) return form;
  throw new Error('A model is asked for something that has no name.');
}
