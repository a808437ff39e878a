export interface BackgroundWork {
  begin: () => void;
  stop: () => Promise<void>;
}

interface Rounds {
  /** Does a little of the work; whether more is to be done at once. A round that fails is followed by one later. */
  round: () => Promise<boolean>;
  onFailure: (error: unknown) => void;
  busyMs: number;
  idleMs: number;
}

/** One round after another, soon while there is work and rarely where there is none, until it is stopped. */
export function repeatInBackground({ round, onFailure, busyMs, idleMs }: Rounds): BackgroundWork {
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
