import { createHash } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import { mostLookedAtListed } from '../../contract/articles.ts';
import type { ChosenPoint } from '../../domain/reviews.ts';
import type { FileFacts, LookedLines } from '../../reading/facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { fitReply } from '../../writing/ai/ask-model.ts';
import type { ModelArticle } from '../../writing/ai/check-and-judge.ts';
import { notesNotCited } from '../../writing/ai/draft-from-reply.ts';
import { type LookRounds, lookAround } from '../../writing/ai/looks/look-around.ts';
import { labelMaterial, type Material, readableFiles, withLooked } from '../../writing/ai/material.ts';
import { type PartPlan, partsOf } from '../../writing/ai/parts/pack-parts.ts';
import {
  composeMaterial,
  leastToName,
  type Note,
  type PartReader,
  type PartReply,
  readParts,
} from '../../writing/ai/parts/read-parts.ts';
import { isTrivial, type PreparedWriting, prepareWriting } from '../../writing/ai/prepare-writing.ts';
import type { AskReader, FilledPrompt, Prompts, WritingDeps } from '../../writing/ai/prompts.ts';
import { type ReplyForm, replyForms } from '../../writing/ai/reply-forms.ts';
import { choosePoints } from '../../writing/ai/review/choose-points.ts';
import { translateDraft } from '../../writing/ai/translate-draft.ts';
import { writeWithModel } from '../../writing/ai/write-with-model.ts';
import {
  type CheckedDraft,
  type Coverage,
  isOfflineLanguage,
  type Verification,
  type WrittenArticle,
} from '../../writing/articles.ts';
import type { Draft } from '../../writing/draft.ts';
import {
  coverageOf,
  type DiffSource,
  type PullRequestPayload,
  readForWriting,
  withoutUnread,
} from './read-for-writing.ts';
import { type TreeSource, treeThrough } from './tree-source.ts';

/** A checked draft by a model about a diff, stored so that it can be translated. */
export interface KeptDraft {
  languageCode: string;
  draft: Draft;
  coverage: Coverage;
  /** Missing in drafts stored by older releases. */
  verification?: Verification;
  writers?: string;
  looked?: LookedLines[];
  chosen?: ChosenPoint[];
}

export interface ModelTask {
  payload: PullRequestPayload;
  language: string;
  project: string;
  prompts: Prompts;
  /** The bytes of material that fit into a question for writing and for judging; null without a second model. */
  mostBytes: number;
  mostBytesToJudge: number | null;
  partBytes: number;
  parallelCalls: number;
  looks: LookRounds;
  partReader: string;
  writers: string;
  /** An earlier draft about the diff, which is translated unless it is in this language. */
  known: KeptDraft | null;
  /** Shuffles the sentences to be judged, in the same order for every worker that takes over the job. */
  seed: string;
}

/** A question without its schema, because schemas cannot be sent to threads. */
interface NamedQuestion extends FilledPrompt {
  form: ReplyForm;
  language: string;
}

/** Gives a thread its diff, the stored parts and the replies of models. */
export interface ModelSource extends DiffSource, TreeSource {
  askLooks: (question: NamedQuestion) => Promise<unknown>;
  ask: (question: NamedQuestion) => Promise<unknown>;
  askJudge: (question: NamedQuestion) => Promise<unknown>;
  askPart: (question: FilledPrompt) => Promise<PartReply>;
  onControl: (isFound: boolean) => Promise<void>;
  findPlan: () => Promise<PartPlan>;
  savePlan: (plan: PartPlan) => Promise<void>;
  findNotes: (part: string) => Promise<Note[] | null>;
  saveNotes: (part: string, notes: Note[]) => Promise<void>;
}

interface ModelWritten
  extends Pick<ModelArticle, 'verification'>,
    Pick<WrittenArticle, 'quote' | 'counts' | 'dependencies'> {
  article: CheckedDraft;
  coverage: Coverage;
  droppedNotes: number | null;
  kept: KeptDraft | null;
  chosen: ChosenPoint[];
}

/**
 * Why there is no article: too large for the models even in parts, no citable line, nothing to explain, no readable
 * part, no second model, or no sentence that passed the checks.
 */
type Unwritten = 'tooLarge' | 'nothingToRead' | 'trivial' | 'noPartRead' | 'unread' | 'nothingHolds';

/**
 * Reads a pull request, lets a model write about it and checks the text, unless no model is needed. The rules support
 * two languages, so an article in any other is a translation of an English draft.
 */
