import type { BaseLogger } from 'pino';
import { isStorageFull } from '../db/failures.ts';

export interface IntervalWork {
  begin: () => void;
  /** Does everything that is due now; one round at a time; callers meanwhile wait for it. */
  run: () => Promise<void>;
  stop: () => Promise<void>;
}

interface Rounds {
  round: () => Promise<void>;
  everyMs: number;
  onFailure: (error: unknown) => void;
  /** Has a round that is running end early. */
  onStop: () => void;
}

/** A round at once and then at each interval, unless one is still running, until it is stopped. */
export function runAtIntervals({ round, everyMs, onFailure, onStop }: Rounds): IntervalWork {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  const run = (): Promise<void> => {
    running ??= round()
      .catch(onFailure)
      .finally(() => {
        running = null;
      });
    return running;
  };
  return {
    begin() {
      run();
      timer = setInterval(run, everyMs);
      timer.unref();
    },
    run,
    async stop() {
      onStop();
      if (timer) clearInterval(timer);
      await running;
    },
  };
}

export interface BackgroundWork {
  begin: () => void;
  stop: () => Promise<void>;
}

interface RepeatedRounds {
  /** Does a little of the work; whether more is to be done at once. A round that fails is followed by one later. */
  round: () => Promise<boolean>;
  onFailure: (error: unknown) => void;
  busyMs: number;
  idleMs: number;
}

/** One round after another, soon while there is work and rarely where there is none, until it is stopped. */
export function repeatInBackground({ round, onFailure, busyMs, idleMs }: RepeatedRounds): BackgroundWork {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isStopped = false;

  const runOnce = async (): Promise<void> => {
    const isBusy = await round().catch((error: unknown) => {
      onFailure(error);
      return false;
    });
    if (isStopped) return;
    timer = setTimeout(run, isBusy ? busyMs : idleMs);
    timer.unref();
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

/** How long a disk may stay full before the log is told again. */
const silenceMs = 10 * 60_000;

/**
 * Tells the log what went wrong in the background. That there is no room is told once in a while, however often it is met
 * with: lines about a full disk would be the last to help it.
 */
export function createFailureLogger(log: BaseLogger, text: string): (error: unknown) => void {
  let silentUntil = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (!isStorageFull(error)) {
      log.error({ err: error }, text);
    } else if (performance.now() >= silentUntil) {
      silentUntil = performance.now() + silenceMs;
      log.error(`${text}: there is no room left on the disk`);
    }
  };
}
