import { randomBytes } from 'node:crypto';
import { findFeedReader, saveFeedAddress } from '../../db/feeds.ts';
import { deleteLikesOfUser } from '../../db/likes.ts';
import { deleteHostTokens, deleteUser, insertUser, saveIdentity, type User } from '../../db/users.ts';
import type { Identity } from '../../domain/accounts.ts';
import { Failure } from '../../domain/errors.ts';
import { feedSecretPrefix, hashToken } from '../../domain/secrets.ts';
import type { Deps } from '../deps.ts';
import type { ActingUser } from './identify-bearer.ts';
import { revokeForgotten } from './save-host-token.ts';

/** Makes a user of an identity. Of any number of calls at once, one succeeds. */
export async function signUp(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  identity: Identity,
  language: string,
): Promise<User> {
  const now = clock();
  return database.transaction(async (tx) => {
    const identityId = await saveIdentity(tx, identity, now);
    const user = await insertUser(tx, { identityId, language, now });
    if (user) return user;
    throw new Failure(
      'ALREADY_SIGNED_UP',
      `${identity.hostUsername} has signed up already. GET /users/me answers the user, PATCH /users/me changes the language.`,
    );
  });
}

/** Removes a user and everything that belongs to them. Returns false when they were gone already. */
export async function deleteAccount(deps: Deps, userId: string): Promise<boolean> {
  const { forgotten, isDeleted } = await deps.database.transaction(async (tx) => {
    await deleteLikesOfUser(tx, userId);
    return { forgotten: await deleteHostTokens(tx, userId), isDeleted: await deleteUser(tx, userId) };
  });
  await revokeForgotten(deps, forgotten);
  return isDeleted;
}

/** A new secret address of a user's feed; the one before ends. The secret exists only in what this returns. */
export async function makeFeedAddress(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  userId: string,
): Promise<string> {
  const secret = `${feedSecretPrefix}${randomBytes(32).toString('base64url')}`;
  await saveFeedAddress(database, { userId, secretHash: hashToken(secret), now: clock() });
  return secret;
}

/** Whose feed is read at an address, with the rights of the tokens that they saved; null where there is none. */
export async function findFeedHolder(
  { database }: Pick<Deps, 'database'>,
  secret: string,
): Promise<ActingUser | null> {
  const found = await findFeedReader(database, hashToken(secret));
  return found && { ...found, credential: { kind: 'saved' } };
}
