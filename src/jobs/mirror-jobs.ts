import { findAdding } from '../actions/repositories/add-repository.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import {
  claimMirror,
  claimRefresh,
  failMirror,
  failRefresh,
  finishMirror,
  finishRefresh,
  listAdditionIds,
  type MirrorJob,
  putMirrorBack,
  putRefreshBack,
  type RefreshJob,
  renewMirrors,
  renewRefreshes,
  saveMirrorProgress,
} from '../db/added-repositories.ts';
import { notifyPublicChange } from '../db/articles.ts';
import type { JobError } from '../db/writing-jobs.ts';
import { Failure } from '../domain/errors.ts';
import { claimJobs, type Held, type Queue, type QueueDeps, type Workers } from './writing-jobs.ts';

/** After that many processes died over it, the repository is to blame. */
const mostAttempts = 10;

const progressEveryMs = 1_000;

const queue: Queue<MirrorJob> = {
  kind: 'mirror',
  name: 'claiming repositories to mirror',
  claim: async (db, now) => [(await claimMirror(db, now)) ?? []].flat(),
  renewHeartbeats: renewMirrors,
};

/** Makes mirrors of repositories that were added by their address, one at a time. */
export function makeMirrors(deps: QueueDeps & { codeHosts: CodeHost[] }, writers: number): Workers {
  const { database, clock, jobs, log } = deps;
  const { adding } = findAdding(deps.codeHosts) ?? {};
  const make = async ({ job, lost }: Held<MirrorJob>, stopping: AbortSignal): Promise<void> => {
    if (!adding) return;
    const cancelled = new AbortController();
    const unwatch = jobs.watch(job.id, ({ state }) => state === 'cancelled' && cancelled.abort());
    const signal = AbortSignal.any([cancelled.signal, lost.signal, stopping]);
    let saved = performance.now();
    const onProgress = (done: number): void => {
      if (performance.now() - saved < progressEveryMs) return;
      saved = performance.now();
      saveMirrorProgress(database, job, { done, total: 100 }).catch(() => {});
    };
    try {
      if (job.attempt > mostAttempts)
        throw new Failure('INTERNAL', 'Copying this repository failed several times.');
      await adding.mirror(job, { signal, onProgress });
      if (await finishMirror(database, job, clock())) await notifyPublicChange(database, 'ranking');
      else if (!(await listAdditionIds(database)).includes(job.id)) await adding.removeMirror(job.id);
    } catch (error) {
      if (stopping.aborted && !cancelled.signal.aborted) await putMirrorBack(database, job);
      else if (!signal.aborted) {
        log.warn({ err: error }, 'a repository could not be mirrored');
        await failMirror(database, job, asJobError(error), clock());
      }
    } finally {
      unwatch();
    }
  };
  return claimJobs(deps, queue, adding && writers > 0 ? 1 : 0, async (held, stopping) => {
    for (const one of held) await make(one, stopping);
  });
}

/** Fetches finished mirrors again, each after the given time or when somebody asks for it, one at a time. */
export function refreshMirrors(
  deps: QueueDeps & { codeHosts: CodeHost[] },
  { writers, watchEveryMs }: { writers: number; watchEveryMs: number },
): Workers {
  const { database, clock, log } = deps;
  const { adding } = findAdding(deps.codeHosts) ?? {};
  const refreshes: Queue<RefreshJob> = {
    kind: 'refresh',
    name: 'claiming mirrors to refresh',
    claim: async (db, now) => {
      const before = new Date(now.getTime() - watchEveryMs);
      return [(await claimRefresh(db, { now, before })) ?? []].flat();
    },
    renewHeartbeats: renewRefreshes,
  };
  const refresh = async ({ job, lost }: Held<RefreshJob>, stopping: AbortSignal): Promise<void> => {
    if (!adding) return;
    try {
      await adding.refreshMirror(job, AbortSignal.any([lost.signal, stopping]));
      await finishRefresh(database, job, clock());
    } catch (error) {
      if (stopping.aborted) await putRefreshBack(database, job);
      else if ((await failRefresh(database, job, asJobError(error))) && !job.hasFailed)
        log.warn(
          { err: error, address: job.address },
          'a mirror could not be refreshed; its old state is kept',
        );
    }
    if (lost.signal.aborted && !(await listAdditionIds(database)).includes(job.id))
      await adding.removeMirror(job.id);
  };
  // Without hosts, GIT_CLONE is off.
  const most = adding && adding.hosts.length > 0 && writers > 0 ? 1 : 0;
  return claimJobs(deps, refreshes, most, async (held, stopping) => {
    for (const one of held) await refresh(one, stopping);
  });
}

function asJobError(error: unknown): JobError {
  if (!(error instanceof Failure))
    return {
      code: 'INTERNAL',
      message: 'The repository could not be copied. See the log of the service.',
    };
  const { code, message, details } = error;
  return { code, message, ...(details && { details }) };
}
