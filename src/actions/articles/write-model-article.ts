import { createHash } from 'node:crypto';
import type { TSchema } from 'typebox';
import { mostSkippedListed } from '../../contract/article.ts';
import type { GrammarLibrary } from '../../grammars.ts';
import type { FileFacts } from '../../reading/facts.ts';
import { type AnswerForm, answerForms } from '../../writing/ai/answers.ts';
import type { FilledPrompt, Prompts } from '../../writing/ai/fill-prompt.ts';
import { fitAnswer } from '../../writing/ai/fit-answer.ts';
import { type PreparedWriting, prepareWriting } from '../../writing/ai/prepare-writing.ts';
import { sayAgain } from '../../writing/ai/say-again.ts';
import type { Ask, Telling } from '../../writing/ai/telling.ts';
import { type ModelArticle, writeWithModel } from '../../writing/ai/write-with-model.ts';
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
  askJudge: (question: NamedQuestion) => Promise<unknown>;
}

export interface ToldByModel extends Pick<ModelArticle, 'verification'> {
  article: CheckedDraft;
  quote: AuthorQuote | null;
  counts: Counts;
  coverage: Coverage;
  /** Null where it was itself said after what is kept. */
  kept: KeptDraft | null;
}

/**
 * Why there is no article: there is more than fits into one question, no line that could be cited, no second reader, or
 * nothing that holds.
 */
export type Unwritten = 'tooLarge' | 'nothingToRead' | 'unread' | 'nothingHolds';

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
  const prepared = prepareWriting(source, language);
  const tellingIn = (code: string): Telling => createTelling(task, feed, prepared.check, code);
  const material = prepared.label(task.mostBytes);
  if (!material) return 'tooLarge';
  if (material.files.size === 0) return 'nothingToRead';
  const { files } = source.facts;
  const coverage = known?.coverage ?? withoutCutFiles(coverageOf(payload, files), material.cutFiles, files);
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
    kept: known ? null : { languageCode: firstLanguage, draft: base, coverage },
  };
}

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
      : { ask: askThrough(feed.askJudge, language), mostBytes: mostBytesToJudge },
  check: async (draft) => check(draft),
  prompts,
  project,
  language,
  shuffle: shuffleBy(seed),
  onProgress: (step, done, total) => void feed.onProgress({ step, done, total }),
});

const askThrough =
  (put: ModelFeed['ask'], language: string): Ask =>
  async ({ schema, instructions, prompt }) => {
    const answer = fitAnswer(schema, await put({ instructions, prompt, form: formOf(schema), language }));
    if (!answer.fits) throw new Error(`An answer lost its form on the way: ${answer.complaint}`);
    return answer.answer;
  };

function formOf(schema: TSchema): AnswerForm {
  for (const form of Object.keys(answerForms) as AnswerForm[]) if (answerForms[form] === schema) return form;
  throw new Error('A model is asked for something that has no name.');
}

/** A file of which a line was cut was not read whole. */
function withoutCutFiles(coverage: Coverage, cut: string[], files: FileFacts[]): Coverage {
  if (cut.length === 0) return coverage;
  const lines = files
    .filter(({ path }) => cut.includes(path))
    .reduce((sum, { additions, deletions }) => sum + additions + deletions, 0);
  const skipped = cut.map((fileName) => ({ fileName, reason: 'a line is too long' }));
  return {
    ...coverage,
    filesRead: coverage.filesRead - cut.length,
    linesRead: coverage.linesRead - lines,
    skipped: [...coverage.skipped, ...skipped].slice(0, mostSkippedListed),
    skippedTotal: coverage.skippedTotal + cut.length,
  };
}

/** An order that tells nothing, and is the same whenever the same job is worked on. */
const shuffleBy =
  (seed: string) =>
  <Item>(items: Item[]): Item[] => {
    const place = (index: number) => createHash('sha256').update(`${seed} ${index}`).digest('hex');
    return items
      .map((item, index) => ({ item, place: place(index) }))
      .sort((one, other) => (one.place < other.place ? -1 : 1))
      .map(({ item }) => item);
  };
