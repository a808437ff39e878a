import type { BaseLogger } from 'pino';
import type { Database } from '../db/database.ts';
import { forgetMisplaced, indexDueArticles } from '../db/search-index.ts';
import { type BackgroundWork, repeatInBackground } from './repeat-in-background.ts';

/** Few enough at once that no reader waits for long. */
const eachTime = 10;

/** While there is something to index, and where there is nothing: looking costs next to nothing. */
const busyMs = 20;
const idleMs = 2_000;

/** How often those are looked for that were stored while their repository changed. */
const misplacedEveryMs = 10 * 60_000;

/** Has articles found that were stored before they could be, or whose repository has changed, the newest first. */
export function indexArticles({ database, log }: { database: Database; log: BaseLogger }): BackgroundWork {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return repeatInBackground({
    async round() {
      if (performance.now() - lookedAt > misplacedEveryMs) {
        lookedAt = performance.now();
        await forgetMisplaced(database);
      }
      return (await indexDueArticles(database, eachTime)) > 0;
    },
    onFailure: (error) => log.warn({ err: error }, 'articles could not be indexed; it is tried again later'),
    busyMs,
    idleMs,
  });
}
