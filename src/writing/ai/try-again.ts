import { ModelFailure } from './model-failure.ts';

/** What to wait before the second try and the third, which is the last, where the other side does not say. */
const pausesMs = [2_000, 8_000];

/** A provider that asks for a longer pause gets it: clients that wait for the article are told to come back instead. */
const longestPauseMs = 60_000;

/** Makes a call again that failed for reasons that pass, after as long as the other side asks for. */
export async function tryAgain<Result>(
  call: () => Promise<Result>,
  wait: (ms: number) => Promise<void>,
): Promise<Result> {
  for (const pauseMs of pausesMs) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ModelFailure) || !error.isTransient) throw error;
      const { retryAfterMs = pauseMs } = error;
      if (retryAfterMs > longestPauseMs) throw error;
      await wait(retryAfterMs);
    }
  }
  return call();
}
