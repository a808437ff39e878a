import type { Deps } from '../actions/deps.ts';
import { deleteOldCards } from '../db/article-pages.ts';
import { deleteOldUnreadable, deleteReplacedDiffs } from '../db/diffs.ts';
import { deleteOldDigests } from '../db/digests.ts';
import { isDatabaseAway, isStorageFull } from '../db/failures.ts';
import { claimHousekeeping } from '../db/figures.ts';
import { deleteFinishedJobs } from '../db/jobs.ts';
import { deleteUnusedPullRequests } from '../db/pull-requests.ts';
import { deleteOldCounts } from '../db/quotas.ts';
import { deleteRemoved } from '../db/removals.ts';
import { deleteWithdrawnGrants } from '../db/rights.ts';
import { deleteEndedCredentials } from '../db/users.ts';
import { deleteOldDeliveries, deleteOldMerges } from '../db/webhook-events.ts';
import { retentionCutoff, type retentionMs } from '../domain/time.ts';
import { createFailureLogger } from './background.ts';

/** Often enough that no round has much to do. */
const intervalMs = 5 * 60 * 1000;

/** Sooner after a failure, which a health check reports until a round succeeds. */
const retryMs = 30_000;

/** A little less, so that the process that had the last round is not too early for the next. */
const dueAfterMs = 0.9 * intervalMs;

/** Enough for 256 MiB of diffs. */
const mostBatches = 64;

export interface Housekeeping {
  isHealthy: () => boolean;
  /** Runs a round now, one at a time. Besides, one of all processes runs one every few minutes. */
  run: () => Promise<void>;
  stop: () => Promise<void>;
}

export function startHousekeeping({
  database,
  clock,
  log,
}: Pick<Deps, 'database' | 'clock' | 'log'>): Housekeeping {
  const before = (what: keyof typeof retentionMs) => retentionCutoff(what, clock());
  const logFailure = createFailureLogger(log, 'housekeeping failed; retrying in a moment');
  let healthy = true;
  const onFailure = (error: unknown): void => {
    // A health check asks the database itself, and finds out at once that it is back or has room again.
    if (!isStorageFull(error) && !isDatabaseAway(error)) healthy = false;
    logFailure(error);
  };
  let running: Promise<void> | null = null;
  let isStopping = false;

  /** Other queries get in between. What is left is for the next round. */
  const inBatches = async (deleteSome: () => Promise<number>): Promise<void> => {
    for (let batch = 0; batch < mostBatches && !isStopping; batch += 1) {
      if ((await deleteSome()) === 0) return;
    }
  };

  const round = async (): Promise<void> => {
    try {
      await deleteEndedCredentials(database, clock());
      await deleteFinishedJobs(database, before('finishedJobs'));
      await inBatches(() => deleteUnusedPullRequests(database, before('unusedPullRequests')));
      await inBatches(() => deleteReplacedDiffs(database, before('replacedDiffs')));
      await inBatches(() => deleteOldCards(database, before('cards')));
      await deleteOldUnreadable(database, before('unreadableDiffs'));
      await deleteOldDeliveries(database, before('webhookDeliveries'));
      await deleteWithdrawnGrants(database, before('withdrawnGrants'));
      await deleteOldCounts(database, clock());
      await deleteOldDigests(database, before('digests'));
      await deleteOldMerges(database, before('digests'));
      await inBatches(() => deleteRemoved(database, clock()));
      healthy = true;
    } catch (error) {
      onFailure(error);
    }
  };

  const run = (): Promise<void> => {
    running ??= round().finally(() => {
      running = null;
    });
    return running;
  };

  const runIfDue = async (): Promise<void> => {
    try {
      if (!healthy || (await claimHousekeeping(database, dueAfterMs))) await run();
    } catch (error) {
      onFailure(error);
    }
    if (!isStopping) timer = setTimeout(runIfDue, healthy ? intervalMs : retryMs).unref();
  };
  let timer = setTimeout(runIfDue, intervalMs).unref();
  return {
    isHealthy: () => healthy,
    run,
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      await running;
    },
  };
}
