import type { BaseLogger } from 'pino';
import { type PollDeps, pollNextRepository } from '../actions/watching/poll-repositories.ts';
import { createFailureLogger } from './failure-logger.ts';
import { type IntervalWork, runAtIntervals } from './run-at-intervals.ts';

/** Soon enough that who begins to watch sees something come of it. */
const lookMs = 5_000;

/** How many hosts or repositories are asked about at the same time: one that is slow holds up no other. */
const atOnce = 4;

/** Hears what is merged in repositories that people watch, for as long as the service runs. */
export function watchRepositories({ log, ...parts }: PollDeps & { log: BaseLogger }): IntervalWork {
  const logFailure = createFailureLogger(log, 'asking what was merged failed; it is tried again in minutes');
  const stopping = new AbortController();
  const askAll = async (): Promise<void> => {
    try {
      while (!stopping.signal.aborted && (await pollNextRepository(parts, stopping.signal)));
    } catch (error) {
      if (!stopping.signal.aborted) logFailure(error);
    }
  };
  const round = async (): Promise<void> => {
    await Promise.all(Array.from({ length: atOnce }, askAll));
  };
  return runAtIntervals({ round, everyMs: lookMs, onFailure: logFailure, onStop: () => stopping.abort() });
}
