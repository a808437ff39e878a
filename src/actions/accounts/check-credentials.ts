import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { areSessionsLive, areTokensRefused } from '../../db/sessions.ts';
import { batchReads } from '../../domain/batch-reads.ts';
import type { Viewer } from './identify-bearer.ts';
import type { Revocations } from './log-out.ts';

interface Parts {
  database: Database;
  revocations: Revocations;
  codeHosts: CodeHost[];
  clock: () => Date;
}

/**
 * Tells whether a credential that was presented some time ago would still be accepted: it has not expired, was not logged out
 * on any process, and its host still vouches for it. Concurrent checks share one query.
 */
export function checkCredentials({
  database,
  revocations,
  codeHosts,
  clock,
}: Parts): (viewer: Viewer) => Promise<boolean> {
  const isLive = batchReads((sessionIds: string[]) => areSessionsLive(database, sessionIds, clock()));
  const isRefused = batchReads((tokenHashes: string[]) => areTokensRefused(database, tokenHashes));
  const isVouchedFor = async (host: string, token: string): Promise<boolean> =>
    Boolean(await codeHosts.find(({ id }) => id === host)?.identify(token));
  return async ({ identity, credential }) => {
    if (credential.kind === 'session')
      return !revocations.isPending(credential.session.id) && isLive(credential.session.id);
    const { kind, expiresAt, tokenHash } = credential;
    if (expiresAt && expiresAt <= clock()) return false;
    if (kind === 'hostToken' && !(await isVouchedFor(identity.host, credential.token))) return false;
    return !revocations.isPending(tokenHash) && !(await isRefused(tokenHash));
  };
}
