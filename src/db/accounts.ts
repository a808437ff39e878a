import { type Identity, lastUsedPrecision, operatorIdentity, sessionExpiry } from '../domain/accounts.ts';
import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { type Sql, sql } from './sql.ts';

export interface User
  extends Pick<Tables['users'], 'id' | 'language' | 'interfaceLanguage' | 'createdAt' | 'updatedAt'> {
  /** Whether the user has signed in with the one-time link in the terminal. */
  isOperator: boolean;
}

export interface KnownIdentity {
  identityId: string;
  identity: Identity;
  user: User | null;
}

export interface KnownIdentityRow extends Identity {
  identityId: string;
  userId: string | null;
  language: string | null;
  interfaceLanguage: string | null;
  userCreatedAt: Date | null;
  userUpdatedAt: Date | null;
  isOperator: boolean;
}

export const knownIdentityColumns = sql`
  identities.id AS "identityId", identities.host, identities.host_user_id, identities.username AS "hostUsername",
  identities.display_name AS "hostDisplayName", identities.email, identities.avatar_url, users.id AS "userId",
  users.language, users.interface_language, users.created_at AS "userCreatedAt", users.updated_at AS "userUpdatedAt", identities.is_operator`;

export function asKnownIdentity(row: KnownIdentityRow): KnownIdentity {
  const { identityId, host, hostUserId, hostUsername, hostDisplayName, email, avatarUrl } = row;
  const { userId, language, interfaceLanguage, userCreatedAt, userUpdatedAt, isOperator } = row;
  return {
    identityId,
    identity: { host, hostUserId, hostUsername, hostDisplayName, email, avatarUrl },
    user:
      userId && language && userCreatedAt && userUpdatedAt
        ? {
            id: userId,
            language,
            interfaceLanguage,
            createdAt: userCreatedAt,
            updatedAt: userUpdatedAt,
            isOperator,
          }
        : null,
  };
}

const userColumns = sql`id, language, interface_language, created_at, updated_at,
  (SELECT is_operator FROM identities WHERE identities.id = identity_id)`;

/** The one-time link is printed in the terminal, so its holder is the person who runs the service. */
export const makeOperator = (tx: Queries, identityId: string) =>
  tx.run(sql`UPDATE identities SET is_operator = true WHERE id = ${identityId} AND NOT is_operator`);

export async function findIdentity(
  db: Queries,
  { host, hostUserId }: Pick<Identity, 'host' | 'hostUserId'>,
): Promise<KnownIdentity | null> {
  const row = await db.first<KnownIdentityRow>(sql`
    SELECT ${knownIdentityColumns} FROM identities LEFT JOIN users ON users.identity_id = identities.id
    WHERE identities.host = ${host} AND identities.host_user_id = ${hostUserId}`);
  return row && asKnownIdentity(row);
}

export async function findSignedUpUser(
  db: Queries,
  joined: Sql,
): Promise<{ identity: Identity; user: User } | null> {
  const row = await db.first<KnownIdentityRow>(sql`SELECT ${knownIdentityColumns} FROM ${joined}`);
  const { identity, user } = row ? asKnownIdentity(row) : {};
  return identity && user ? { identity, user } : null;
}

export const findUser = (db: Queries, userId: string) =>
  findSignedUpUser(
    db,
    sql`users JOIN identities ON identities.id = users.identity_id WHERE users.id = ${userId}`,
  );

export async function saveIdentity(tx: Queries, identity: Identity, now: Date): Promise<string> {
  const { host, hostUserId, hostUsername, hostDisplayName, email, avatarUrl } = identity;
  const saved = await tx.value<string>(sql`
    INSERT INTO identities AS known (host, host_user_id, username, display_name, email, avatar_url)
    VALUES (${host}, ${hostUserId}, ${hostUsername}, ${hostDisplayName}, ${email}, ${avatarUrl})
    ON CONFLICT (host, host_user_id) DO UPDATE SET
      username = excluded.username, display_name = excluded.display_name, email = excluded.email,
      avatar_url = excluded.avatar_url
    WHERE (known.username, known.display_name, known.email, known.avatar_url)
      IS DISTINCT FROM (excluded.username, excluded.display_name, excluded.email, excluded.avatar_url)
    RETURNING id`);
  if (saved) {
    await tx.run(sql`UPDATE users SET updated_at = ${now} WHERE identity_id = ${saved}`);
    return saved;
  }
  const unchanged = await findIdentity(tx, identity);
  if (!unchanged) throw new Error('An identity vanished between two statements of one transaction.');
  return unchanged.identityId;
}

