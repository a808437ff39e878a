import type { BaseLogger } from 'pino';
import type { RequestParts } from '../actions/articles/request-article.ts';
import { writePlannedArticle } from '../actions/articles/write-planned-article.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { noteImportMoved } from '../db/imports.ts';
import { claimPlanned, type PlannedArticle, releasePlanned, renewPlanned } from '../db/planned-articles.ts';
import { claimJobs, type Queue, type Workers } from './claim-jobs.ts';
import { createFailureLogger } from './failure-logger.ts';
import type { JobWatch } from './watch-jobs.ts';

interface Parts extends RequestParts {
  codeHosts: CodeHost[];
  jobs: JobWatch;
  log: BaseLogger;
}

const queue: Queue<PlannedArticle> = {
  name: 'claiming planned articles',
  claim: claimPlanned,
  release: releasePlanned,
  renewHeartbeats: renewPlanned,
};

/** More often than this, those who follow an import are not told how far one article of it is. */
const tellEveryMs = 1_000;

/**
 * Has articles written that were planned. At most half of the writers are kept busy with them, so that a user who asks for a
 * single one does not wait behind hundreds.
 */
export function writePlannedArticles(parts: Parts, writers: number): Workers {
  const { database, jobs, clock, log } = parts;
  const stopping = new AbortController();
  const onTrouble = createFailureLogger(log, 'a planned article failed');

  const work = async (planned: PlannedArticle, lost: AbortSignal): Promise<void> => {
    const { importId } = planned;
    const tell = async (): Promise<void> => {
      // Whether they are told changes nothing of the work.
      if (importId) await noteImportMoved(database, importId, clock()).catch(onTrouble);
    };
    await tell();
    const untilOver = async (jobId: string, signal: AbortSignal): Promise<'over' | 'waiting'> => {
      let toldAt = Number.NEGATIVE_INFINITY;
      let telling = Promise.resolve();
      const unwatch = jobs.watch(jobId, () => {
        if (performance.now() - toldAt < tellEveryMs) return;
        toldAt = performance.now();
        telling = tell();
      });
      try {
        return await jobs.untilOver(jobId, signal);
      } finally {
        unwatch();
        await telling;
      }
    };
    const signals = { lost, stopping: AbortSignal.any([stopping.signal, jobs.ending]) };
    await writePlannedArticle({ ...parts, untilOver, onTrouble }, planned, signals);
  };
  const workers = claimJobs(parts, queue, Math.ceil(writers / 2), work);
  return {
    ...workers,
    async stop() {
      stopping.abort();
      await workers.stop();
    },
  };
}
