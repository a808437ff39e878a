import type { CodeHost, GrantedToken } from '../../code-hosts/code-host.ts';
import type { Queries } from '../../db/database.ts';
import { deleteHostToken, type SavedHostToken, saveHostToken, saveIdentity } from '../../db/users.ts';
import type { Identity } from '../../domain/accounts.ts';
import { Failure } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { type HeldTokens, revokeQuietly, sealHostToken, unsealHostToken } from './saved-tokens.ts';

/** Saves a token for an identity, in place of whichever there was. */
export async function storeHostToken(
  tx: Queries,
  { secretKeys, clock }: Pick<Deps, 'secretKeys' | 'clock'>,
  { identityId, host, tokens }: { identityId: string; host: string; tokens: GrantedToken & HeldTokens },
): Promise<Date> {
  const now = clock();
  const sealed = sealHostToken(secretKeys, { identityId, host }, tokens);
  await saveHostToken(tx, { identityId, host, sealed, expiresAt: tokens.expiresAt, now });
  return now;
}

/** Saves a token that a user gives, once its host has said whose it is. On the user's own host it must be the user's. */
export async function saveGivenToken(
  deps: Deps,
  codeHost: CodeHost,
  {
    identity,
    accessToken,
    refreshToken,
  }: {
    identity: Identity;
    accessToken: string;
    refreshToken: string | null;
  },
): Promise<{ hostUsername: string; savedAt: Date }> {
  requireForm(codeHost, { accessToken, refreshToken });
  const { identity: owner, expiresAt } = await confirm(codeHost, accessToken);
  const isOwnHost = identity.host === codeHost.id;
  if (isOwnHost && owner.hostUserId !== identity.hostUserId)
    throw refused(`This token is ${owner.hostUsername}'s, not yours. Save your own.`);
  // That both are the same person's is not the host's word yet.
  const tokens = { accessToken, refreshToken, expiresAt, unconfirmedOwner: owner.hostUserId };
  const savedAt = await deps.database.transaction(async (tx) => {
    const identityId = await saveIdentity(tx, identity, deps.clock());
    return storeHostToken(tx, deps, { identityId, host: codeHost.id, tokens });
  });
  return { hostUsername: owner.hostUsername, savedAt };
}

/** Forgets a saved token, here at once and at its host if that answers soon. */
export async function forgetHostToken(deps: Deps, codeHost: CodeHost, identity: Identity): Promise<void> {
  const forgotten = await deleteHostToken(deps.database, { identity, host: codeHost.id });
  if (forgotten) await revokeForgotten(deps, [forgotten]);
}

/** Has their hosts forget tokens that were forgotten here. */
export async function revokeForgotten(
  { codeHosts, secretKeys }: Pick<Deps, 'codeHosts' | 'secretKeys'>,
  forgotten: SavedHostToken[],
): Promise<void> {
  await Promise.all(
    forgotten.map(async (saved) => {
      const app = codeHosts.find(({ id }) => id === saved.host)?.app;
      const tokens = unsealHostToken(secretKeys, saved);
      if (app && tokens) await revokeQuietly(app, tokens.accessToken);
    }),
  );
}

/** What cannot be a token of this host is refused without asking it. */
function requireForm(
  { id, app, isLocal, recognizes }: CodeHost,
  { accessToken, refreshToken }: { accessToken: string; refreshToken: string | null },
): void {
  if (isLocal)
    throw new Failure(
      'INVALID_REQUEST',
      `The code host ${id} has no tokens to save. Name another with ?host=, if there is one.`,
      { details: [{ field: 'host', problem: 'has no tokens to save' }] },
    );
  const details = [];
  if (!recognizes(accessToken)) details.push({ field: 'accessToken', problem: `is no token of ${id}` });
  if (refreshToken !== null && !app?.isRefreshToken(refreshToken))
    details.push({ field: 'refreshToken', problem: `is nothing that ${id} gives this service a token for` });
  if (details.length > 0)
    throw new Failure('INVALID_REQUEST', 'This is not what tokens look like. Mend what details lists.', {
      details,
    });
}

async function confirm(codeHost: CodeHost, accessToken: string) {
  try {
    const proven = await codeHost.identify(accessToken);
    if (proven) return proven;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'UNAUTHORIZED') throw error;
    throw refused(error.message);
  }
  throw refused(`${codeHost.id} does not accept this token: it was revoked or has expired. Save another.`);
}

const refused = (message: string): Failure => new Failure('HOST_TOKEN_INVALID', message);
