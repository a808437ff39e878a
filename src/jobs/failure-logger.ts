import type { BaseLogger } from 'pino';
import { isStorageFull } from '../db/failures.ts';

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
