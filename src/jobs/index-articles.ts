import type { BaseLogger } from 'pino';
import type { Database } from '../db/database.ts';
import { forgetMisplaced, indexDueArticles } from '../db/search-index.ts';

/** So few at once that nobody waits for long, on the embedded database either. */
const eachTime = 10;

/** While there is something to index, and where there is nothing: looking costs next to nothing. */
const busyMs = 20;
const idleMs = 2_000;

/** How often those are looked for that were stored while their repository changed. */
const misplacedEveryMs = 10 * 60_000;

export interface Indexing {
  begin: () => void;
  stop: () => Promise<void>;
}

/** Has articles found that were stored before they could be, or whose repository has changed, the newest first. */
export function indexArticles({ database, log }: { database: Database; log: BaseLogger }): Indexing {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isStopped = false;
  let lookedAt = Number.NEGATIVE_INFINITY;

  const round = async (): Promise<void> => {
    let wait = idleMs;
    try {
      if (performance.now() - lookedAt > misplacedEveryMs) {
        lookedAt = performance.now();
        await forgetMisplaced(database);
      }
      if ((await indexDueArticles(database, eachTime)) > 0) wait = busyMs;
    } catch (error) {
      log.warn({ err: error }, 'articles could not be indexed; it is tried again later');
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
