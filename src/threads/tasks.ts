import type { ThreadTasks } from '../actions/articles/thread-tasks.ts';

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
