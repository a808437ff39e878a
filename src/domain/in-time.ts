/** What some work gives, or what is said instead when it takes too long; that may be thrown, too. */
export function inTime<Result, Late>(
  work: Promise<Result>,
  patienceMs: number,
  tooLate: () => Late,
): Promise<Result | Late> {
  const { promise, resolve, reject } = Promise.withResolvers<Result | Late>();
  const timer = setTimeout(() => {
    try {
      resolve(tooLate());
    } catch (error) {
      reject(error);
    }
  }, patienceMs);
  work.then(resolve, reject);
  return promise.finally(() => clearTimeout(timer));
}
