import type { BaseLogger } from 'pino';
import { completeArticle } from '../actions/articles/complete-articles.ts';
import { renewOfflineArticles } from '../actions/articles/renew-offline-articles.ts';
import type { RunInThread } from '../actions/articles/thread-tasks.ts';
import type { Database } from '../db/database.ts';

/** While there is something to renew, so often is more of it handed to the writers. */
const busyMs = 1_000;

/** A newer writer comes with a start; what failed or was stopped is tried again in time. */
const idleMs = 10 * 60_000;

export interface Renewal {
  begin: () => void;
  stop: () => Promise<void>;
}

interface Parts {
  database: Database;
  runInThread: RunInThread;
  offlineWriter: () => Promise<number>;
  clock: () => Date;
  log: BaseLogger;
}

/**
 * Has articles of older offline writers written anew and those of models completed, a few at a time, for as long as there are
 * any.
 */
export function renewArticles({ log, ...parts }: Parts): Renewal {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isStopped = false;

  const round = async (): Promise<void> => {
    let wait = idleMs;
    try {
      const left = await renewOfflineArticles(parts);
      const isCompleting = await completeArticle(parts);
      if (left > 0 || isCompleting) wait = busyMs;
    } catch (error) {
      log.warn({ err: error }, 'outdated articles could not be renewed; it is tried again later');
    }
    if (isStopped) return;
    timer = setTimeout(run, wait);
    timer.unref();
  };
  const run = (): void => {
    running = round();
  };
  return {
    begin: run,
    async stop() {
      isStopped = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}
