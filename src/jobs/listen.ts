import type { BaseLogger } from 'pino';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { notifyPublicChange } from '../db/articles.ts';
import { type Database, publicChannel } from '../db/database.ts';
import { isStorageFull } from '../db/failures.ts';
import { jobChannel } from '../db/job-queue.ts';
import { findJobVersions } from '../db/jobs.ts';
import { modelsChanged } from '../db/models.ts';
import { removalMessage } from '../db/removals.ts';
import { revocationChannel } from '../db/rights.ts';
import { currentClient } from '../domain/concurrency.ts';
import { isOver, type JobState, jobStates } from '../domain/jobs.ts';

/** Drops revoked tokens, whichever process learned about the revocation. */
export function listenForRevocations(
  database: Database,
  codeHosts: CodeHost[],
): Promise<() => Promise<void>> {
  return database.listen(revocationChannel, {
    onMessage: (message) => {
      const [host, hostUserId] = message.split(' ');
      codeHosts.find(({ id }) => id === host)?.forgetTokens?.(Number(hostUserId));
    },
    onListening: () => {
      for (const codeHost of codeHosts) codeHost.forgetTokens?.(null);
    },
  });
}

interface ChangeListener {
  invalidate: (thing: string) => void;
  clear: () => void;
  trust: (isTrusted: boolean) => void;
}

const heartbeatMs = 1_000;

/** After this many missed heartbeats in a row, a process counts as not listening; a busy one may miss a few. */
const mostMissedHeartbeats = 3;

/**
 * Forwards changes made by any process. The connection for notifications can break unnoticed, so each process listens
 * for its own heartbeat, and caches nothing while that is missing. While a local server is stopped, nothing changes.
 */
export async function listenForPublicChanges(
  database: Database,
  { cache, reloadModels }: { cache: ChangeListener; reloadModels: () => Promise<void> },
  log: BaseLogger,
): Promise<() => Promise<void>> {
  const own = crypto.randomUUID();
  let missedHeartbeats = 0;
  let isTrusted = true;

  const reload = () =>
    void reloadModels().catch((error) =>
      log.warn({ err: error }, 'the settings of models could not be read'),
    );

  const trust = (now: boolean): void => {
    if (now !== isTrusted) {
      const text = now
        ? 'listening for database changes again'
        : 'not listening for database changes; public pages are read from the database';
      log.warn(text);
    }
    isTrusted = now;
    cache.trust(now);
  };
  const stopListening = await database.listen(publicChannel, {
    onMessage: (message) => {
      if (message === own) {
        missedHeartbeats = 0;
        if (!isTrusted) trust(true);
        return;
      }
      if (message === modelsChanged) {
        cache.clear();
        reload();
        return;
      }
      // Repositories also send this when they become private, or rights to them are revoked.
      if (message.startsWith('repository:') || message === removalMessage) database.noteHidden();
      cache.invalidate(message);
      // The ranking contains titles, names and public articles, so all of these messages change it.
      if (message !== 'ranking') cache.invalidate('ranking');
    },
    onListening() {
      cache.clear();
      reload();
    },
    onReadOnly() {
      log.warn('the database has no primary; public pages are read from a standby, and nothing is written');
      trust(false);
    },
  });

  const beat = async (): Promise<void> => {
    if (database.isStopped()) return;
    if (isTrusted && missedHeartbeats >= mostMissedHeartbeats) trust(false);
    missedHeartbeats += 1;
    await notifyPublicChange(database, own).catch((error) => {
      // On a disk too full for a heartbeat, nothing that pages show can change.
      if (isStorageFull(error)) missedHeartbeats -= 1;
    });
  };
  const timer = setInterval(beat, heartbeatMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await stopListening();
  };
}

/** The polling interval if notifications are lost: no request waits longer. */
const pollMs = 2_000;

interface JobChange {
  version: number;
  state: JobState;
}

type OnChange = (change: JobChange) => void;

export interface JobWatch {
  watch: (jobId: string, onChange: OnChange) => () => void;
  watchQueue: (onQueued: () => void) => () => void;
  /** Settles when the job has ended, or with `waiting` when the signal is aborted or the service stops. */
  untilOver: (jobId: string, signal: AbortSignal) => Promise<'over' | 'waiting'>;
  /** Aborted when requests must no longer wait. */
  ending: AbortSignal;
  end: () => void;
  stop: () => Promise<void>;
}

export async function watchJobs(database: Database, log: BaseLogger): Promise<JobWatch> {
  const watchers = new Map<string, Set<OnChange>>();
  const queueWatchers = new Set<() => void>();
  const ending = new AbortController();

  const tell = (jobId: string, change: JobChange): void => {
    for (const onChange of watchers.get(jobId) ?? []) onChange(change);
  };
  const tellQueued = (): void => {
    for (const onQueued of queueWatchers) onQueued();
  };
  const poll = async (): Promise<void> => {
    if (watchers.size === 0) return;
    try {
      const found = await findJobVersions(database, [...watchers.keys()]);
      for (const { id, version, state } of found) tell(id, { version, state });
    } catch (error) {
      log.warn({ err: error }, 'checking jobs failed; retrying in a moment');
    }
  };
  const stopListening = await database.listen(jobChannel, {
    onMessage: (message) => {
      const [id = '', version, state] = message.split(' ');
      const known = jobStates.find((one) => one === state);
      if (known) tell(id, { version: Number(version), state: known });
      if (known === 'queued') tellQueued();
    },
    onListening: () => {
      void poll();
      tellQueued();
    },
  });
  const timer = setInterval(poll, pollMs);
  timer.unref();

  const watch: JobWatch['watch'] = (jobId, onChange) => {
    const others = watchers.get(jobId) ?? new Set();
    watchers.set(jobId, others.add(onChange));
    return () => {
      others.delete(onChange);
      if (others.size === 0 && watchers.get(jobId) === others) watchers.delete(jobId);
    };
  };

  return {
    watch,
    watchQueue(onQueued) {
      queueWatchers.add(onQueued);
      return () => queueWatchers.delete(onQueued);
    },
    ending: ending.signal,
    end: () => ending.abort(),
    async untilOver(jobId, signal) {
      currentClient().letNextBegin();
      const either = AbortSignal.any([signal, ending.signal]);
      const { promise, resolve } = Promise.withResolvers<'over' | 'waiting'>();
      const giveUp = (): void => resolve('waiting');
      const unwatch = watch(jobId, ({ state }) => {
        if (isOver(state)) resolve('over');
      });
      either.addEventListener('abort', giveUp);
      try {
        // The job may have ended before its notifications were awaited.
        const [now] = await findJobVersions(database, [jobId]);
        if (!now || isOver(now.state)) return 'over';
        return either.aborted ? 'waiting' : await promise;
      } finally {
        unwatch();
        either.removeEventListener('abort', giveUp);
      }
    },
    async stop() {
      ending.abort();
      clearInterval(timer);
      await stopListening().catch(() => {});
    },
  };
}
