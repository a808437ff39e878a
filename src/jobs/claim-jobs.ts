import type { BaseLogger } from 'pino';
import type { Database, Queries } from '../db/database.ts';
import { inSpan } from '../metrics/spans.ts';
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

/** What is known of anything that is claimed: which it is, and which claim of it this is. */
interface Claim {
  id: string | number;
  attempt: number;
}

/** A table of what is to be done, whose rows are claimed. */
export interface Queue<Job extends Claim> {
  /** What a span calls it. */
  kind: string;
  /** What the log says that failed. */
  name: string;
  claim: (db: Database, now: Date) => Promise<Job | null>;
  renewHeartbeats: (db: Queries, held: Job[]) => Promise<Claim[]>;
}

/** Works on a job. The signal is aborted when the job was taken away or given up. */
type Work<Job> = (job: Job, signal: AbortSignal) => Promise<void>;

interface Held<Job> {
  job: Job;
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
export function claimJobs<Job extends Claim>(
  { database, jobs, clock, log }: Parts,
  queue: Queue<Job>,
  most: number,
  work: Work<Job>,
): Workers {
  const held = new Set<Held<Job>>();
  const timers: NodeJS.Timeout[] = [];
  let unwatch = () => {};
  let isStopping = false;
  let lastTrouble = Number.NEGATIVE_INFINITY;
  const logFailure = createFailureLogger(log, `${queue.name} failed; it is tried again in a moment`);
  const onTrouble = (error: unknown): void => {
    lastTrouble = performance.now();
    logFailure(error);
  };

  const take = (job: Job): void => {
    const lost = new AbortController();
    const span = { 'pullquote.job.kind': queue.kind, 'pullquote.job.attempt': job.attempt };
    const worked = inSpan('job', span, () => work(job, lost.signal)).catch(onTrouble);
    const one = { job, lost, worked };
    held.add(one);
    void worked.then(() => {
      held.delete(one);
      look();
    });
  };
  const claimAll = async (): Promise<void> => {
    while (!isStopping && held.size < most) {
      const job = await queue.claim(database, clock());
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
    const renewed = await queue.renewHeartbeats(
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
