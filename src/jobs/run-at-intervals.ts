export interface IntervalWork {
  begin: () => void;
  /** Does everything that is due now; one round at a time, which whoever asks meanwhile waits for. */
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
