import type { Database } from '../../db/database.ts';
import { type StartedJob, saveProgress } from '../../db/writing-jobs.ts';
import type { JobProgress } from '../../domain/pull-requests.ts';

/** Often enough to look alive, rarely enough that noting progress costs nothing beside making it. */
const intervalMs = 250;

interface Parts {
  database: Database;
  clock: () => Date;
}

/**
 * Takes in progress as often as it is reported and stores it now and then: at once when a step begins, otherwise the latest
 * of what was reported since. Calls `onLost` when another worker has taken the job over.
 */
export function createProgressKeeper({ database, clock }: Parts, job: StartedJob, onLost: () => void) {
  let last: JobProgress = { step: 'queued', done: 0, total: 0 };
  let waiting: JobProgress | null = null;
  let storedStep = '';
  // What no person waits for is over before its steps are worth noting, unless it takes long.
  let storedAt = job.isPlanned ? performance.now() : Number.NEGATIVE_INFINITY;
  let storing: Promise<void> | null = null;

  const store = async (progress: JobProgress): Promise<void> => {
    waiting = null;
    storedStep = progress.step;
    storedAt = performance.now();
    // What cannot be noted now is noted a little later; losing the work shows when it is published at the latest.
    const isOurs = await saveProgress(database, job, progress, clock()).catch(() => true);
    if (!isOurs) onLost();
  };

  const storeIfDue = (): void => {
    if (!waiting || storing) return;
    const isSameStep = job.isPlanned || waiting.step === storedStep;
    if (isSameStep && performance.now() - storedAt < intervalMs) return;
    storing = store(waiting).finally(() => {
      storing = null;
      storeIfDue();
    });
  };

  return {
    report(progress: JobProgress): void {
      last = progress;
      waiting = progress;
      storeIfDue();
    },
    /** Nothing is stored any more once this has settled, with what was reported last. */
    async end(): Promise<JobProgress> {
      waiting = null;
      await storing;
      return last;
    },
  };
}
