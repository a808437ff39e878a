import type { Logger } from 'pino';
import type { App } from '../app.ts';

/** Requests in flight get this long to finish once the service is told to stop. */
const patienceMs = 8_000;

/** Whatever still hangs then, a disk included, keeps the process no longer; what was acknowledged is stored. */
const lastPatienceMs = 15_000;

/** Lets a proxy notice, finishes what is in flight, and does not wait for clients that never finish. */
export function endOnSignals(app: App, log: Logger, noticeMs: number): void {
  let stopping: number | null = null;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.warn('some requests did not finish in time; ending without them');
      app.server.server.closeAllConnections();
    }, noticeMs + patienceMs).unref();
    setTimeout(() => {
      log.error('stopping takes too long; ending at once');
      // Ending in an orderly way would wait for threads, and one that hangs in a system call never ends.
      process.kill(process.pid, 'SIGKILL');
    }, noticeMs + lastPatienceMs).unref();
    await app.server.drain(noticeMs);
    await app.close();
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A terminal signals the whole group and npm passes it on: twice at once is once.
      if (stopping !== null && Date.now() - stopping > 1_000) process.exit(1);
      if (stopping !== null) return;
      stopping = Date.now();
      stop(signal).catch((error) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      });
    });
  }
}
