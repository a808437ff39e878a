import { setTimeout } from 'node:timers/promises';
import type { BaseLogger } from 'pino';
import type { ModelWriting } from '../actions/compose-with-model.ts';
import { requeueOrphans } from '../actions/requeue-orphans.ts';
import type { RunInThread } from '../actions/thread-tasks.ts';
import { writeArticle } from '../actions/write-article.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import type { Database } from '../db/database.ts';
import type { JobWatch } from './watch-jobs.ts';
import type { Delivery, WritingQueue } from './writing-queue.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  runInThread: RunInThread;
  terms: () => Promise<string>;
  offlineWriter: () => Promise<number>;
  models: ModelWriting | null;
  queue: WritingQueue;
  jobs: JobWatch;
  clock: () => Date;
  log: BaseLogger;
}

/** How long to wait before trying again to open the queue. */
const patienceMs = 5_000;

export interface Writing {
  /** Begins in the background, and goes on trying while the queue cannot be opened. */
  begin: () => void;
  /** Puts back what is half written, for others to take it up, and takes no more. */
  stop: () => Promise<void>;
}

/** Writes what people ask for, a few articles at a time. */
export function writeArticles(parts: Parts, writers: number): Writing {
  const { queue, jobs } = parts;
  const stopping = new AbortController();
  const handle = async ({ jobId, signal, settle }: Delivery): Promise<void> => {
    const cancelled = new AbortController();
    const unwatch = jobs.watch(jobId, ({ state }) => {
      if (state === 'cancelled') cancelled.abort();
    });
    try {
      await writeArticle(
        { ...parts, enqueue: queue.enqueue },
        {
          jobId,
          settle,
          signal: AbortSignal.any([signal, stopping.signal, cancelled.signal]),
          isStopping: () => stopping.signal.aborted && !cancelled.signal.aborted && !signal.aborted,
        },
      );
    } finally {
      unwatch();
    }
  };
  const beginInTime = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await queue.work(writers, handle);
        // What fails here is tried again with the housekeeping.
        return await requeueOrphans({ ...parts, ...queue }).catch(() => {});
      } catch {
        // The queue has told the log and the health check.
        await setTimeout(patienceMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  };
  let begun: Promise<void> | null = null;
  return {
    begin() {
      begun ??= beginInTime();
    },
    async stop() {
      stopping.abort();
      await begun;
      await queue.stop();
    },
  };
}