export async function writeModelArticle(
  task: ModelTask,
  source: ModelSource,
): Promise<ModelWritten | Unwritten> {
  const { payload, language, known } = task;
  const read = await readForWriting(payload, source);
  if (isOfflineLanguage(language) && isTrivial(read.facts, read.diff)) return 'trivial';
  const prepared = prepareWriting(read, language);
  const tellingIn = (code: string): WritingDeps => createTelling(task, source, prepared.check, code);
  if (readableFiles(prepared.material).length === 0) return 'nothingToRead';
  const labelled = await readMaterial(task, source, prepared);
  if (typeof labelled === 'string') return labelled;
  const { notes, unread, droppedNotes } = labelled;
  const firstLanguage = isOfflineLanguage(language) ? language : 'en';
  const { material, looked } = known?.looked
    ? { material: withLooked(labelled.material, known.looked), looked: known.looked }
    : await lookAround(
        lookingIn({ ...task, looks: known ? 0 : task.looks }, source, firstLanguage),
        labelled.material,
        {
          diff: read.diff,
          files: read.facts.files,
        },
      );
  prepared.takeIn(looked);
  const cut = [
    ...material.cutFiles.map((fileName) => ({ fileName, reason: 'a line is too long' })),
    ...unread.map((fileName) => ({ fileName, reason: 'the model could not read it' })),
  ];
  const coverage = known?.coverage ?? {
    ...withoutUnread(coverageOf(payload, read.facts.files), cut, read.facts.files),
    ...(notes && { notes: { total: notes.length + (droppedNotes ?? 0), used: 0 } }),
    ...(looked.length > 0 && { lookedAt: lookedAtOf(looked) }),
  };
  const important = (notes ?? []).flatMap(({ sentence, weight }) =>
    weight >= leastToName ? [sentence] : [],
  );
  const first = known
    ? null
    : await writeWithModel(tellingIn(firstLanguage), material, prepared.known, important);
  const base = known?.draft ?? first?.draft;
  if (!base) return 'unread';
  const noted = notes?.map(({ sentence }) => sentence) ?? [];
  if (coverage.notes && notes) coverage.notes.used = notes.length - notesNotCited(noted, base).length;
  if (!base.mainChanges.some(({ sentences }) => sentences.length > 0)) return 'nothingHolds';
  const isSaidAgain = language !== (known?.languageCode ?? firstLanguage);
  const written = isSaidAgain
    ? await translateDraft(tellingIn(language), base, material)
    : (first ?? (known?.verification ? { draft: known.draft, verification: known.verification } : null));
  if (!written) return 'unread';
  const { draft, verification } = written;
  const chosen = known
    ? (known.chosen ?? [])
    : await chooseFromReview(tellingIn(firstLanguage), payload, read.facts.files, read.diff);
  return {
    ...prepared.publish(draft),
    verification,
    coverage,
    droppedNotes,
    chosen,
    kept: first && {
      ...first,
      languageCode: firstLanguage,
      coverage,
      writers: task.writers,
      ...(looked.length > 0 && { looked }),
      ...(chosen.length > 0 && { chosen }),
    },
  };
}

const chooseFromReview = async (
  deps: WritingDeps,
  { review, author, unreadTotal }: PullRequestPayload,
  files: FileFacts[],
  diff: FileDiff[],
): Promise<ChosenPoint[]> =>
  review
    ? choosePoints(deps, {
        ...review,
        authorLogin: author,
        files: diff.flatMap((file) => {
          const facts = files.find(({ path }) => path === file.path);
          return facts ? [{ file, kind: facts.kind, ranges: facts.ranges }] : [];
        }),
        hasAllFiles: unreadTotal === 0,
        hostUrl: null,
        isMerged: true,
        writtenAt: '',
        linesUrl: () => null,
      })
    : [];

function lookedAtOf(looked: LookedLines[]): NonNullable<Coverage['lookedAt']> {
  const files = Map.groupBy(looked, ({ fileName, side }) => `${side} ${fileName}`);
  return [...files.values()].slice(0, mostLookedAtListed).flatMap((runs) => {
    const lines = runs.reduce((sum, run) => sum + run.lines.length, 0);
    return runs[0] ? [{ fileName: runs[0].fileName, side: runs[0].side, lines }] : [];
  });
}

