import type { ThreadTasks } from '../actions/articles/thread-tasks.ts';

/** What is said to a thread: what to do, and what came of a call that it made. */
export type ToThread =
  | { kind: 'task'; name: keyof ThreadTasks; input: unknown }
  | { kind: 'answer'; call: number; value: unknown }
  | { kind: 'refusal'; call: number };

/** What a thread says: that it wants something, and what came of its task. */
export type FromThread =
  | { kind: 'call'; call: number; name: string; parameters: unknown[] }
  | { kind: 'done'; value: unknown }
  | { kind: 'failed'; message: string; stack: string }
  /** A call that failed was more than the task could do without. */
  | { kind: 'refused'; call: number };

/** Loaded when they are first wanted, because a thread may never need most of it. */
export const tasks: ThreadTasks = {
  splitDiff: async (...given) => (await import('../actions/pull-requests/split-diff.ts')).splitDiff(...given),
  outlineDiff: async (...given) =>
    (await import('../actions/pull-requests/outline-diff.ts')).outlineParts(...given),
  readFacts: async (...given) =>
    (await import('../actions/pull-requests/read-facts-of-diff.ts')).readFactsOfDiff(...given),
  writeOffline: async (...given) =>
    (await import('../actions/articles/write-offline-articles.ts')).writeOfflineArticles(...given),
  writeWithModel: async (...given) =>
    (await import('../actions/articles/write-model-article.ts')).writeModelArticle(...given),
  highlightCode: async (...given) =>
    (await import('../actions/pull-requests/highlight-code.ts')).highlightCode(...given),
  drawCard: async (...given) => (await import('../actions/articles/draw-card.ts')).drawCard(...given),
};
