import type { BaseLogger } from 'pino';
import type { WriterDeps } from '../actions/articles/compose-article.ts';
import { writePlannedArticle } from '../actions/articles/planned-articles.ts';
import type { RequestDeps } from '../actions/articles/request-article.ts';
import { writeArticle } from '../actions/articles/write-article.ts';
import { type TogetherDeps, writeTogether } from '../actions/articles/write-together.ts';
import type { Database, Queries } from '../db/database.ts';
import { isDatabaseAway } from '../db/failures.ts';
import { claimPlanned, noteImportMoved, type PlannedArticle, renewPlanned } from '../db/imports.ts';
import { claimJob, renewHeartbeats, type StartedJob } from '../db/writing-jobs.ts';
import { inSpan } from '../metrics/spans.ts';
import { createFailureLogger } from './background.ts';
import type { JobWatch } from './listen.ts';

const heartbeatMs = 4_000;

/** New jobs are announced; looking is for those whose worker has died, and for announcements that were lost. */
const lookMs = 5_000;

export interface QueueDeps {
  database: Database;
  jobs: JobWatch;
  clock: () => Date;
  log: BaseLogger;
}

interface Claim {
  id: string | number;
  attempt: number;
}

export interface Queue<Job extends Claim> {
  kind: string;
  name: string;
  /** Jobs that are done together. */
  claim: (db: Database, now: Date) => Promise<Job[]>;
  renewHeartbeats: (db: Queries, held: Job[]) => Promise<Claim[]>;
}

export interface Held<Job> {
  job: Job;
  /** Aborted when the job was taken away or given up. */
  lost: AbortController;
}

/** `stopping` is aborted when the service is about to end. */
type Work<Job> = (jobs: Held<Job>[], stopping: AbortSignal) => Promise<void>;

export interface Workers {
  begin: () => void;
  isHealthy: () => boolean;
  /** Claims no more, and waits for what is being worked on. */
  stop: () => Promise<void>;
}

