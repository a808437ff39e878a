import type { BaseLogger } from 'pino';
import type { Database } from '../db/database.ts';
import { publicChannel, sayPublicly } from '../db/public-changes.ts';

/** What is told of changes to what public pages show. */
export interface ChangeHearer {
  drop: (thing: string) => void;
  clear: () => void;
  trust: (isTrusted: boolean) => void;
}

/** How often a process says something to itself, to know that it still hears. */
const soundCheckMs = 1_000;

/** Not having heard itself this many times in a row, it takes itself for deaf. Being busy for long is not being deaf. */
const mostUnheard = 3;

/**
 * Passes on what other processes, and this one, have changed. On a server the connection on which changes are heard can break
 * unnoticed: each process therefore listens for its own voice, and trusts nothing while it is gone.
 */
export async function hearPublicChanges(
  database: Database,
  hearer: ChangeHearer,
  log: BaseLogger,
): Promise<() => Promise<void>> {
  const own = crypto.randomUUID();
  let unheard = 0;
  let isTrusted = true;

  const trust = (now: boolean): void => {
    if (now !== isTrusted) {
      const text = now
        ? 'changes are heard again'
        : 'changes are not heard; public pages are read from the database';
      log.warn(text);
    }
    isTrusted = now;
    hearer.trust(now);
  };
  const stopListening = await database.listen(publicChannel, {
    onMessage: (message) => {
      if (message === own) {
        unheard = 0;
        if (!isTrusted) trust(true);
        return;
      }
      hearer.drop(message);
      // A ranking shows titles, names and whatever is public; all of these change it.
      if (message !== 'ranking') hearer.drop('ranking');
    },
    onListening: () => hearer.clear(),
  });
  if (!database.isShared) return stopListening;

  const check = async (): Promise<void> => {
    if (isTrusted && unheard >= mostUnheard) trust(false);
    unheard += 1;
    await sayPublicly(database, own).catch(() => {});
  };
  const timer = setInterval(check, soundCheckMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await stopListening();
  };
}