export const insertUser = (
  tx: Queries,
  { identityId, language, now }: { identityId: string; language: string; now: Date },
) =>
  tx.first<User>(sql`
    INSERT INTO users (identity_id, language, created_at, updated_at)
    VALUES (${identityId}, ${language}, ${now}, ${now})
    ON CONFLICT DO NOTHING
    RETURNING ${userColumns}`);

export async function findOrInsertOperator(
  tx: Queries,
  now: Date,
): Promise<{ identity: Identity; user: User }> {
  const identityId = await saveIdentity(tx, operatorIdentity, now);
  await insertUser(tx, { identityId, language: 'en', now });
  const known = await findIdentity(tx, operatorIdentity);
  if (!known?.user) throw new Error('The database neither stored the operator nor has one.');
  return { identity: known.identity, user: known.user };
}

export const updateLanguage = (
  db: Queries,
  { userId, language, now }: { userId: string; language: string; now: Date },
) =>
  db.first<User>(sql`
    UPDATE users SET language = ${language}, updated_at = ${now} WHERE id = ${userId} RETURNING ${userColumns}`);

export const updateInterfaceLanguage = (
  db: Queries,
  { userId, language }: { userId: string; language: string },
) => db.run(sql`UPDATE users SET interface_language = ${language} WHERE id = ${userId}`);

/**
 * Deletes a user with everything that is in no counter; likes are counted, so delete them first. False if the user does
 * not exist.
 */
export const deleteUser = (db: Queries, userId: string) =>
  db.any(sql`
    DELETE FROM identities USING users WHERE users.identity_id = identities.id AND users.id = ${userId} RETURNING 1`);

export type Session = Omit<Tables['sessions'], 'tokenHash'>;

const sessionColumns = sql`
  sessions.id, sessions.identity_id, sessions.created_at, sessions.last_used_at, sessions.expires_at,
  sessions.revoked_at`;

const isLive = (now: Date) => sql`sessions.revoked_at IS NULL AND sessions.expires_at > ${now}`;

export async function insertSession(
  tx: Queries,
  { identityId, tokenHash, now }: { identityId: string; tokenHash: string; now: Date },
): Promise<Session> {
  const [session] = await tx.query<Session>(sql`
    INSERT INTO sessions (identity_id, token_hash, created_at, last_used_at, expires_at)
    VALUES (${identityId}, ${tokenHash}, ${now}, ${now}, ${sessionExpiry(now, now)})
    RETURNING ${sessionColumns}`);
  if (!session) throw new Error('The database stored a session without returning it.');
  return session;
}

export type SignedIn = KnownIdentity & { session: Session };

/** The sessions of several tokens in one statement; null for a token without a live one. */
export async function findLiveSessions(
  db: Queries,
  tokenHashes: string[],
  now: Date,
): Promise<(SignedIn | null)[]> {
  const rows = await db.query<KnownIdentityRow & Session & { tokenHash: string }>(sql`
    SELECT ${knownIdentityColumns}, ${sessionColumns}, sessions.token_hash
    FROM sessions
    JOIN identities ON identities.id = sessions.identity_id
    LEFT JOIN users ON users.identity_id = identities.id
    WHERE sessions.token_hash = ANY(${tokenHashes}::text[]) AND ${isLive(now)}`);
  const byToken = new Map(rows.map((row) => [row.tokenHash, row]));
  return tokenHashes.map((tokenHash) => {
    const row = byToken.get(tokenHash);
    if (!row) return null;
    const { id, identityId, createdAt, lastUsedAt, expiresAt, revokedAt } = row;
    return {
      ...asKnownIdentity(row),
      session: { id, identityId, createdAt, lastUsedAt, expiresAt, revokedAt },
    };
  });
}

