import type { highlightCode } from '../pull-requests/highlight-code.ts';
import type { outlineParts } from '../pull-requests/outline-diff.ts';
import type { readFactsOfDiff } from '../pull-requests/read-facts-of-diff.ts';
import type { splitDiff } from '../pull-requests/split-diff.ts';
import type { drawCard } from './draw-card.ts';
import type { writeModelArticle } from './write-model-article.ts';
import type { writeOfflineArticles } from './write-offline-articles.ts';

/** What is done in other threads, by name. A task gets plain data and functions of its caller, which it can only call and wait for. */
export interface ThreadTasks {
  splitDiff: typeof splitDiff;
  outlineDiff: typeof outlineParts;
  readFacts: typeof readFactsOfDiff;
  writeOffline: typeof writeOfflineArticles;
  writeWithModel: typeof writeModelArticle;
  highlightCode: typeof highlightCode;
  drawCard: typeof drawCard;
}

type TaskName = keyof ThreadTasks;
export type InputOf<Name extends TaskName> = Parameters<ThreadTasks[Name]>[0];
export type ParentOf<Name extends TaskName> = Parameters<ThreadTasks[Name]>[1];
export type OutputOf<Name extends TaskName> = Awaited<ReturnType<ThreadTasks[Name]>>;

/** Runs a task off the main thread; it ends at once when it is no longer wanted. */
export type RunInThread = <Name extends TaskName>(
  name: Name,
  input: InputOf<Name>,
  parent: ParentOf<Name>,
  signal?: AbortSignal,
) => Promise<OutputOf<Name>>;
