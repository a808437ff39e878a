import { createHash } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import { mostSkippedListed } from '../../contract/article.ts';
import type { GrammarLibrary } from '../../grammars.ts';
import type { FileFacts } from '../../reading/facts.ts';
import { isTrivial } from '../../reading/is-trivial.ts';
import { type AnswerForm, answerForms } from '../../writing/ai/answers.ts';
import type { FilledPrompt, Prompts } from '../../writing/ai/fill-prompt.ts';
import { fitAnswer } from '../../writing/ai/fit-answer.ts';
import { labelMaterial, type Material, readableFiles } from '../../writing/ai/material.ts';
import type { ModelArticle } from '../../writing/ai/model-article.ts';
import { composeMaterial } from '../../writing/ai/parts/compose-material.ts';
import type { PartPlan } from '../../writing/ai/parts/pack-parts.ts';
import { partsOf } from '../../writing/ai/parts/part-material.ts';
import { type Note, type PartAnswer, type PartReader, readParts } from '../../writing/ai/parts/read-parts.ts';
import { type PreparedWriting, prepareWriting } from '../../writing/ai/prepare-writing.ts';
import { sayAgain } from '../../writing/ai/say-again.ts';
import type { Ask, AskReader, Telling } from '../../writing/ai/telling.ts';
import { writeWithModel } from '../../writing/ai/write-with-model.ts';
import type { Draft } from '../../writing/draft.ts';
import { isOfflineLanguage } from '../../writing/languages.ts';
import type { AuthorQuote, CheckedDraft, Counts, Coverage } from '../../writing/written-article.ts';
import { coverageOf, type DiffFeed, type PullRequestPayload, readForWriting } from './read-for-writing.ts';

/** What a model wrote about a diff, and what holds of it, for saying it in another language. */
export interface KeptDraft {
  languageCode: string;
  draft: Draft;
  coverage: Coverage;
}

export interface ModelTask {
  payload: PullRequestPayload;
  language: string;
  project: string;
  prompts: Prompts;
  /** How many bytes of material a question has room for. */
  mostBytes: number;
  /** How many bytes of it are read at a time where there is more. */
  partBytes: number;
  parallelCalls: number;
  /** Which model reads parts. */
  partReader: string;
  /** The same for the second reader; null where there is none. */
  mostBytesToJudge: number | null;
  /** What was written about the diff in another language, and is to be said in this one. */
  known: KeptDraft | null;
  /** What decides the order in which sentences are judged, so that a worker that takes the job over asks the same. */
  seed: string;
}

/** A question without its schema, which does not travel. */
export interface NamedQuestion extends FilledPrompt {
  form: AnswerForm;
  /** In which language the answer is to be. */
  language: string;
}

/** Where a thread gets its diff and the answers of models from. */
export interface ModelFeed extends DiffFeed {
  ask: (question: NamedQuestion) => Promise<unknown>;
  /** Null where the second reader has no answer. */
  askJudge: (question: NamedQuestion) => Promise<unknown>;
  askPart: (question: FilledPrompt) => Promise<PartAnswer>;
  /** How the pull request was divided when it was last read. */
  findPlan: () => Promise<PartPlan>;
  savePlan: (plan: PartPlan) => Promise<void>;
  findNotes: (part: string) => Promise<Note[] | null>;
  saveNotes: (part: string, notes: Note[]) => Promise<void>;
}

export interface ToldByModel extends Pick<ModelArticle, 'verification'> {
  article: CheckedDraft;
  quote: AuthorQuote | null;
  counts: Counts;
  coverage: Coverage;
  /** Notes on parts that did not hold, of those that were asked for; null where it was not read part by part. */
  droppedNotes: number | null;
  /** Null where it was itself said after what is kept. */
  kept: KeptDraft | null;
}

/**
 * Why there is no article: the models have no room for it, not even part by part, there is no line that could be cited,
 * nothing that needs explaining, no part that a model could read, no second reader, or nothing that holds.
 */
export type Unwritten = 'tooLarge' | 'nothingToRead' | 'trivial' | 'noPartRead' | 'unread' | 'nothingHolds';

/** With less room, a part would be all head and no lines. */
const leastPartBytes = 10_000;

/**
 * Reads a pull request, has a model write about it and checks what it wrote, unless there is no use in asking one. The rules
 * know two languages: in any other one an article says again what was written and checked in English.
 */