export async function touchSession(db: Queries, session: Session, now: Date): Promise<void> {
  if (now.getTime() - session.lastUsedAt.getTime() < lastUsedPrecision) return;
  await db.query(sql`
    UPDATE sessions SET last_used_at = ${now}, expires_at = ${sessionExpiry(session.createdAt, now)}
    WHERE id = ${session.id} AND ${isLive(now)}`);
}

export async function listLiveSessions(
  db: Queries,
  { identityId, now, limit, offset }: { identityId: string; now: Date; limit: number; offset: number },
): Promise<{ rows: Session[]; total: number }> {
  const mine = sql`sessions.identity_id = ${identityId} AND ${isLive(now)}`;
  const rows = await db.query<Session>(sql`
    SELECT ${sessionColumns} FROM sessions WHERE ${mine}
    ORDER BY sessions.created_at DESC, sessions.id LIMIT ${limit} OFFSET ${offset}`);
  return { rows, total: await db.count(sql`SELECT count(*) FROM sessions WHERE ${mine}`) };
}

export const findOwnSession = (
  db: Queries,
  { sessionId, identityId, now }: { sessionId: string; identityId: string; now: Date },
) =>
  db.first<Session>(sql`
    SELECT ${sessionColumns} FROM sessions
    WHERE id = ${sessionId} AND identity_id = ${identityId} AND ${isLive(now)}`);

export async function endSession(
  db: Queries,
  which: { id: string } | { tokenHash: string },
  now: Date,
): Promise<void> {
  const isMeant = 'id' in which ? sql`id = ${which.id}` : sql`token_hash = ${which.tokenHash}`;
  await db.query(sql`UPDATE sessions SET revoked_at = ${now} WHERE ${isMeant} AND ${isLive(now)}`);
}

export async function areSessionsLive(db: Queries, sessionIds: string[], now: Date): Promise<boolean[]> {
  const live = await db.values<string>(sql`
    SELECT id FROM sessions WHERE id = ANY(${sessionIds}::uuid[]) AND ${isLive(now)}`);
  return sessionIds.map((id) => live.includes(id));
}

export async function areTokensRefused(db: Queries, tokenHashes: string[]): Promise<boolean[]> {
  const refused = await db.values<string>(sql`
    SELECT token_hash FROM refused_tokens WHERE token_hash = ANY(${tokenHashes}::text[])`);
  return tokenHashes.map((hash) => refused.includes(hash));
}

export async function isTokenRefused(db: Queries, tokenHash: string): Promise<boolean> {
  const [isRefused = false] = await areTokensRefused(db, [tokenHash]);
  return isRefused;
}

/** Refuses a token until it expires, if that is known. False if it was refused already. */
export const refuseToken = (db: Queries, tokenHash: string, expiresAt: Date | null) =>
  db.any(sql`
    INSERT INTO refused_tokens (token_hash, expires_at) VALUES (${tokenHash}, ${expiresAt})
    ON CONFLICT DO NOTHING RETURNING 1`);

export const acceptRefusedToken = (db: Queries, tokenHash: string) =>
  db.run(sql`DELETE FROM refused_tokens WHERE token_hash = ${tokenHash}`);

export const isSessionEnded = (now: Date): Sql =>
  sql`sessions.expires_at <= ${now} OR sessions.revoked_at <= ${now}`;

export async function deleteEndedCredentials(db: Queries, now: Date): Promise<void> {
  await db.query(sql`DELETE FROM sessions WHERE ${isSessionEnded(now)}`);
  await db.query(sql`DELETE FROM refused_tokens WHERE expires_at <= ${now}`);
}

export interface SavedHostToken
  extends Pick<Tables['host_tokens'], 'identityId' | 'host' | 'sealed' | 'savedAt' | 'expiresAt'>,
    Pick<Tables['host_tokens'], 'refreshRefused'> {
  generation: number;
  claimedUntil: Date | null;
}

interface TokenHolder {
  identity: Pick<Identity, 'host' | 'hostUserId'>;
  host: string;
}

