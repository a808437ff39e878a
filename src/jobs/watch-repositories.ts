import type { BaseLogger } from 'pino';
import { askAboutNext, type WatchingParts } from '../actions/watching/ask-about-watched.ts';
import { releaseAllWatched } from '../db/watched-repositories.ts';
import { createFailureLogger } from './failure-logger.ts';

/** Soon enough that who begins to watch sees something come of it. */
const lookMs = 5_000;

/** How many hosts or repositories are asked about at the same time: one that is slow holds up no other. */
const atOnce = 4;

export interface Watching {
  begin: () => void;
  /** Asks about everything that is due now. */
  run: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Hears what is merged in repositories that people watch, for as long as the service runs. */
export function watchRepositories({ log, ...parts }: WatchingParts & { log: BaseLogger }): Watching {
  const logFailure = createFailureLogger(log, 'asking what was merged failed; it is tried again in minutes');
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isReleased = parts.database.isShared;
  const release = async (): Promise<void> => {
    // What is claimed in a database that no other process has open was left behind by one that is gone.
    if (!isReleased) await releaseAllWatched(parts.database);
    isReleased = true;
  };
  const askAll = async (): Promise<void> => {
    try {
      while (!stopping.signal.aborted && (await askAboutNext(parts, stopping.signal)));
    } catch (error) {
      if (!stopping.signal.aborted) logFailure(error);
    }
  };
  const run = (): Promise<void> => {
    running ??= release()
      .then(() => Promise.all(Array.from({ length: atOnce }, askAll)))
      .then(() => {}, logFailure)
      .finally(() => {
        running = null;
      });
    return running;
  };
  return {
    begin() {
      run();
      timer = setInterval(run, lookMs);
      timer.unref();
    },
    run,
    async stop() {
      stopping.abort();
      if (timer) clearInterval(timer);
      await running;
    },
  };
}
