import type { BaseLogger } from 'pino';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { notifyPublicChange, publicChannel } from '../db/articles.ts';
import type { Database } from '../db/database.ts';
import { isStorageFull } from '../db/failures.ts';
import { revocationChannel } from '../db/rights.ts';

/** Forgets revoked tokens, whichever process learned about the revocation. */
export function listenForRevocations(
  database: Database,
  codeHosts: CodeHost[],
): Promise<() => Promise<void>> {
  return database.listen(revocationChannel, {
    onMessage: (message) => {
      const [host, hostUserId] = message.split(' ');
      codeHosts.find(({ id }) => id === host)?.forgetTokens?.(Number(hostUserId));
    },
    onListening: () => {
      for (const codeHost of codeHosts) codeHost.forgetTokens?.(null);
    },
  });
}

interface ChangeListener {
  invalidate: (thing: string) => void;
  clear: () => void;
  trust: (isTrusted: boolean) => void;
}

/** How often a process notifies itself, to know that it is still listening. */
const heartbeatMs = 1_000;

/** After this many in a row it is taken not to be listening; one that is busy for long may miss a few. */
const mostMissedHeartbeats = 3;

/**
 * Passes on what other processes, and this one, have changed. The connection on which changes are heard can break unnoticed:
 * each process therefore listens for a heartbeat of its own, and trusts nothing while that is missing. While a local server is
 * stopped, nothing changes.
 */
export async function listenForPublicChanges(
  database: Database,
  listener: ChangeListener,
  log: BaseLogger,
): Promise<() => Promise<void>> {
  const own = crypto.randomUUID();
  let missedHeartbeats = 0;
  let isTrusted = true;

  const trust = (now: boolean): void => {
    if (now !== isTrusted) {
      const text = now
        ? 'changes are heard again'
        : 'changes are not heard; public pages are read from the database';
      log.warn(text);
    }
    isTrusted = now;
    listener.trust(now);
  };
  const stopListening = await database.listen(publicChannel, {
    onMessage: (message) => {
      if (message === own) {
        missedHeartbeats = 0;
        if (!isTrusted) trust(true);
        return;
      }
      listener.invalidate(message);
      // A ranking shows titles, names and whatever is public; all of these change it.
      if (message !== 'ranking') listener.invalidate('ranking');
    },
    onListening: () => listener.clear(),
  });

  const beat = async (): Promise<void> => {
    if (database.isStopped()) return;
    if (isTrusted && missedHeartbeats >= mostMissedHeartbeats) trust(false);
    missedHeartbeats += 1;
    await notifyPublicChange(database, own).catch((error) => {
      // While not even this can be stored, nothing that pages show can change.
      if (isStorageFull(error)) missedHeartbeats -= 1;
    });
  };
  const timer = setInterval(beat, heartbeatMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await stopListening();
  };
}
