import { ModelFailure } from './model-failure.ts';

/** So many failures in a row are no accident. */
const failuresToOpen = 5;

const firstPauseMs = 30_000;
const longestPauseMs = 10 * 60_000;

/** Makes a call, or refuses to. */
type Breaker = <Result>(call: () => Promise<Result>) => Promise<Result>;

/**
 * Leaves a model alone that keeps failing: for half a minute, then twice as long each time that the one call fails that is
 * let through to see whether it is well again.
 */
export function createBreaker(clock: () => Date): Breaker {
  let failures = 0;
  let pauseMs = 0;
  let openUntil = 0;
  let isProbing = false;

  const note = (failure: ModelFailure | null, isProbe: boolean): void => {
    if (failure === null || !isTrouble(failure)) {
      failures = 0;
      pauseMs = 0;
      return;
    }
    failures += 1;
    // What was under way when it opened tells nothing new.
    if (pauseMs > 0 && !isProbe) return;
    if (pauseMs === 0 && failures < failuresToOpen && failure.reason !== 'badKey') return;
    pauseMs = pauseMs === 0 ? firstPauseMs : Math.min(longestPauseMs, pauseMs * 2);
    openUntil = clock().getTime() + pauseMs;
  };

  return async (call) => {
    const restMs = pauseMs === 0 ? 0 : openUntil - clock().getTime();
    if (restMs > 0 || isProbing) {
      throw new ModelFailure('breakerOpen', { retryAfterMs: restMs > 0 ? restMs : firstPauseMs });
    }
    const isProbe = pauseMs > 0;
    isProbing = isProbe;
    try {
      const result = await call();
      note(null, isProbe);
      return result;
    } catch (error) {
      if (error instanceof ModelFailure) note(error, isProbe);
      throw error;
    } finally {
      if (isProbe) isProbing = false;
    }
  };
}

/** Whether the model is out of order, and not only this request. */
function isTrouble({ reason, isTransient }: ModelFailure): boolean {
  return isTransient || ['timeout', 'badKey', 'unknownModel', 'spendLimit'].includes(reason);
}
