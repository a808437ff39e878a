/**
 * The last part of a time is counted from when its first part was over: what arrived while this process did not get to run,
 * on a busy machine, is then taken before the wait is given up.
 */
const lastPartMs = 250;

/** Gives up after some time, unless it is told to stop. */
export function afterPatience(patienceMs: number, giveUp: () => void): () => void {
  const last = Math.min(lastPartMs, patienceMs / 2);
  let timer = setTimeout(() => {
    timer = setTimeout(giveUp, last);
  }, patienceMs - last);
  return () => clearTimeout(timer);
}

/** What some work gives, or what is said instead when it takes too long; that may be thrown, too. */
export function inTime<Result, Late>(
  work: Promise<Result>,
  patienceMs: number,
  tooLate: () => Late | PromiseLike<Late>,
): Promise<Result | Late> {
  const { promise, resolve, reject } = Promise.withResolvers<Result | Late>();
  const stop = afterPatience(patienceMs, () => {
    try {
      resolve(tooLate());
    } catch (error) {
      reject(error);
    }
  });
  work.then(resolve, reject);
  return promise.finally(stop);
}

/** What some work gives, or null when the signal is aborted before; the work goes on. */
export function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const leave = (): void => resolve(null);
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', leave));
}
