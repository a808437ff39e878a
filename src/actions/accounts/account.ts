import { randomBytes } from 'node:crypto';
import type { CodeHost, GrantedToken } from '../../code-hosts/code-host.ts';
import {
  deleteHostToken,
  deleteHostTokens,
  deleteUser,
  insertUser,
  type SavedHostToken,
  saveHostToken,
  saveIdentity,
  type User,
} from '../../db/accounts.ts';
import type { Queries } from '../../db/database.ts';
import { findFeedReader, saveFeedAddress } from '../../db/following.ts';
import { deleteImportsOf } from '../../db/imports.ts';
import { deleteLikesOfUser } from '../../db/likes.ts';
import { deletePrivateAddedRepositories } from '../../db/repositories-added.ts';
import type { Identity } from '../../domain/accounts.ts';
import { Failure } from '../../domain/errors.ts';
import { feedSecretPrefix, hashToken } from '../../domain/secrets.ts';
import type { ActingUser, Deps } from '../deps.ts';
import { type HeldTokens, revokeQuietly, sealHostToken, unsealHostToken } from './saved-tokens.ts';

type GivenToken = Pick<GrantedToken, 'accessToken' | 'refreshToken'>;

type TokenDeps = Pick<Deps, 'database' | 'codeHosts' | 'secretKeys' | 'clock'>;

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
      `${identity.hostUsername} has already signed up. GET /users/me returns the user; PATCH /users/me changes the language.`,
    );
  });
}

export async function deleteAccount(deps: TokenDeps, userId: string): Promise<boolean> {
  const { forgotten, additions, isDeleted } = await deps.database.transaction(async (tx) => {
    await deleteLikesOfUser(tx, userId);
    await deleteImportsOf(tx, userId);
    return {
      forgotten: await deleteHostTokens(tx, userId),
      additions: await deletePrivateAddedRepositories(tx, userId, deps.clock()),
      isDeleted: await deleteUser(tx, userId),
    };
  });
  const local = deps.codeHosts.find(({ adding }) => adding);
  for (const id of additions) await local?.adding?.removeMirror(id);
  await revokeForgotten(deps, forgotten);
  return isDeleted;
}

/**
 * Makes a new secret address for a user's feed and ends the previous one. Only this return value contains the secret.
 */
export async function makeFeedAddress(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  userId: string,
): Promise<string> {
  const secret = `${feedSecretPrefix}${randomBytes(32).toString('base64url')}`;
  await saveFeedAddress(database, { userId, secretHash: hashToken(secret), now: clock() });
  return secret;
}

export async function findFeedHolder(
  { database }: Pick<Deps, 'database'>,
  secret: string,
): Promise<ActingUser | null> {
  const found = await findFeedReader(database, hashToken(secret));
  return found && { ...found, credential: { kind: 'saved' } };
}

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

const rightsPatienceMs = 8_000;

/**
 * Saves a token that a user gives, after its host has named the owner. On the user's own host, the owner must be the
 * user.
 */
export async function saveGivenToken(
  deps: TokenDeps,
  codeHost: CodeHost,
  { identity, accessToken, refreshToken }: GivenToken & { identity: Identity },
): Promise<{ hostUsername: string; savedAt: Date }> {
  requireForm(codeHost, { accessToken, refreshToken });
  const { identity: owner, expiresAt } = await confirmToken(codeHost, accessToken);
  const isOwnHost = identity.host === codeHost.id;
  if (isOwnHost && owner.hostUserId !== identity.hostUserId)
    throw refusedToken(`This token is ${owner.hostUsername}'s, not yours. Save your own.`);
  // Checked before the token replaces the saved one, which may have the rights that this one lacks.
  await codeHost.requireRights?.(accessToken, AbortSignal.timeout(rightsPatienceMs));
  const tokens = { accessToken, refreshToken, expiresAt, unconfirmedOwner: owner.hostUserId };
  const savedAt = await deps.database.transaction(async (tx) => {
    const identityId = await saveIdentity(tx, identity, deps.clock());
    return storeHostToken(tx, deps, { identityId, host: codeHost.id, tokens });
  });
  return { hostUsername: owner.hostUsername, savedAt };
}

export async function forgetHostToken(
  deps: TokenDeps,
  codeHost: CodeHost,
  identity: Identity,
): Promise<void> {
  const forgotten = await deleteHostToken(deps.database, { identity, host: codeHost.id });
  if (forgotten) await revokeForgotten(deps, [forgotten]);
}

async function revokeForgotten(
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

function requireForm(
  { id, app, isLocal, recognizes }: CodeHost,
  { accessToken, refreshToken }: GivenToken,
): void {
  if (isLocal)
    throw new Failure(
      'INVALID_REQUEST',
      `Tokens cannot be saved for the code host ${id}. To choose another host, use ?host=.`,
      { details: [{ field: 'host', problem: 'does not use saved tokens' }] },
    );
  const details = [];
  if (!recognizes(accessToken)) details.push({ field: 'accessToken', problem: `is not a ${id} token` });
  if (refreshToken !== null && !app?.isRefreshToken(refreshToken))
    details.push({
      field: 'refreshToken',
      problem: `is not a refresh token that ${id} issues to this service`,
    });
  if (details.length > 0)
    throw new Failure('INVALID_REQUEST', 'This token is not valid; see details.', {
      details,
    });
}

async function confirmToken(codeHost: CodeHost, accessToken: string) {
  try {
    const proven = await codeHost.identify(accessToken);
    if (proven) return proven;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'UNAUTHORIZED') throw error;
    throw refusedToken(error.message);
  }
  throw refusedToken(
    `${codeHost.id} does not accept this token: it was revoked or has expired. Save another one.`,
  );
}

const refusedToken = (message: string): Failure => new Failure('HOST_TOKEN_INVALID', message);
