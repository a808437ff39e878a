import type { Aside } from '../../code-hosts/code-host.ts';
import { Failure } from '../../domain/errors.ts';
import type { Gate } from '../../domain/gate.ts';

/** How many of something there may be at once, and of one user, so that theirs keep nobody out. */
const places = {
  /** What was said about pull requests, which is a few megabytes for some. */
  words: { most: 8, ofUser: 2 },
  diffs: { most: 4, ofUser: 2 },
  /** What may take a quarter of an hour to fetch takes nobody's place but that of others like it. */
  aside: { most: 3, ofUser: 1 },
};

/** As long as the largest diff may take. */
const patienceMs = 5 * 60 * 1000;

/** Waits for a place, which is left by calling what is returned. */
export async function takePlace(
  gate: Gate,
  kind: keyof typeof places,
  userId: string | null,
): Promise<() => void> {
  const { most, ofUser } = places[kind];
  const shares = [
    { of: kind, most },
    { of: `${kind} of ${userId ?? 'nobody'}`, most: ofUser },
  ];
  try {
    return await gate.enter(shares, AbortSignal.timeout(patienceMs));
  } catch (cause) {
    const message = 'So many pull requests are being fetched that this one had to wait too long. Try again.';
    throw new Failure('UNAVAILABLE', message, { cause });
  }
}

/** A place for a diff, which others have while something is done aside. */
export async function takeDiffPlace(
  gate: Gate,
  userId: string | null,
): Promise<{ leave: () => void; aside: Aside }> {
  let leave = await takePlace(gate, 'diffs', userId);
  return {
    leave: () => leave(),
    async aside(work) {
      leave();
      const comeBack = await takePlace(gate, 'aside', userId);
      const done = await work().finally(comeBack);
      leave = await takePlace(gate, 'diffs', userId);
      return done;
    },
  };
}
