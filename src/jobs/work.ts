import type { BaseLogger } from 'pino';
import type { Database } from '../db/database.ts';
import { isDatabaseAway } from '../db/failures.ts';
import {
  type ClaimedJob,
  type ClaimedJobs,
  claimJobs,
  type HeldJob,
  type PlannedArticle,
  putJobBack,
  renewJobHeartbeats,
  saveJobProgress,
} from '../db/job-queue.ts';
import { type JobProgress, jobKinds, type Queue } from '../domain/jobs.ts';
import { inSpan } from '../metrics/spans.ts';
import type { JobWatch } from './listen.ts';
import { createFailureLogger } from './periodic-jobs.ts';

const heartbeatMs = 4_000;

/** New jobs are announced by notifications; polling finds jobs of dead workers and lost notifications. */
const lookMs = 5_000;

export interface WorkDeps {
  database: Database;
  jobs: JobWatch;
  clock: () => Date;
  log: BaseLogger;
}

interface WorkHooks {
  onProgress: (progress: JobProgress) => void;
  /** Settles with the last progress, after which no progress is stored. */
  endProgress: () => Promise<JobProgress>;
  /** Called if another worker took over the job, or it was cancelled. */
  onLost: () => void;
  /** Aborted after `onLost`, and when the service stops. */
  signal: AbortSignal;
  stopping: AbortSignal;
}

export interface Runner<Job> {
  /** Does a job and ends it, while this worker holds it. */
  run: (job: Job, hooks: WorkHooks) => Promise<void>;
  /** Ends a failed job, or queues it again. */
  fail: (job: Job, error: unknown) => Promise<void>;
}

export type Runners = { [Kind in keyof ClaimedJobs]: Runner<ClaimedJobs[Kind]> };

const queueNames: Queue[] = ['writing', 'planned', 'mirrors', 'refreshes', 'models', 'digests'];

/** The number of jobs, or groups of jobs, of each queue that run at once. */
type Lanes = Record<Queue, number>;

/** The part of an import that is done together before the rest is done one by one. */
interface Together {
  hosts: string[];
  atMost: number;
  /** Returns the ids of the finished articles. */
  run: (planned: PlannedArticle[], stopping: AbortSignal) => Promise<Set<string>>;
}

export interface Workers {
  begin: () => void;
  isHealthy: () => boolean;
  /** Claims no further jobs, and waits for running ones. Stopping puts unfinished jobs back for another worker. */
  stop: () => Promise<void>;
}

interface Held {
  job: ClaimedJob;
  lost: AbortController;
  unwatch: () => void;
}

interface Group {
  queue: Queue;
  held: Held[];
  worked: Promise<void>;
}