export function claimJobs<Job extends Claim>(
  { database, jobs, clock, log }: QueueDeps,
  queue: Queue<Job>,
  most: number,
  work: Work<Job>,
): Workers {
  const held = new Map<Held<Job>[], Promise<void>>();
  const timers: NodeJS.Timeout[] = [];
  let unwatch = () => {};
  const stopping = new AbortController();
  const failing = new Set<'claims' | 'heartbeats'>();
  const logFailure = createFailureLogger(log, `${queue.name} failed; retrying in a moment`);
  const onFailureOf = (what: 'claims' | 'heartbeats') => (error: unknown) => {
    // A health check asks the database itself, and finds out at once that it is back.
    if (!isDatabaseAway(error)) failing.add(what);
    logFailure(error);
  };

  const take = (jobs: Held<Job>[]): void => {
    const attempt = Math.max(...jobs.map(({ job }) => job.attempt));
    const span = { 'pullquote.job.kind': queue.kind, 'pullquote.job.attempt': attempt };
    const worked = inSpan('job', span, () => work(jobs, stopping.signal)).catch(logFailure);
    held.set(jobs, worked);
    void worked.then(() => {
      held.delete(jobs);
      look();
    });
  };
  const claimAll = async (): Promise<void> => {
    while (!stopping.signal.aborted && held.size < most) {
      const jobs = await queue.claim(database, clock());
      failing.delete('claims');
      if (jobs.length === 0) return;
      take(jobs.map((job) => ({ job, lost: new AbortController() })));
    }
  };
  let looking: Promise<void> | null = null;
  let isDue = false;
  const look = (): void => {
    isDue = looking !== null;
    if (isDue || stopping.signal.aborted) return;
    looking = claimAll()
      .catch(onFailureOf('claims'))
      .finally(() => {
        looking = null;
        if (isDue) look();
      });
  };

  let beating: Promise<void> | null = null;
  const beat = async (): Promise<void> => {
    const before = [...held.keys()].flat();
    const renewed = await queue.renewHeartbeats(
      database,
      before.map(({ job }) => job),
    );
    failing.delete('heartbeats');
    const alive = new Set(renewed.map(({ id, attempt }) => `${id} ${attempt}`));
    for (const { job, lost } of before) if (!alive.has(`${job.id} ${job.attempt}`)) lost.abort();
  };

  return {
    begin() {
      if (most === 0 || stopping.signal.aborted) return;
      unwatch = jobs.watchQueue(look);
      timers.push(
        setInterval(look, lookMs),
        setInterval(() => {
          if (held.size === 0) return void failing.delete('heartbeats');
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
      stopping.abort();
      unwatch();
      await looking;
      // Those that work live until they have put their jobs back.
      await Promise.all(held.values());
      for (const timer of timers) clearInterval(timer);
      await beating;
    },
  };
}

const articleQueue: Queue<StartedJob> = {
  kind: 'article',
  name: 'claiming articles to write',
  claim: async (db, now) => [(await claimJob(db, now)) ?? []].flat(),
  renewHeartbeats,
};

/** Writes requested articles, a few at a time. Stopping puts back what is half written, for another worker. */
export function writeArticles(deps: WriterDeps & { jobs: JobWatch }, writers: number): Workers {
  const write = async ({ job, lost }: Held<StartedJob>, stopping: AbortSignal): Promise<void> => {
    const cancelled = new AbortController();
    const unwatch = deps.jobs.watch(job.id, ({ state }) => {
      if (state === 'cancelled') cancelled.abort();
    });
    const dropped = AbortSignal.any([lost.signal, cancelled.signal]);
    try {
      await writeArticle(deps, job, { dropped, stopping });
    } finally {
      unwatch();
    }
  };
  return claimJobs(deps, articleQueue, writers, async (jobs, stopping) => {
    for (const job of jobs) await write(job, stopping);
  });
}

type PlannedDeps = RequestDeps & TogetherDeps & { jobs: JobWatch; log: BaseLogger };

/** Few enough that little is lost with a process, and many enough that a transaction costs each of them next to nothing. */
const mostTogether = 16;

const plannedQueue = ({ codeHosts, models }: PlannedDeps): Queue<PlannedArticle> => {
  const together = codeHosts.flatMap(({ id, readTogether }) => (readTogether && !models ? id : []));
  return {
    kind: 'planned article',
    name: 'claiming planned articles',
    claim: (db, now) => claimPlanned(db, now, { together, atMost: mostTogether }),
    renewHeartbeats: renewPlanned,
  };
};

/** Followers of an import get its progress no more often than this, and whenever an article is done. */
const notifyEveryMs = 1_000;

const mostNotified = 100;

/**
 * How many groups are under way at once. One is fetched while the writers write, because what people ask for goes first and one
 * article takes a moment; a model takes minutes, so that half of the writers are left for people.
 */
const mostUnderWay = ({ models }: PlannedDeps, writers: number): number =>
  models || writers === 0 ? Math.ceil(writers / 2) : writers + 1;

export function writePlannedArticles(deps: PlannedDeps, writers: number): Workers {
  const { database, jobs, clock, log } = deps;
  const onTrouble = createFailureLogger(log, 'a planned article failed');

  const notifiedAt = new Map<string, number>();
  const work = async (held: Held<PlannedArticle>[], stopping: AbortSignal): Promise<void> => {
    const planned = held.map(({ job }) => job);
    const importId = planned[0]?.importId;
    const notify = async (): Promise<void> => {
      if (
        !importId ||
        performance.now() - (notifiedAt.get(importId) ?? Number.NEGATIVE_INFINITY) < notifyEveryMs
      )
        return;
      notifiedAt.delete(importId);
      notifiedAt.set(importId, performance.now());
      const [oldest] = notifiedAt.keys();
      if (oldest && notifiedAt.size > mostNotified) notifiedAt.delete(oldest);
      await noteImportMoved(database, importId, clock()).catch(onTrouble);
    };
    await notify();
    const signals = { stopping: AbortSignal.any([stopping, jobs.ending]) };
    const done = await writeTogether(deps, planned, signals.stopping).catch(onTrouble);
    const untilOver = async (jobId: string, signal: AbortSignal): Promise<'over' | 'waiting'> => {
      let notifying = Promise.resolve();
      const unwatch = jobs.watch(jobId, () => {
        notifying = notify();
      });
      try {
        return await jobs.untilOver(jobId, signal);
      } finally {
        unwatch();
        await notifying;
      }
    };
    for (const { job, lost } of held.filter(({ job: { id } }) => !done?.has(id)))
      await writePlannedArticle({ ...deps, untilOver, onTrouble }, job, { ...signals, lost: lost.signal });
  };
  return claimJobs(deps, plannedQueue(deps), mostUnderWay(deps, writers), work);
}
