import type { FilledPrompt, Prompts } from '../../writing/ai/fill-prompt.ts';
import { labelMaterial, type Material } from '../../writing/ai/material.ts';
import { composeMaterial } from '../../writing/ai/parts/compose-material.ts';
import type { PartPlan } from '../../writing/ai/parts/pack-parts.ts';
import { partsOf } from '../../writing/ai/parts/part-material.ts';
import { type Note, type PartAnswer, type PartReader, readParts } from '../../writing/ai/parts/read-parts.ts';
import type { PreparedWriting } from '../../writing/ai/prepare-writing.ts';
import type { Telling } from '../../writing/ai/telling.ts';
import type { Draft } from '../../writing/draft.ts';
import type { DiffFeed } from './read-for-writing.ts';

export interface ReadingTask {
  project: string;
  prompts: Prompts;
  /** How many bytes of material a question has room for. */
  mostBytes: number;
  /** How many bytes of it are read at a time where there is more. */
  partBytes: number;
  parallelCalls: number;
  /** Which model reads parts. */
  partReader: string;
}

/** Where a thread gets what is known of parts, and what a model says of them. */
export interface PartsFeed {
  askPart: (question: FilledPrompt) => Promise<PartAnswer>;
  /** How the pull request was divided when it was last read. */
  findPlan: () => Promise<PartPlan>;
  savePlan: (plan: PartPlan) => Promise<void>;
  findNotes: (part: string) => Promise<Note[] | null>;
  saveNotes: (part: string, notes: Note[]) => Promise<void>;
}

/** With less room, a part would be all head and no lines. */
const leastPartBytes = 10_000;

interface ReadMaterial {
  material: Material;
  /** Where it was read part by part: all notes that hold, and how many of them the writer reads. */
  notes: Note[] | null;
  /** Notes on parts that did not hold, of those that were asked for; null where it was not read part by part. */
  droppedNotes: number | null;
  /** Files that could not be read, or not whole. */
  unread: string[];
}

/** What the writer reads: all lines where they fit, else notes on all of them. */
export async function readMaterial(
  {
    mostBytes,
    partBytes,
    parallelCalls,
    partReader,
    prompts,
    project,
    known,
  }: ReadingTask & { known: object | null },
  feed: DiffFeed & PartsFeed,
  { material: source, check }: PreparedWriting,
): Promise<ReadMaterial | 'tooLarge' | 'noPartRead'> {
  // What was written is said again with its own lines, however many there are beside them.
  const room = Math.min(mostBytes, partBytes);
  const whole = labelMaterial(source, known ? Number.POSITIVE_INFINITY : room);
  if (whole) return { material: whole, notes: null, unread: [], droppedNotes: null };
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
  // What a part may have is set, and what the writer may read follows from its window alone.
  const material = composeMaterial(source, notes, mostBytes);
  return {
    material: { ...material, cutFiles: [...cutFiles] },
    notes,
    unread: [...unread],
    droppedNotes: dropped,
  };
}

export const progressTo =
  (feed: DiffFeed): Telling['onProgress'] =>
  (step, done, total) =>
    void feed.onProgress({ step, done, total });
