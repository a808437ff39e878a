export const tooLate = Symbol('too late');

/** What comes of some work, unless it takes longer than somebody waits. The work itself goes on. */
export async function inTime<Value>(
  work: Promise<Value>,
  patienceMs: number,
): Promise<Value | typeof tooLate> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<typeof tooLate>((resolve) => {
    timer = setTimeout(() => resolve(tooLate), patienceMs);
  });
  return Promise.race([work, end]).finally(() => clearTimeout(timer));
}
