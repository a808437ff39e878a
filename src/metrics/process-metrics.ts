import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import type { Exposition } from './exposition.ts';

/** How often the lag of the event loop is looked at. */
const lookMs = 500;

/** What the process itself takes and how busy it is. Returns how that is brought up to now. */
export function createProcessMetrics(exposition: Exposition): () => void {
  const settleMemory = describeMemory(exposition);
  const settleEventLoop = describeEventLoop(exposition);
  observeCollections(exposition);
  const cpu = exposition.counter('process_cpu_seconds_total', 'Processor time that the process has had.');
  const started = exposition.gauge('process_start_time_seconds', 'When the process began, as Unix time.');
  started.set(performance.timeOrigin / 1000);
  return () => {
    settleMemory();
    settleEventLoop();
    const { user, system } = process.cpuUsage();
    cpu.reset();
    cpu.inc((user + system) / 1e6);
  };
}

function describeMemory(exposition: Exposition): () => void {
  const resident = exposition.gauge('process_resident_memory_bytes', 'Memory that the process takes.');
  const used = exposition.gauge('nodejs_heap_size_used_bytes', 'The part of the heap that is used.');
  const total = exposition.gauge('nodejs_heap_size_total_bytes', 'How large the heap is.');
  const external = exposition.gauge(
    'nodejs_external_memory_bytes',
    'Memory of buffers, outside of the heap.',
  );
  return () => {
    const memory = process.memoryUsage();
    resident.set(memory.rss);
    used.set(memory.heapUsed);
    total.set(memory.heapTotal);
    external.set(memory.external);
  };
}

/** A timer of our own, twice a second: Node's monitor of delays wakes the process far more often. */
function describeEventLoop(exposition: Exposition): () => void {
  let before = performance.eventLoopUtilization();
  let longest = 0;
  let due = performance.now() + lookMs;
  setInterval(() => {
    longest = Math.max(longest, performance.now() - due);
    due = performance.now() + lookMs;
  }, lookMs).unref();
  const utilization = exposition.gauge(
    'nodejs_eventloop_utilization',
    'How busy the event loop was since the last scrape, 0 to 1.',
  );
  const lag = exposition.gauge('nodejs_eventloop_lag_max_seconds', 'The longest of its delays since then.');
  return () => {
    const now = performance.eventLoopUtilization();
    utilization.set(performance.eventLoopUtilization(now, before).utilization);
    lag.set(longest / 1000);
    before = now;
    longest = 0;
  };
}

/** Named as other programs of Node name them. */
const kinds = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
]);

/** Observing one costs about 0.1 ms, and a busy process has a few tens per second. */
function observeCollections(exposition: Exposition): void {
  const durations = exposition.histogram({
    name: 'nodejs_gc_duration_seconds',
    help: 'How long the collections of garbage took, by kind.',
    labels: ['kind'],
    bounds: [0.001, 0.01, 0.1, 1, 2, 5],
  });
  const observer = new PerformanceObserver((collected) => {
    for (const entry of collected.getEntries())
      durations.series([kindOf(entry)]).observe(entry.duration / 1000);
  });
  observer.observe({ entryTypes: ['gc'] });
}

function kindOf(entry: PerformanceEntry): string {
  const detail = 'detail' in entry ? entry.detail : null;
  const kind = typeof detail === 'object' && detail && 'kind' in detail ? Number(detail.kind) : -1;
  return kinds.get(kind) ?? 'other';
}

interface OwnFigures {
  inUse: number;
  waiting: number;
  cacheBytes: number;
  diskFreeBytes: number;
  /** How many questions each host still answers the service within its limit; null where it has not said so. */
  hostLimits: { host: string; left: number | null }[];
}

export interface StoredFigures {
  isFull: boolean;
  queue: { kind: string; waiting: number; running: number; oldestSeconds: number }[];
  watches: { state: string; count: number }[];
  watchLagSeconds: number;
}

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
    'How overdue the poll of the most overdue repository is.',
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
