import type { BaseLogger } from 'pino';
import { renewOfflineArticles } from '../actions/articles/renew-offline-articles.ts';
import type { Database } from '../db/database.ts';
import { type BackgroundWork, repeatInBackground } from './repeat-in-background.ts';

/** While there is something to renew, so often is more of it handed to the writers. */
const busyMs = 1_000;

/** A newer writer comes with a start; what failed or was stopped is tried again in time. */
const idleMs = 10 * 60_000;

interface Parts {
  database: Database;
  offlineWriter: () => Promise<number>;
  clock: () => Date;
  log: BaseLogger;
}

/** Has articles of older offline writers written anew, a few at a time, for as long as there are any. */
export const renewArticles = ({ log, ...parts }: Parts): BackgroundWork =>
  repeatInBackground({
    round: async () => (await renewOfflineArticles(parts)) > 0,
    onFailure: (error) =>
      log.warn({ err: error }, 'outdated articles could not be renewed; it is tried again later'),
    busyMs,
    idleMs,
  });
