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
    'How busy the event loop was since it was last asked, 0 to 1.',
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

/** Each one costs some 0.1 ms to be told of, and there are no more than a few tens in a second of full work. */
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