export async function writeModelArticle(
  task: ModelTask,
  feed: ModelFeed,
  grammars: GrammarLibrary,
): Promise<ToldByModel | Unwritten> {
  const { payload, language, known } = task;
  const source = await readForWriting(payload, feed, grammars);
  // Other languages have nobody else to write in them.
  if (isOfflineLanguage(language) && isTrivial(source.facts, source.diff)) return 'trivial';
  const prepared = prepareWriting(source, language);
  const tellingIn = (code: string): Telling => createTelling(task, feed, prepared.check, code);
  if (readableFiles(prepared.material).length === 0) return 'nothingToRead';
  const read = await readMaterial(task, feed, prepared);
  if (typeof read === 'string') return read;
  const { material, unread, droppedNotes } = read;
  const coverage =
    known?.coverage ??
    withoutUnread(
      coverageOf(payload, source.facts.files),
      [
        ...material.cutFiles.map((fileName) => ({ fileName, reason: 'a line is too long' })),
        ...unread.map((fileName) => ({ fileName, reason: 'the model could not read it' })),
      ],
      source.facts.files,
    );
  const firstLanguage = isOfflineLanguage(language) ? language : 'en';
  const first = known ? null : await writeWithModel(tellingIn(firstLanguage), material, prepared.known);
  const base = known?.draft ?? first?.draft;
  if (!base) return 'unread';
  if (!base.mainChanges.some(({ sentences }) => sentences.length > 0)) return 'nothingHolds';
  const isSaidAgain = known !== null || language !== firstLanguage;
  const told = isSaidAgain ? await sayAgain(tellingIn(language), base, material) : first;
  if (!told) return 'unread';
  const { draft, verification } = told;
  return {
    ...prepared.publish(draft),
    verification,
    coverage,
    droppedNotes,
    kept: known ? null : { languageCode: firstLanguage, draft: base, coverage },
  };
}

interface ReadMaterial extends Pick<ToldByModel, 'droppedNotes'> {
  material: Material;
  /** Files that could not be read, or not whole. */
  unread: string[];
}

/** What the writer reads: all lines where they fit, else notes on all of them. */
async function readMaterial(
  { mostBytes, partBytes, parallelCalls, partReader, prompts, project, known }: ModelTask,
  feed: ModelFeed,
  { material: source, check }: PreparedWriting,
): Promise<ReadMaterial | Unwritten> {
  // What was written is said again with its own lines, however many there are beside them.
  const room = Math.min(mostBytes, partBytes);
  const whole = labelMaterial(source, known ? Number.POSITIVE_INFINITY : room);
  if (whole) return { material: whole, unread: [], droppedNotes: null };
  if (room < leastPartBytes) return 'tooLarge';
  const { parts, plan } = partsOf(source, partBytes, await feed.findPlan());
  await feed.savePlan(plan);
  const reader: PartReader = {
    name: `${partReader} ${prompts['read-part']}`,
    ask: feed.askPart,
    find: feed.findNotes,
    save: feed.saveNotes,
    parallel: parallelCalls,
  };
  const checking = {
    check: async (draft: Draft) => check(draft),
    prompts,
    project,
    onProgress: progressTo(feed),
  };
  const { notes, unread, cutFiles, dropped } = await readParts(checking, reader, source, parts);
  if (parts.flat().every(({ path }) => unread.has(path))) return 'noPartRead';
  return {
    material: { ...composeMaterial(source, notes, room), cutFiles: [...cutFiles] },
    unread: [...unread],
    droppedNotes: dropped,
  };
}

const progressTo =
  (feed: ModelFeed): Telling['onProgress'] =>
  (step, done, total) =>
    void feed.onProgress({ step, done, total });

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

/** A file of which a line was cut, or a part could not be read, was not read whole. */
function withoutUnread(coverage: Coverage, unread: Coverage['skipped'], files: FileFacts[]): Coverage {
  const skipped = [...new Map(unread.map((one) => [one.fileName, one])).values()];
  if (skipped.length === 0) return coverage;
  const paths = new Set(skipped.map(({ fileName }) => fileName));
  const lines = files
    .filter(({ path }) => paths.has(path))
    .reduce((sum, { additions, deletions }) => sum + additions + deletions, 0);
  return {
    ...coverage,
    filesRead: coverage.filesRead - skipped.length,
    linesRead: coverage.linesRead - lines,
    skipped: [...coverage.skipped, ...skipped].slice(0, mostSkippedListed),
    skippedTotal: coverage.skippedTotal + skipped.length,
  };
}

/** An order that tells nothing, and is the same whenever the same job is worked on. */
export const shuffleBy =
  (seed: string) =>
  <Item>(items: Item[]): Item[] => {
    const place = (index: number) => createHash('sha256').update(`${seed} ${index}`).digest('hex');
    return items
      .map((item, index) => ({ item, place: place(index) }))
      .sort((one, other) => (one.place < other.place ? -1 : 1))
      .map(({ item }) => item);
  };
