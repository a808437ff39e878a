import type { BaseLogger } from 'pino';
import type { RequestParts } from '../actions/articles/request-article.ts';
import { writePlannedArticle } from '../actions/articles/write-planned-article.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { noteImportMoved } from '../db/imports.ts';
import { claimPlanned, listNextPlanned, type PlannedArticle, renewPlanned } from '../db/planned-articles.ts';
import { claimJobs, type Queue, type Workers } from './claim-jobs.ts';
import { createFailureLogger } from './failure-logger.ts';
import type { JobWatch } from './watch-jobs.ts';

interface Parts extends RequestParts {
  codeHosts: CodeHost[];
  jobs: JobWatch;
  log: BaseLogger;
}

const queue: Queue<PlannedArticle> = {
  kind: 'planned article',
  name: 'claiming planned articles',
  claim: claimPlanned,
  renewHeartbeats: renewPlanned,
};

/** More often than this, those who follow an import are not told how far its articles are; of each that is done they are. */
const tellEveryMs = 1_000;

/** More imports than are under way at once. */
const mostTold = 100;

/** As many as a host reads together in a few moments. */
const expectedAtATime = 64;

/**
 * How many are under way at once. One is fetched while the writers write, because what people ask for goes first and one
 * article takes a moment; a model takes minutes, so that half of the writers are left for people.
 */
const mostUnderWay = ({ models }: Parts, writers: number): number =>
  models || writers === 0 ? Math.ceil(writers / 2) : writers + 1;

/** Has articles written that were planned, with what people do not need of the writers. */
export function writePlannedArticles(parts: Parts, writers: number): Workers {
  const { database, jobs, clock, log } = parts;
  const stopping = new AbortController();
  const onTrouble = createFailureLogger(log, 'a planned article failed');

  /** By import, when those who follow it were last told. */
  const toldAt = new Map<string, number>();
  /** By import, how many are left of those that its host was told to expect. */
  const expected = new Map<string, number>();
  const expect = async ({ host, owner, name, prNumber, importId }: PlannedArticle): Promise<void> => {
    const codeHost = parts.codeHosts.find(({ id }) => id === host);
    if (!importId || !codeHost?.prefetch) return;
    const left = (expected.get(importId) ?? 0) - 1;
    expected.delete(importId);
    if (left > 0) return void expected.set(importId, left);
    const next = await listNextPlanned(database, importId, expectedAtATime);
    if (next.length > 0) expected.set(importId, next.length);
    await codeHost.prefetch({ owner, name }, [prNumber, ...next]);
  };

  const work = async (planned: PlannedArticle, lost: AbortSignal): Promise<void> => {
    const { importId } = planned;
    const tell = async (): Promise<void> => {
      if (!importId || performance.now() - (toldAt.get(importId) ?? Number.NEGATIVE_INFINITY) < tellEveryMs)
        return;
      toldAt.delete(importId);
      toldAt.set(importId, performance.now());
      const [oldest] = toldAt.keys();
      if (oldest && toldAt.size > mostTold) toldAt.delete(oldest);
      // Whether they are told changes nothing of the work.
      await noteImportMoved(database, importId, clock()).catch(onTrouble);
    };
    await Promise.all([tell(), expect(planned).catch(onTrouble)]);
    const untilOver = async (jobId: string, signal: AbortSignal): Promise<'over' | 'waiting'> => {
      let telling = Promise.resolve();
      const unwatch = jobs.watch(jobId, () => {
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
  const workers = claimJobs(parts, queue, mostUnderWay(parts, writers), work);
  return {
    ...workers,
    async stop() {
      stopping.abort();
      await workers.stop();
    },
  };
}
