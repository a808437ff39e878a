import type { BaseLogger } from 'pino';
import type { ModelWriting } from '../actions/articles/compose-with-model.ts';
import type { RunInThread } from '../actions/articles/thread-tasks.ts';
import { writeArticle } from '../actions/articles/write-article.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import type { Database } from '../db/database.ts';
import { claimJob, renewHeartbeats, type StartedJob } from '../db/writing-jobs.ts';
import type { WritingMetrics } from '../metrics/writing-metrics.ts';
import { claimJobs, type Queue, type Workers } from './claim-jobs.ts';
import type { JobWatch } from './watch-jobs.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  runInThread: RunInThread;
  terms: () => Promise<string>;
  offlineWriter: () => Promise<number>;
  models: ModelWriting | null;
  metrics: WritingMetrics | null;
  jobs: JobWatch;
  clock: () => Date;
  log: BaseLogger;
}

const queue: Queue<StartedJob> = {
  kind: 'article',
  name: 'claiming articles to write',
  claim: claimJob,
  renewHeartbeats,
};

/**
 * Writes what people ask for, a few articles at a time. Stopping puts back what is half written, for another worker to take
 * it up.
 */
export function writeArticles(parts: Parts, writers: number): Workers {
  const stopping = new AbortController();
  const write = async (job: StartedJob, lost: AbortSignal): Promise<void> => {
    const cancelled = new AbortController();
    const unwatch = parts.jobs.watch(job.id, ({ state }) => {
      if (state === 'cancelled') cancelled.abort();
    });
    const dropped = AbortSignal.any([lost, cancelled.signal]);
    try {
      await writeArticle(parts, job, { dropped, stopping: stopping.signal });
    } finally {
      unwatch();
    }
  };
  const workers = claimJobs(parts, queue, writers, write);
  return {
    ...workers,
    async stop() {
      stopping.abort();
      await workers.stop();
    },
  };
}
