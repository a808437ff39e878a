import type { BaseLogger } from 'pino';
import { renewOfflineArticles } from '../actions/articles/renew-offline-articles.ts';
import { sweepRankings } from '../actions/likes/likes.ts';
import { renewListedRepositories } from '../actions/repositories/renew-listed-repositories.ts';
import { type PollDeps, pollNextRepository } from '../actions/watching/poll-repositories.ts';
import type { Database } from '../db/database.ts';
import { forgetMisplaced, indexDueArticles } from '../db/search-index.ts';
import {
  type BackgroundWork,
  createFailureLogger,
  type IntervalWork,
  repeatInBackground,
  runAtIntervals,
} from './background.ts';

/** More often than hosts are asked, so that a machine that slept for days shows soon what its own folders have. */
const intervalMs = 20_000;

export interface ListRenewal {
  begin: () => void;
  /** Runs a round now; at most one runs at a time. */
  run: () => Promise<void>;
  stop: () => Promise<void>;
}

type ListDeps = Parameters<typeof renewListedRepositories>[0] & { log: BaseLogger };

/** Keeps lists showing what is still there to be shown, for as long as the service runs. */
export function renewLists({ log, ...parts }: ListDeps): ListRenewal {
  const logFailure = createFailureLogger(
    log,
    'what lists show could not be confirmed; it is tried again in 20 seconds',
  );
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  const run = (): Promise<void> => {
    running ??= renewListedRepositories(parts).finally(() => {
      running = null;
    });
    return running;
  };
  const round = (): void => {
    run().catch(logFailure);
  };
  return {
    begin() {
      round();
      timer = setInterval(round, intervalMs);
      timer.unref();
    },
    run,
    async stop() {
      if (timer) clearInterval(timer);
      await running?.catch(() => {});
    },
  };
}

/** While there is something to renew, so often is more of it handed to the writers. */
const busyMs = 1_000;

/** A newer writer comes with a start; what failed or was stopped is tried again in time. */
const idleMs = 10 * 60_000;

interface ArticleDeps {
  database: Database;
  offlineWriter: () => Promise<number>;
  clock: () => Date;
  log: BaseLogger;
}

/** Has articles of older offline writers written anew, a few at a time, for as long as there are any. */
export const renewArticles = ({ log, ...parts }: ArticleDeps): BackgroundWork =>
  repeatInBackground({
    round: async () => (await renewOfflineArticles(parts)) > 0,
    onFailure: (error) =>
      log.warn({ err: error }, 'outdated articles could not be renewed; it is tried again later'),
    busyMs,
    idleMs,
  });

/** The contract allows sixty seconds: two rounds may fail before it is broken. */

export interface RankingKeeper {
  /** Takes likes that are too old out of the ranking now; at most one round runs at a time. */
  sweep: () => Promise<void>;
  stop: () => Promise<void>;
}

interface RankingDeps {
  database: Database;
  clock: () => Date;
  log: BaseLogger;
}

/** Keeps the periods of the ranking sliding for as long as the service runs. */
export function keepRankings({ database, clock, log }: RankingDeps): RankingKeeper {
  const logFailure = createFailureLogger(
    log,
    'the ranking could not be brought up to date; it is tried again in 20 seconds',
  );
  let running: Promise<void> | null = null;
  const sweep = (): Promise<void> => {
    running ??= sweepRankings({ database, clock }).finally(() => {
      running = null;
    });
    return running;
  };
  const round = (): void => {
    sweep().catch(logFailure);
  };
  round();
  const timer = setInterval(round, intervalMs);
  timer.unref();
  return {
    sweep,
    async stop() {
      clearInterval(timer);
      await running?.catch(() => {});
    },
  };
}

/** Few enough at once that no reader waits for long. */
const eachTime = 10;

/** While there is something to index, and where there is nothing: looking costs next to nothing. */
const indexBusyMs = 20;
const indexIdleMs = 2_000;

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
    busyMs: indexBusyMs,
    idleMs: indexIdleMs,
  });
}

/** Soon enough that who begins to watch sees something come of it. */
const lookMs = 5_000;

/** How many hosts or repositories are asked about at the same time: one that is slow holds up no other. */
const atOnce = 4;

/** Hears what is merged in repositories that people watch, for as long as the service runs. */
export function watchRepositories({ log, ...parts }: PollDeps & { log: BaseLogger }): IntervalWork {
  const logFailure = createFailureLogger(log, 'asking what was merged failed; it is tried again in minutes');
  const stopping = new AbortController();
  const askAll = async (): Promise<void> => {
    try {
      while (!stopping.signal.aborted && (await pollNextRepository(parts, stopping.signal)));
    } catch (error) {
      if (!stopping.signal.aborted) logFailure(error);
    }
  };
  const round = async (): Promise<void> => {
    await Promise.all(Array.from({ length: atOnce }, askAll));
  };
  return runAtIntervals({ round, everyMs: lookMs, onFailure: logFailure, onStop: () => stopping.abort() });
}