/** The loop that claims jobs of all kinds, renews their heartbeats, runs them and puts them back. */
export function startWork(
  { database, jobs, clock, log }: WorkDeps,
  runners: Runners,
  { lanes, together }: { lanes: Lanes; together: Together },
): Workers {
  const groups = new Set<Group>();
  const timers: NodeJS.Timeout[] = [];
  let unwatchQueue = () => {};
  const stopped = new AbortController();
  const ending = AbortSignal.any([stopped.signal, jobs.ending]);
  /** Users may still be waiting for articles when the service begins to stop. */
  const stoppingOf = (queue: Queue): AbortSignal => (queue === 'writing' ? stopped.signal : ending);
  const failing = new Set<'claims' | 'heartbeats'>();
  const logFailure = createFailureLogger(log, 'claiming jobs failed; retrying in a moment');
  const onFailureOf = (what: 'claims' | 'heartbeats') => (error: unknown) => {
    // The health check queries the database itself, and notices at once when it is back.
    if (!isDatabaseAway(error)) failing.add(what);
    logFailure(error);
  };

  const run = <Kind extends keyof ClaimedJobs>(work: Kind, job: ClaimedJobs[Kind], hooks: WorkHooks) =>
    runners[work].run(job, hooks);
  const fail = <Kind extends keyof ClaimedJobs>(work: Kind, job: ClaimedJobs[Kind], error: unknown) =>
    runners[work].fail(job, error);

  const workOn = async ({ job, lost }: Held, stopping: AbortSignal): Promise<void> => {
    const onLost = () => lost.abort();
    const { report: onProgress, end: endProgress } = keepProgress(database, job, onLost);
    const signal = AbortSignal.any([lost.signal, stopping]);
    try {
      signal.throwIfAborted();
      if (job.failures >= jobKinds[job.work].mostFailures) throw new Error('It has failed too often.');
      await run(job.work, job, { onProgress, endProgress, onLost, signal, stopping });
    } catch (error) {
      await endProgress();
      if (lost.signal.aborted) return;
      if (stopping.aborted) await putJobBack(database, job, { now: clock() });
      else await fail(job.work, job, error);
    }
  };
  const workOnAll = async (held: Held[], stopping: AbortSignal): Promise<void> => {
    const planned = held.flatMap(({ job }) => (job.work === 'planned' ? job : []));
    const done = planned.length > 0 ? await together.run(planned, stopping) : new Set();
    for (const one of held) if (!done.has(one.job.id)) await workOn(one, stopping).catch(logFailure);
  };
  const take = (queue: Queue, claimed: ClaimedJob[]): void => {
    const held = claimed.map((job) => {
      const lost = new AbortController();
      const unwatch = jobs.watch(job.id, ({ state }) => state === 'cancelled' && lost.abort());
      return { job, lost, unwatch };
    });
    const attempt = Math.max(...claimed.map((job) => job.attempt));
    const span = { 'pullquote.job.kind': claimed[0]?.work ?? queue, 'pullquote.job.attempt': attempt };
    const worked = inSpan('job', span, () => workOnAll(held, stoppingOf(queue))).catch(logFailure);
    const group = { queue, held, worked };
    groups.add(group);
    void worked.then(() => {
      groups.delete(group);
      for (const { unwatch } of held) unwatch();
      look([queue]);
    });
  };
  const claimAll = async (queue: Queue): Promise<void> => {
    const countHeld = () => [...groups].filter((group) => group.queue === queue).length;
    while (!stoppingOf(queue).aborted && countHeld() < lanes[queue]) {
      const claimed = await claimJobs(database, queue, clock(), queue === 'planned' ? together : undefined);
      if (claimed.length === 0) return;
      take(queue, claimed);
    }
  };
  const due = new Set<Queue>();
  const claimDue = async (): Promise<void> => {
    // Includes queues that become due during the loop.
    for (const queue of due) {
      due.delete(queue);
      await claimAll(queue);
    }
    failing.delete('claims');
  };
  let looking: Promise<void> | null = null;
  const look = (queues: Queue[] = queueNames): void => {
    for (const queue of queues) due.add(queue);
    if (stopped.signal.aborted) return;
    looking ??= claimDue()
      .then(() => true, onFailureOf('claims'))
      .then((isDone) => {
        looking = null;
        if (isDone && due.size > 0) look([]);
      });
  };

  let beating: Promise<void> | null = null;
  const beat = async (): Promise<void> => {
    const before = [...groups].flatMap(({ held }) => held);
    const nameOf = ({ id, attempt }: HeldJob): string => `${id} ${attempt}`;
    const held = before.map(({ job }) => job);
    const alive = new Set((await renewJobHeartbeats(database, held)).map(nameOf));
    failing.delete('heartbeats');
    for (const { job, lost } of before) if (!alive.has(nameOf(job))) lost.abort();
  };

  return {
    begin() {
      if (Object.values(lanes).every((most) => most === 0) || stopped.signal.aborted) return;
      unwatchQueue = jobs.watchQueue(() => look());
      timers.push(
        setInterval(() => look(), lookMs),
        setInterval(() => {
          if (groups.size === 0) return void failing.delete('heartbeats');
          beating ??= beat()
            .catch(onFailureOf('heartbeats'))
            .finally(() => {
              beating = null;
            });
        }, heartbeatMs),
      );
      look();
    },
    isHealthy: () => failing.size === 0,
    async stop() {
      stopped.abort();
      unwatchQueue();
      await looking;
      // Heartbeats continue until running jobs have been put back.
      await Promise.all([...groups].map(({ worked }) => worked));
      for (const timer of timers) clearInterval(timer);
      await beating;
    },
  };
}

/** Often enough to look alive, and rarely enough to cost next to nothing. */
const progressMs = 250;

/**
 * Stores progress at once when a step begins, and otherwise at intervals. Calls `onLost` if another worker has the job.
 */
function keepProgress(database: Database, job: ClaimedJob, onLost: () => void) {
  let last: JobProgress = { step: 'queued', done: 0, total: 0 };
  let waiting: JobProgress | null = null;
  let storedStep = '';
  // Nobody waits for a planned article, so its steps are stored only if it takes long.
  let storedAt = job.isPlanned ? performance.now() : Number.NEGATIVE_INFINITY;
  let storing: Promise<void> | null = null;

  const store = async (progress: JobProgress): Promise<void> => {
    waiting = null;
    storedStep = progress.step;
    storedAt = performance.now();
    // If storing fails, the job continues: at the latest, publishing shows whether it is lost.
    if (!(await saveJobProgress(database, job, progress).catch(() => true))) onLost();
  };
  const storeIfDue = (): void => {
    if (!waiting || storing) return;
    const isSameStep = job.isPlanned || waiting.step === storedStep;
    if (isSameStep && performance.now() - storedAt < progressMs) return;
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
    async end(): Promise<JobProgress> {
      waiting = null;
      await storing;
      return last;
    },
  };
}
