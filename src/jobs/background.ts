import type { BaseLogger } from 'pino';
import { isStorageFull } from '../db/failures.ts';

export interface BackgroundWork {
  begin: () => void;
  stop: () => Promise<void>;
}

export interface IntervalWork extends BackgroundWork {
  /** Does everything that is due now, one round at a time: callers share the one that is running. */
  run: () => Promise<void>;
}

interface Rounds {
  round: (stopping: AbortSignal) => Promise<void>;
  everyMs: number;
  log: BaseLogger;
  failure: string;
}

/** A round at once and then at each interval, unless one is still running, until it is stopped. */
export function runAtIntervals({ round, everyMs, log, failure }: Rounds): IntervalWork {
  const logFailure = createFailureLogger(log, failure);
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  const run = (): Promise<void> => {
    running ??= round(stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) logFailure(error);
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
  return {
    begin() {
      run();
      timer = setInterval(run, everyMs).unref();
    },
    run,
    async stop() {
      stopping.abort();
      if (timer) clearInterval(timer);
      await running;
    },
  };
}

interface RepeatedRounds extends Pick<Rounds, 'log' | 'failure'> {
  /** Does a little of the work, and says whether there is more. */
  round: () => Promise<boolean>;
  busyMs: number;
  idleMs: number;
}

/** One round after another, soon while there is work and rarely while there is none, until it is stopped. */
export function repeatInBackground({ round, busyMs, idleMs, log, failure }: RepeatedRounds): BackgroundWork {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isStopped = false;
  const runOnce = async (): Promise<void> => {
    const isBusy = await round().catch((error: unknown) => {
      log.warn({ err: error }, failure);
      return false;
    });
    if (!isStopped) timer = setTimeout(run, isBusy ? busyMs : idleMs).unref();
  };
  const run = (): void => {
    running = runOnce();
  };
  return {
    begin: run,
    async stop() {
      isStopped = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}

/** How often the log mentions a disk that stays full: more lines would not help it. */
const toleratedSilenceMs = 10 * 60_000;

export function createFailureLogger(log: BaseLogger, text: string): (error: unknown) => void {
  let silentUntil = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (!isStorageFull(error)) {
      log.error({ err: error }, text);
    } else if (performance.now() >= silentUntil) {
      silentUntil = performance.now() + toleratedSilenceMs;
      log.error(`${text}: the disk is full`);
    }
  };
}