export const lookingIn = (
  { prompts, project, looks, mostBytes }: Pick<ModelTask, 'prompts' | 'project' | 'looks' | 'mostBytes'>,
  source: Pick<ModelSource, 'askLooks' | keyof TreeSource>,
  language: string,
): Parameters<typeof lookAround>[0] => ({
  ask: askThrough(source.askLooks, language),
  prompts,
  project,
  language,
  tree: treeThrough(source),
  rounds: looks,
  mostBytes,
});

const askThrough =
  (put: ModelSource['ask'], language: string): AskReader =>
  async ({ schema, instructions, prompt }) => {
    const reply = await put({ instructions, prompt, form: formOf(schema), language });
    return reply === null ? null : asReply(schema, reply);
  };

export const createTelling = (
  {
    prompts,
    project,
    mostBytesToJudge,
    seed,
  }: Pick<ModelTask, 'prompts' | 'project' | 'mostBytesToJudge' | 'seed'>,
  source: Pick<ModelSource, 'ask' | 'askJudge' | 'onControl' | 'onProgress'>,
  check: PreparedWriting['check'],
  language: string,
): WritingDeps => {
  const askJudge = askThrough(source.askJudge, language);
  return {
    ask: async ({ schema, instructions, prompt }) =>
      asReply(schema, await source.ask({ instructions, prompt, form: formOf(schema), language })),
    judge: mostBytesToJudge === null ? null : { ask: askJudge, mostBytes: mostBytesToJudge },
    check: async (draft) => check(draft),
    prompts,
    project,
    language,
    shuffle: shuffleBy(seed),
    onProgress: progressTo(source),
    onControl: (isFound) => void source.onControl(isFound),
  };
};

function asReply<Schema extends TSchema>(schema: Schema, given: unknown): Static<Schema> {
  const reply = fitReply(schema, given);
  if (!reply.fits) throw new Error(`A reply lost its form between threads: ${reply.complaint}`);
  return reply.reply;
}

function formOf(schema: TSchema): ReplyForm {
  for (const form of Object.keys(replyForms) as ReplyForm[]) if (replyForms[form] === schema) return form;
  throw new Error('A question to a model has a schema without a name.');
}

/** The smallest space for a part of a large diff: with less, it would contain hardly any lines. */
const leastPartBytes = 10_000;

interface ReadMaterial {
  material: Material;
  /** All notes that passed their checks, if the pull request was read in parts. */
  notes: Note[] | null;
  droppedNotes: number | null;
  unread: string[];
}

async function readMaterial(
  { mostBytes, partBytes, parallelCalls, partReader, prompts, project, known }: ModelTask,
  source: ModelSource,
  { material: whole, check }: PreparedWriting,
): Promise<ReadMaterial | 'tooLarge' | 'noPartRead'> {
  const room = Math.min(mostBytes, partBytes);
  // The lines cited by an earlier draft are always included, whatever else fits.
  const labelled = labelMaterial(whole, known ? Number.POSITIVE_INFINITY : room);
  if (labelled) return { material: labelled, notes: null, unread: [], droppedNotes: null };
  if (room < leastPartBytes) return 'tooLarge';
  const { parts, plan } = partsOf(whole, partBytes, await source.findPlan());
  await source.savePlan(plan);
  const reader: PartReader = {
    name: `${partReader} ${prompts['read-part']}`,
    ask: source.askPart,
    find: source.findNotes,
    save: source.saveNotes,
    parallel: parallelCalls,
  };
  const checking = {
    check: async (draft: Draft) => check(draft),
    prompts,
    project,
    onProgress: progressTo(source),
  };
  const { notes, unread, cutFiles, dropped } = await readParts(checking, reader, whole, parts);
  if (parts.flat().every(({ path }) => unread.has(path))) return 'noPartRead';
  const material = composeMaterial(whole, notes, mostBytes);
  return {
    material: { ...material, cutFiles: [...cutFiles] },
    notes,
    unread: [...unread],
    droppedNotes: dropped,
  };
}

const progressTo =
  (source: Pick<DiffSource, 'onProgress'>): WritingDeps['onProgress'] =>
  (step, done, total) =>
    void source.onProgress({ step, done, total });

/**
 * A random order that is the same for every attempt of a job, so that it does not reveal which sentences are controls.
 */
export const shuffleBy =
  (seed: string) =>
  <Item>(items: Item[]): Item[] => {
    const place = (index: number) => createHash('sha256').update(`${seed} ${index}`).digest('hex');
    return items
      .map((item, index) => ({ item, place: place(index) }))
      .sort((one, other) => (one.place < other.place ? -1 : 1))
      .map(({ item }) => item);
  };
