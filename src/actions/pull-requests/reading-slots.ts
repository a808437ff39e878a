import type { ReleaseSlotWhile } from '../../code-hosts/code-host.ts';
import type { Semaphore } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';

/** How many of something there may be at once, and of one user, so that one user keeps no other out. */
const slots = {
  texts: { most: 8, ofUser: 2 },
  diffs: { most: 4, ofUser: 2 },
  /** What may take a quarter of an hour to fetch has slots of its own. */
  releaseSlotWhile: { most: 3, ofUser: 1 },
};

const patienceMs = 5 * 60 * 1000;

/** Waits for a place, which is left by calling what is returned. */
export async function acquireSlot(
  semaphore: Semaphore,
  kind: keyof typeof slots,
  userId: string | null,
): Promise<() => void> {
  const { most, ofUser } = slots[kind];
  const shares = [
    { of: kind, most },
    { of: `${kind} of ${userId ?? 'anonymous'}`, most: ofUser },
  ];
  try {
    return await semaphore.acquire(shares, AbortSignal.timeout(patienceMs));
  } catch (cause) {
    const message = 'So many pull requests are being fetched that this one had to wait too long. Try again.';
    throw new Failure('UNAVAILABLE', message, { cause });
  }
}

/** A slot for a diff, which other requests have while `releaseSlotWhile` runs. */
export async function acquireDiffSlot(
  semaphore: Semaphore,
  userId: string | null,
): Promise<{ leave: () => void; releaseSlotWhile: ReleaseSlotWhile }> {
  let leave = await acquireSlot(semaphore, 'diffs', userId);
  return {
    leave: () => leave(),
    async releaseSlotWhile(work) {
      leave();
      const comeBack = await acquireSlot(semaphore, 'releaseSlotWhile', userId);
      const done = await work().finally(comeBack);
      leave = await acquireSlot(semaphore, 'diffs', userId);
      return done;
    },
  };
}
