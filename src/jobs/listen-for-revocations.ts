import type { CodeHost } from '../code-hosts/code-host.ts';
import type { Database } from '../db/database.ts';
import { revocationChannel } from '../db/rights.ts';

/** Has hosts asked anew about tokens whose owner took them back, whichever process heard of that. */
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
