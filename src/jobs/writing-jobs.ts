import type { BaseLogger } from 'pino';
import { writePlannedArticle } from '../actions/articles/planned-articles.ts';
import type { RequestDeps } from '../actions/articles/request-article.ts';
import { type WriterDeps, writeArticle } from '../actions/articles/write-article.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import type { Database, Queries } from '../db/database.ts';
import {
  claimPlanned,
  listNextPlanned,
  noteImportMoved,
  type PlannedArticle,
  renewPlanned,
} from '../db/imports.ts';
import { claimJob, renewHeartbeats, type StartedJob } from '../db/writing-jobs.ts';
import { inSpan } from '../metrics/spans.ts';
import { createFailureLogger } from './background.ts';
import type { JobWatch } from './listen.ts';

const heartbeatMs = 4_000;

/** New jobs are announced; looking is for those whose worker has died, and for announcements that were lost. */
const lookMs = 5_000;

const troubleLastsMs = 30_000;

interface QueueDeps {
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
  claim: (db: Database, now: Date) => Promise<Job | null>;
  renewHeartbeats: (db: Queries, held: Job[]) => Promise<Claim[]>;
}

/** `lost` is aborted when the job was taken away or given up, `stopping` when the service is about to end. */
type Work<Job> = (job: Job, lost: AbortSignal, stopping: AbortSignal) => Promise<void>;

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

function claimJobs<Job extends Claim>(
  { database, jobs, clock, log }: QueueDeps,
  queue: Queue<Job>,
  most: number,
  work: Work<Job>,
): Workers {
  const held = new Set<Held<Job>>();
  const timers: NodeJS.Timeout[] = [];
  let unwatch = () => {};
  const stopping = new AbortController();
  let lastTrouble = Number.NEGATIVE_INFINITY;
  const logFailure = createFailureLogger(log, `${queue.name} failed; it is tried again in a moment`);
  const onTrouble = (error: unknown): void => {
    lastTrouble = performance.now();
    logFailure(error);
  };

  const take = (job: Job): void => {
    const lost = new AbortController();
    const span = { 'pullquote.job.kind': queue.kind, 'pullquote.job.attempt': job.attempt };
    const worked = inSpan('job', span, () => work(job, lost.signal, stopping.signal)).catch(onTrouble);
    const one = { job, lost, worked };
    held.add(one);
    void worked.then(() => {
      held.delete(one);
      look();
    });
  };
  const claimAll = async (): Promise<void> => {
    while (!stopping.signal.aborted && held.size < most) {
      const job = await queue.claim(database, clock());
      if (!job) return;
      take(job);
    }
  };
  let looking: Promise<void> | null = null;
  let isDue = false;
  const look = (): void => {
    isDue = looking !== null;
    if (isDue || stopping.signal.aborted) return;
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
      if (most === 0 || stopping.signal.aborted) return;
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
      stopping.abort();
      unwatch();
      await looking;
      // Those that work live until they have put their jobs back.
      await Promise.all([...held].map(({ worked }) => worked));
      for (const timer of timers) clearInterval(timer);
      await beating;
    },
  };
}

const articleQueue: Queue<StartedJob> = {
  kind: 'article',
  name: 'claiming articles to write',
  claim: claimJob,
  renewHeartbeats,
};

/** Writes requested articles, a few at a time. Stopping puts back what is half written, for another worker. */
export function writeArticles(deps: WriterDeps & { jobs: JobWatch }, writers: number): Workers {
  const write = async (job: StartedJob, lost: AbortSignal, stopping: AbortSignal): Promise<void> => {
    const cancelled = new AbortController();
    const unwatch = deps.jobs.watch(job.id, ({ state }) => {
      if (state === 'cancelled') cancelled.abort();
    });
    const dropped = AbortSignal.any([lost, cancelled.signal]);
    try {
      await writeArticle(deps, job, { dropped, stopping });
    } finally {
      unwatch();
    }
  };
  return claimJobs(deps, articleQueue, writers, write);
}

interface PlannedDeps extends RequestDeps {
  codeHosts: CodeHost[];
  jobs: JobWatch;
  log: BaseLogger;
}

const plannedQueue: Queue<PlannedArticle> = {
  kind: 'planned article',
  name: 'claiming planned articles',
  claim: claimPlanned,
  renewHeartbeats: renewPlanned,
};

/** Followers of an import get its progress no more often than this, and whenever an article is done. */
const notifyEveryMs = 1_000;

const mostNotified = 100;

/** As many as a host reads together in a few moments. */
const expectedAtATime = 64;

/**
 * How many are under way at once. One is fetched while the writers write, because what people ask for goes first and one
 * article takes a moment; a model takes minutes, so that half of the writers are left for people.
 */
const mostUnderWay = ({ models }: PlannedDeps, writers: number): number =>
  models || writers === 0 ? Math.ceil(writers / 2) : writers + 1;

export function writePlannedArticles(deps: PlannedDeps, writers: number): Workers {
  const { database, jobs, clock, log } = deps;
  const onTrouble = createFailureLogger(log, 'a planned article failed');

  const notifiedAt = new Map<string, number>();
  /** By import, how many are left of those its host prefetches. */
  const expected = new Map<string, number>();
  const expect = async ({ host, owner, name, prNumber, importId }: PlannedArticle): Promise<void> => {
    const codeHost = deps.codeHosts.find(({ id }) => id === host);
    if (!importId || !codeHost?.prefetch) return;
    const left = (expected.get(importId) ?? 0) - 1;
    expected.delete(importId);
    if (left > 0) return void expected.set(importId, left);
    const next = await listNextPlanned(database, importId, expectedAtATime);
    if (next.length > 0) expected.set(importId, next.length);
    await codeHost.prefetch({ owner, name }, [prNumber, ...next]);
  };

  const work = async (planned: PlannedArticle, lost: AbortSignal, stopping: AbortSignal): Promise<void> => {
    const { importId } = planned;
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
    await Promise.all([notify(), expect(planned).catch(onTrouble)]);
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
    const signals = { lost, stopping: AbortSignal.any([stopping, jobs.ending]) };
    await writePlannedArticle({ ...deps, untilOver, onTrouble }, planned, signals);
  };
  return claimJobs(deps, plannedQueue, mostUnderWay(deps, writers), work);
}
