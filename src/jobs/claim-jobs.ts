import type { BaseLogger } from 'pino';
import type { Database } from '../db/database.ts';
import { claimJob, releaseJobs, renewHeartbeats, type StartedJob } from '../db/writing-jobs.ts';
import { createFailureLogger } from './failure-logger.ts';
import type { JobWatch } from './watch-jobs.ts';

/** How often a worker shows that it lives. */
const heartbeatMs = 4_000;

/** New jobs are announced; looking is for those whose worker has died, and for announcements that were lost. */
const lookMs = 5_000;

/** After this long without a failure all is thought well again. */
const troubleLastsMs = 30_000;

interface Parts {
  database: Database;
  jobs: JobWatch;
  clock: () => Date;
  log: BaseLogger;
}

/** Works on a job. The signal is aborted when the job was taken away or given up. */
type Work = (job: StartedJob, signal: AbortSignal) => Promise<void>;

interface Held {
  job: StartedJob;
  lost: AbortController;
  worked: Promise<void>;
}

export interface Workers {
  begin: () => void;
  isHealthy: () => boolean;
  /** Claims no more, and waits for what is being worked on. */
  stop: () => Promise<void>;
}

/** Claims jobs from the database for as many workers as there are, and shows that these live. */
export function claimJobs({ database, jobs, clock, log }: Parts, most: number, work: Work): Workers {
  const held = new Set<Held>();
  const timers: NodeJS.Timeout[] = [];
  let unwatch = () => {};
  let isStopping = false;
  let isReleased = database.isShared;
  let lastTrouble = Number.NEGATIVE_INFINITY;
  const logFailure = createFailureLogger(
    log,
    'claiming articles to write failed; it is tried again in a moment',
  );
  const onTrouble = (error: unknown): void => {
    lastTrouble = performance.now();
    logFailure(error);
  };

  const take = (job: StartedJob): void => {
    const lost = new AbortController();
    const worked = work(job, lost.signal).catch(onTrouble);
    const one = { job, lost, worked };
    held.add(one);
    void worked.then(() => {
      held.delete(one);
      look();
    });
  };
  const claimAll = async (): Promise<void> => {
    // What runs in a database that no other process has open was left behind by one that is gone.
    if (!isReleased) await releaseJobs(database);
    isReleased = true;
    while (!isStopping && held.size < most) {
      const job = await claimJob(database, clock());
      if (!job) return;
      take(job);
    }
  };
  let looking: Promise<void> | null = null;
  let isDue = false;
  const look = (): void => {
    isDue = looking !== null;
    if (isDue || isStopping) return;
    looking = claimAll()
      .catch(onTrouble)
      .finally(() => {
        looking = null;
        if (isDue) look();
      });
  };

  let beating: Promise<void> | null = null;
  const beat = async (): Promise<void> => {
    const before = [...held];
    const renewed = await renewHeartbeats(
      database,
      before.map(({ job }) => job),
    );
    const alive = new Set(renewed.map(({ id, attempt }) => `${id} ${attempt}`));
    for (const { job, lost } of before) if (!alive.has(`${job.id} ${job.attempt}`)) lost.abort();
  };

  return {
    begin() {
      if (most === 0 || isStopping) return;
      unwatch = jobs.watchQueue(look);
      timers.push(
        setInterval(look, lookMs),
        setInterval(() => {
          if (held.size === 0) return;
          beating ??= beat()
            .catch(onTrouble)
            .finally(() => {
              beating = null;
            });
        }, heartbeatMs),
      );
      look();
    },
    isHealthy: () => performance.now() - lastTrouble > troubleLastsMs,
    async stop() {
      isStopping = true;
      unwatch();
      await looking;
      // Those that work live until they have put their jobs back.
      await Promise.all([...held].map(({ worked }) => worked));
      for (const timer of timers) clearInterval(timer);
      await beating;
    },
  };
}
