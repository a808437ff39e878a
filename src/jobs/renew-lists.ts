import type { BaseLogger } from 'pino';
import { renewListedRepositories } from '../actions/repositories/renew-listed-repositories.ts';
import { createFailureLogger } from './failure-logger.ts';

/** More often than hosts are asked, so that a machine that slept for days shows soon what its own folders have. */
const intervalMs = 20_000;

export interface ListRenewal {
  begin: () => void;
  /** Runs a round now; at most one runs at a time. */
  run: () => Promise<void>;
  stop: () => Promise<void>;
}

type Parts = Parameters<typeof renewListedRepositories>[0] & { log: BaseLogger };

/** Keeps lists showing what is still there to be shown, for as long as the service runs. */
export function renewLists({ log, ...parts }: Parts): ListRenewal {
  const logFailure = createFailureLogger(
    log,
    'what lists show could not be confirmed; it is tried again in 20 seconds',
  );
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  const run = (): Promise<void> => {
    running ??= renewListedRepositories(parts).finally(() => {
      running = null;
    });
    return running;
  };
  const round = (): void => {
    run().catch(logFailure);
  };
  return {
    begin() {
      round();
      timer = setInterval(round, intervalMs);
      timer.unref();
    },
    run,
    async stop() {
      if (timer) clearInterval(timer);
      await running?.catch(() => {});
    },
  };
}
