import type { Database } from '../db/database.ts';
import { acceptTokenAgain, refuseToken, type Session } from '../db/sessions.ts';
import { saveIdentity } from '../db/users.ts';
import { Failure } from '../domain/errors.ts';
import { createSession } from './create-session.ts';
import type { Viewer } from './identify-bearer.ts';

interface Parts {
  database: Database;
  clock: () => Date;
}

/** Opens a session for the holder of a code-host token. The session token exists only in what this returns. */
export async function openSession(
  { database, clock }: Parts,
  { identity, credential }: Viewer,
): Promise<{ session: Session; accessToken: string }> {
  if (credential.kind === 'session') {
    throw new Failure(
      'FORBIDDEN',
      'A session cannot open another one. Present the token of your code host instead.',
    );
  }
  const now = clock();
  return database.transaction(async (tx) => {
    if (!credential.singleUse) await acceptTokenAgain(tx, credential.tokenHash);
    else if (!(await refuseToken(tx, credential.tokenHash, credential.expiresAt))) throw usedUp();
    const identityId = await saveIdentity(tx, identity, now);
    return createSession(tx, { identityId, now });
  });
}

function usedUp(): Failure {
  return new Failure(
    'UNAUTHORIZED',
    'This sign-in link was used already. Start the service again for a new one, or have a token made for you.',
  );
}
