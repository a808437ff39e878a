import type { BaseLogger } from 'pino';
import { sweepRankings } from '../actions/likes/likes.ts';
import type { Database } from '../db/database.ts';
import { createFailureLogger } from './failure-logger.ts';

/** The contract allows sixty seconds: two rounds may fail before it is broken. */
const intervalMs = 20_000;

export interface RankingKeeper {
  /** Takes likes that are too old out of the ranking now; at most one round runs at a time. */
  sweep: () => Promise<void>;
  stop: () => Promise<void>;
}

interface Parts {
  database: Database;
  clock: () => Date;
  log: BaseLogger;
}

/** Keeps the periods of the ranking sliding for as long as the service runs. */
export function keepRankings({ database, clock, log }: Parts): RankingKeeper {
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