const columns = sql`
  tokens.identity_id, tokens.host, tokens.sealed, tokens.saved_at, tokens.expires_at, tokens.generation,
  tokens.refresh_claimed_until AS "claimedUntil", tokens.refresh_refused`;

const isTokenHeldBy = ({ identity, host }: TokenHolder) => sql`
  identities.id = tokens.identity_id AND tokens.host = ${host}
  AND identities.host = ${identity.host} AND identities.host_user_id = ${identity.hostUserId}`;

/** A token that was deleted and saved again has generation 1 again, but another `savedAt`. */
const isTokenUnchanged = ({ identityId, host, generation, savedAt }: SavedHostToken) => sql`
  identity_id = ${identityId} AND host = ${host} AND generation = ${generation} AND saved_at = ${savedAt}`;

export const findHostToken = (db: Queries, holder: TokenHolder) =>
  db.first<SavedHostToken>(sql`
    SELECT ${columns} FROM host_tokens AS tokens, identities WHERE ${isTokenHeldBy(holder)}`);

export const deleteHostTokens = (tx: Queries, userId: string) =>
  tx.query<SavedHostToken>(sql`
    DELETE FROM host_tokens AS tokens USING users
    WHERE users.identity_id = tokens.identity_id AND users.id = ${userId} RETURNING ${columns}`);

export async function saveHostToken(
  tx: Queries,
  saved: Pick<SavedHostToken, 'identityId' | 'host' | 'sealed' | 'expiresAt'> & { now: Date },
): Promise<void> {
  const { identityId, host, sealed, expiresAt, now } = saved;
  await tx.query(sql`
    INSERT INTO host_tokens AS tokens (identity_id, host, sealed, expires_at, saved_at)
    VALUES (${identityId}, ${host}, ${sealed}, ${expiresAt}, ${now})
    ON CONFLICT (identity_id, host) DO UPDATE SET
      sealed = excluded.sealed, expires_at = excluded.expires_at, saved_at = excluded.saved_at,
      generation = tokens.generation + 1, refresh_claimed_until = NULL, refresh_refused = false`);
}

export const deleteHostToken = (db: Queries, holder: TokenHolder) =>
  db.first<SavedHostToken>(sql`
    DELETE FROM host_tokens AS tokens USING identities WHERE ${isTokenHeldBy(holder)} RETURNING ${columns}`);

/** Stores the same token encrypted with another key, unless it was replaced in the meantime. */
export const resealHostToken = (db: Queries, saved: SavedHostToken, sealed: string) =>
  db.run(sql`UPDATE host_tokens SET sealed = ${sealed} WHERE ${isTokenUnchanged(saved)}`);

/** Claims the refresh of a token until a time, so that only one process refreshes it. */
export const claimTokenRefresh = (
  db: Queries,
  saved: SavedHostToken,
  { now, until }: { now: Date; until: Date },
) =>
  db.any(sql`
    UPDATE host_tokens SET refresh_claimed_until = ${until}
    WHERE ${isTokenUnchanged(saved)} AND NOT refresh_refused
      AND (refresh_claimed_until IS NULL OR refresh_claimed_until <= ${now})
    RETURNING 1`);

export const releaseTokenRefresh = (db: Queries, saved: SavedHostToken) =>
  db.run(sql`UPDATE host_tokens SET refresh_claimed_until = NULL WHERE ${isTokenUnchanged(saved)}`);

/** Returns false if the token was replaced or deleted in the meantime. */
export const replaceHostToken = (
  db: Queries,
  saved: SavedHostToken,
  { sealed, expiresAt }: Pick<SavedHostToken, 'sealed' | 'expiresAt'>,
) =>
  db.any(sql`
    UPDATE host_tokens SET sealed = ${sealed}, expires_at = ${expiresAt}, generation = generation + 1,
      refresh_claimed_until = NULL, refresh_refused = false
    WHERE ${isTokenUnchanged(saved)} RETURNING 1`);

export const refuseTokenRefresh = (db: Queries, saved: SavedHostToken) =>
  db.run(sql`
    UPDATE host_tokens SET refresh_refused = true, refresh_claimed_until = NULL WHERE ${isTokenUnchanged(saved)}`);
