import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The share of the time that background jobs need when nobody uses the service is far below this. */
const idleShare = 0.05;

const worthwhileBytes = 24 * 1024 * 1024;

/**
 * Gives memory back to the system while the service is idle. V8 keeps most of what it took under load, such as 130 MB
 * for new objects, until it needs memory again, which an idle service never does.
 */
export function returnMemoryWhenIdle(lookMs = 5_000): void {
  setFlagsFromString('--expose-gc');
  const collect: (options: { type: 'major'; flavor: 'last-resort' }) => void = runInNewContext('gc');
  let leastBytes = 0;
  let before = performance.eventLoopUtilization();
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const bytes = process.memoryUsage.rss();
    leastBytes = Math.min(leastBytes, bytes);
    if (utilization > idleShare || bytes < leastBytes + worthwhileBytes) return;
    collect({ type: 'major', flavor: 'last-resort' });
    leastBytes = process.memoryUsage.rss();
  };
  setInterval(look, lookMs).unref();
}
