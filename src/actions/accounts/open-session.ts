import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Database, Queries } from '../../db/database.ts';
import { acceptTokenAgain, refuseToken, type Session } from '../../db/sessions.ts';
import { saveIdentity } from '../../db/users.ts';
import { Failure } from '../../domain/errors.ts';
import type { Identity } from '../../domain/identity.ts';
import { createSession } from './create-session.ts';
import type { Viewer } from './identify-bearer.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  clock: () => Date;
}

/** Signing in waits no longer for a new name or picture. */
const patienceMs = 2_000;

/**
 * Opens a session for the holder of a token of a code host or of the identity provider. The session token exists only in
 * what this returns.
 */
export async function openSession(
  { database, codeHosts, clock }: Parts,
  { identity, credential }: Viewer,
): Promise<{ session: Session; accessToken: string }> {
  if (credential.kind === 'session') {
    throw new Failure(
      'FORBIDDEN',
      'A session cannot open another one. Present the token of your code host instead.',
    );
  }
  const now = clock();
  const current = credential.kind === 'jwt' ? await asOnHost(codeHosts, identity) : identity;
  return database.transaction(async (tx) => {
    if (credential.kind === 'hostToken') await useHostToken(tx, credential);
    const identityId = await saveIdentity(tx, current, now);
    return createSession(tx, { identityId, now });
  });
}

/** A token that works once and has done so opens nothing any more. */
export function requireUnused({ credential }: Viewer): void {
  if (credential.kind === 'hostToken' && credential.singleUse && credential.refused) throw usedUp();
}

/** An identity provider does not tell what the user is called on the code host; that may have changed. */
async function asOnHost(codeHosts: CodeHost[], identity: Identity): Promise<Identity> {
  const codeHost = codeHosts.find(({ id }) => id === identity.host);
  const asked = codeHost?.findAccount(identity.hostUserId, AbortSignal.timeout(patienceMs));
  return (await asked?.catch(() => null)) ?? identity;
}

async function useHostToken(
  tx: Queries,
  { singleUse, tokenHash, expiresAt }: Extract<Viewer['credential'], { kind: 'hostToken' }>,
): Promise<void> {
  if (!singleUse) await acceptTokenAgain(tx, tokenHash);
  else if (!(await refuseToken(tx, tokenHash, expiresAt))) throw usedUp();
}

function usedUp(): Failure {
  return new Failure(
    'UNAUTHORIZED',
    'This sign-in link was used already. Start the service again for a new one, or have a token made for you.',
  );
}
