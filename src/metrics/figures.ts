import type { Exposition } from './exposition.ts';

/** What this process knows without asking anything. */
interface OwnFigures {
  inUse: number;
  waiting: number;
  cacheBytes: number;
  diskFreeBytes: number;
  /** How many questions each host still answers the service within its limit; null where it has not said so. */
  hostLimits: { host: string; left: number | null }[];
}

/** What the database tells. */
export interface StoredFigures {
  isFull: boolean;
  queue: { kind: string; waiting: number; running: number; oldestSeconds: number }[];
  watches: { state: string; count: number }[];
  watchLagSeconds: number;
}

/** Gauges that are set when they are looked at. */
export function createFigures(exposition: Exposition) {
  const setOwn = describeOwn(exposition);
  const setStored = describeStored(exposition);
  const up = exposition.gauge('database_up', 'Whether the database has answered: 1, or 0 where it is away.');
  return (own: OwnFigures, stored: StoredFigures | null): void => {
    setOwn(own);
    up.set(stored ? 1 : 0);
    setStored(stored);
  };
}

function describeOwn(exposition: Exposition): (own: OwnFigures) => void {
  const inUse = exposition.gauge('database_connections_in_use', 'Connections in use.');
  const waiting = exposition.gauge(
    'database_waiting',
    'Statements and transactions that wait for a connection.',
  );
  const cacheBytes = exposition.gauge('cache_bytes', 'Memory that answers take which are kept ready.');
  const disk = exposition.gauge('disk_free_bytes', 'Room that is left on the disk of the data folder.');
  const limits = exposition.gauge(
    'host_limit_left',
    'Questions that a code host still answers the service in this hour, by its last word.',
    ['host'],
  );
  return (own) => {
    inUse.set(own.inUse);
    waiting.set(own.waiting);
    cacheBytes.set(own.cacheBytes);
    disk.set(own.diskFreeBytes);
    limits.reset();
    for (const { host, left } of own.hostLimits) if (left !== null) limits.set({ host }, left);
  };
}

/** While the database does not answer there are no such gauges: those of before would look like those of now. */
function describeStored(exposition: Exposition): (stored: StoredFigures | null) => void {
  const jobs = exposition.gauge(
    'queue_jobs',
    'What is to be written, by kind: waiting or running; 10,000 at most.',
    ['kind', 'state'],
  );
  const oldest = exposition.gauge(
    'queue_oldest_seconds',
    'How long the oldest of those that wait has waited.',
    ['kind'],
  );
  const watches = exposition.gauge('watches', 'Watches: active, or why they are paused; 10,000 at most.', [
    'state',
  ]);
  const lag = exposition.gauge(
    'watch_lag_seconds',
    'How late the repository is that is due longest to be asked about.',
  );
  const refused = exposition.gauge('storage_refused', 'Whether storing is refused because the disk is full.');
  return (stored) => {
    for (const gauge of [jobs, oldest, watches]) gauge.reset();
    lag.remove();
    refused.remove();
    if (!stored) return;
    for (const { kind, waiting, running, oldestSeconds } of stored.queue) {
      jobs.set({ kind, state: 'waiting' }, waiting);
      jobs.set({ kind, state: 'running' }, running);
      oldest.set({ kind }, oldestSeconds);
    }
    for (const { state, count } of stored.watches) watches.set({ state }, count);
    lag.set(stored.watchLagSeconds);
    refused.set(stored.isFull ? 1 : 0);
  };
}
