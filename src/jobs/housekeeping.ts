import type { BaseLogger } from 'pino';
import { renewLocalGrants } from '../actions/refresh-local-repositories.ts';
import { requeueOrphans } from '../actions/requeue-orphans.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { deleteOldLimits } from '../db/ai-limits.ts';
import type { Database } from '../db/database.ts';
import { isStorageFull } from '../db/failures.ts';
import { deleteWithdrawnGrants } from '../db/repository-grants.ts';
import { deleteEndedCredentials } from '../db/sessions.ts';
import { deleteReplacedDiffs } from '../db/stored-diffs.ts';
import { deleteFinishedJobs } from '../db/writing-jobs.ts';
import { createComplaint } from './complain.ts';
import type { WritingQueue } from './writing-queue.ts';

/** Often enough that the embedded database's log stays small, rarely enough that nobody notices. */
const intervalMs = 5 * 60 * 1000;

/** How long a finished job can be asked about. */
const jobsKeptMs = 24 * 60 * 60 * 1000;

/** How long whoever began to read a diff may go on when it was replaced: the largest, on a slow line. */
const replacedDiffsKeptMs = 60 * 60 * 1000;

/** Longer than anybody asks a host for something. */
const withdrawnGrantsKeptMs = 24 * 60 * 60 * 1000;

export interface Housekeeping {
  /** Whether the last round went through. */
  isHealthy: () => boolean;
  /** Runs a round now; at most one runs at a time. */
  run: () => Promise<void>;
  stop: () => Promise<void>;
}

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  queue: WritingQueue;
  clock: () => Date;
  log: BaseLogger;
}

/** Removes what has expired and lets the database tidy up, every few minutes for as long as the service runs. */
export function startHousekeeping(parts: Parts): Housekeeping {
  const { database, queue, clock, log } = parts;
  const ago = (ms: number) => new Date(clock().getTime() - ms);
  const complain = createComplaint(log, 'housekeeping failed; it is tried again in a few minutes');
  let healthy = true;
  let running: Promise<void> | null = null;

  const round = async (): Promise<void> => {
    try {
      await deleteEndedCredentials(database, clock());
      await deleteFinishedJobs(database, ago(jobsKeptMs));
      await deleteReplacedDiffs(database, ago(replacedDiffsKeptMs));
      await deleteWithdrawnGrants(database, ago(withdrawnGrantsKeptMs));
      await deleteOldLimits(database, clock());
      await database.maintain();
      await renewLocalGrants(parts);
      await requeueOrphans({ ...queue, database, clock });
      healthy = true;
    } catch (error) {
      // That there is no room is the database's to say, which knows at once when there is some again.
      if (!isStorageFull(error)) healthy = false;
      complain(error);
    }
  };

  const run = (): Promise<void> => {
    running ??= round().finally(() => {
      running = null;
    });
    return running;
  };

  const timer = setInterval(run, intervalMs);
  timer.unref();
  return {
    isHealthy: () => healthy,
    run,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
