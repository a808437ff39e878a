import { lastUsedPrecision, sessionExpiry } from '../domain/accounts.ts';
import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { type Sql, sql } from './sql.ts';
import { asKnownIdentity, type KnownIdentity, type KnownIdentityRow, knownIdentityColumns } from './users.ts';

export type Session = Omit<Tables['sessions'], 'tokenHash'>;

const sessionColumns = sql`
  sessions.id, sessions.identity_id, sessions.created_at,
  sessions.last_used_at, sessions.expires_at, sessions.revoked_at`;

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

export async function findLiveSession(
  db: Queries,
  tokenHash: string,
  now: Date,
): Promise<(KnownIdentity & { session: Session }) | null> {
  const [row] = await db.query<KnownIdentityRow & Session>(sql`
    SELECT ${knownIdentityColumns}, ${sessionColumns}
    FROM sessions
    JOIN identities ON identities.id = sessions.identity_id
    LEFT JOIN users ON users.identity_id = identities.id
    WHERE sessions.token_hash = ${tokenHash} AND ${isLive(now)}`);
  if (!row) return null;
  const { id, identityId, createdAt, lastUsedAt, expiresAt, revokedAt } = row;
  return {
    ...asKnownIdentity(row),
    session: { id, identityId, createdAt, lastUsedAt, expiresAt, revokedAt },
  };
}

/** Notes that a session was used, which also puts its idle expiry off. */
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
  const [counted] = await db.query<{ total: number }>(sql`
    SELECT count(*) AS total FROM sessions WHERE ${mine}`);
  return { rows, total: counted?.total ?? 0 };
}

/** A live session of an identity. */
export const findOwnSession = (
  db: Queries,
  { sessionId, identityId, now }: { sessionId: string; identityId: string; now: Date },
) =>
  db.first<Session>(sql`
    SELECT ${sessionColumns} FROM sessions
    WHERE id = ${sessionId} AND identity_id = ${identityId} AND ${isLive(now)}`);

/** Ends a session, by its id or by the hash of its token. */
export async function endSession(
  db: Queries,
  which: { id: string } | { tokenHash: string },
  now: Date,
): Promise<void> {
  const isMeant = 'id' in which ? sql`id = ${which.id}` : sql`token_hash = ${which.tokenHash}`;
  await db.query(sql`UPDATE sessions SET revoked_at = ${now} WHERE ${isMeant} AND ${isLive(now)}`);
}

/** Which of several sessions are live, in one look. */
export async function areSessionsLive(db: Queries, sessionIds: string[], now: Date): Promise<boolean[]> {
  const rows = await db.query<Pick<Tables['sessions'], 'id'>>(sql`
    SELECT id FROM sessions WHERE id = ANY(${sessionIds}::uuid[]) AND ${isLive(now)}`);
  const live = new Set(rows.map(({ id }) => id));
  return sessionIds.map((id) => live.has(id));
}

/** Which of several tokens are refused, in one look. */
export async function areTokensRefused(db: Queries, tokenHashes: string[]): Promise<boolean[]> {
  const rows = await db.query<{ hash: Tables['refused_tokens']['tokenHash'] }>(sql`
    SELECT token_hash AS hash FROM refused_tokens WHERE token_hash = ANY(${tokenHashes}::text[])`);
  const refused = new Set(rows.map(({ hash }) => hash));
  return tokenHashes.map((hash) => refused.has(hash));
}

export async function isTokenRefused(db: Queries, tokenHash: string): Promise<boolean> {
  const [isRefused = false] = await areTokensRefused(db, [tokenHash]);
  return isRefused;
}

/** Refuses a token until it would expire by itself, if it is known when. Returns false when it was refused already. */
export const refuseToken = (db: Queries, tokenHash: string, expiresAt: Date | null) =>
  db.any(sql`
    INSERT INTO refused_tokens (token_hash, expires_at) VALUES (${tokenHash}, ${expiresAt})
    ON CONFLICT DO NOTHING RETURNING 1`);

export const acceptTokenAgain = (db: Queries, tokenHash: string) =>
  db.run(sql`DELETE FROM refused_tokens WHERE token_hash = ${tokenHash}`);

export const isEnded = (now: Date): Sql =>
  sql`sessions.expires_at <= ${now} OR sessions.revoked_at <= ${now}`;

export async function deleteEndedCredentials(db: Queries, now: Date): Promise<void> {
  await db.query(sql`DELETE FROM sessions WHERE ${isEnded(now)}`);
  await db.query(sql`DELETE FROM refused_tokens WHERE expires_at <= ${now}`);
}
