import type { Database } from '../../db/database.ts';
import { refuseToken, revokeSession } from '../../db/sessions.ts';
import type { Viewer } from './identify-bearer.ts';

interface Parts {
  database: Database;
  clock: () => Date;
}

/** Ends exactly the credential that was presented, and returns when. */
export async function logOut({ database, clock }: Parts, { credential }: Viewer): Promise<Date> {
  const now = clock();
  if (credential.kind === 'session') {
    const { id, identityId } = credential.session;
    await revokeSession(database, { sessionId: id, identityId, now });
  } else {
    await refuseToken(database, credential.tokenHash, credential.expiresAt);
  }
  return now;
}
