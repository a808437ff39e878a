import { readFile } from 'node:fs/promises';
import type { ThreadTasks } from '../actions/articles/thread-tasks.ts';
import { LazyPromise } from '../domain/concurrency.ts';
import { packageFolder } from '../version.ts';

/** Messages to a thread: a task, or the result of a call that it made. */
export type ToThread =
  | { kind: 'task'; name: keyof ThreadTasks; input: unknown }
  | { kind: 'answer'; call: number; value: unknown }
  | { kind: 'refusal'; call: number };

/** Messages from a thread: a call to its parent, or the result of its task. */
export type FromThread =
  | { kind: 'call'; call: number; name: string; parameters: unknown[] }
  | { kind: 'done'; value: unknown }
  | { kind: 'failed'; message: string; stack: string }
  /** The task failed because this call failed. */
  | { kind: 'refused'; call: number };

/** Loaded on first use, because a thread may never need most of them. */
export const tasks: ThreadTasks = {
  splitDiff: async (...given) => (await import('../actions/pull-requests/diff-tasks.ts')).splitDiff(...given),
  outlineDiff: async (...given) =>
    (await import('../actions/pull-requests/diff-tasks.ts')).outlineParts(...given),
  readFacts: async (...given) =>
    (await import('../actions/articles/read-for-writing.ts')).readFactsOfDiff(...given),
  writeOffline: async (...given) =>
    (await import('../actions/articles/read-for-writing.ts')).writeOfflineArticles(...given),
  readAndWrite: async (...given) =>
    (await import('../actions/articles/read-for-writing.ts')).readAndWrite(...given),
  writeWithModel: async (...given) =>
    (await import('../actions/articles/write-model-article.ts')).writeModelArticle(...given),
  searchForAnswer: async (...given) =>
    (await import('../actions/questions/answer-question.ts')).searchForAnswer(...given),
  answerWithModel: async (...given) =>
    (await import('../actions/questions/answer-in-thread.ts')).answerQuestionWithModel(...given),
  writeParagraph: async (...given) =>
    (await import('../actions/digests/paragraph-in-thread.ts')).writeParagraph(...given),
  highlightCode: async (...given) =>
    (await import('../actions/pull-requests/highlight-code.ts')).highlightCode(...given),
  drawCard: async (svg) => (await rasterizer.get())(svg),
};

/** Only our own fonts: a server may have none, and a picture must look the same everywhere. */
const fonts = new URL('web/fonts/', packageFolder);
const fontNames = ['newsreader-latin.woff2', 'newsreader-latin-ext.woff2'];

const rasterizer = new LazyPromise(async () => {
  const { initWasm, Resvg } = await import('@resvg/resvg-wasm');
  const [program, ...fontBuffers] = await Promise.all([
    readFile(new URL(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))),
    ...fontNames.map((name) => readFile(new URL(name, fonts))),
  ]);
  await initWasm(program);
  return (svg: string): Uint8Array => {
    const picture = new Resvg(svg, { font: { fontBuffers } });
    const drawn = picture.render();
    try {
      return drawn.asPng();
    } finally {
      drawn.free();
      picture.free();
    }
  };
});
