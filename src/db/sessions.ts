import { and, count, desc, eq, gt, isNull, lt, lte, or } from 'drizzle-orm';
import { lastUsedPrecision, sessionExpiry } from '../domain/session-lifetime.ts';
import type { Queries } from './connect.ts';
import { identities, refusedTokens, sessions, users } from './schema.ts';
import { type KnownIdentity, knownIdentityColumns } from './users.ts';

export type SessionRow = typeof sessions.$inferSelect;

const live = (now: Date) => and(isNull(sessions.revokedAt), gt(sessions.expiresAt, now));

export async function insertSession(
  tx: Queries,
  values: { identityId: string; tokenHash: string; now: Date },
): Promise<SessionRow> {
  const [session] = await tx
    .insert(sessions)
    .values({
      identityId: values.identityId,
      tokenHash: values.tokenHash,
      createdAt: values.now,
      lastUsedAt: values.now,
      expiresAt: sessionExpiry(values.now, values.now),
    })
    .returning();
  if (!session) throw new Error('The database stored a session without returning it.');
  return session;
}

export async function findLiveSession(
  db: Queries,
  tokenHash: string,
  now: Date,
): Promise<(KnownIdentity & { session: SessionRow }) | null> {
  const [row] = await db
    .select({ ...knownIdentityColumns, session: sessions })
    .from(sessions)
    .innerJoin(identities, eq(identities.id, sessions.identityId))
    .leftJoin(users, eq(users.identityId, identities.id))
    .where(and(eq(sessions.tokenHash, tokenHash), live(now)));
  return row ?? null;
}

/** Notes that a session was used, which also puts its idle expiry off. */
export async function touchSession(db: Queries, session: SessionRow, now: Date): Promise<void> {
  if (now.getTime() - session.lastUsedAt.getTime() < lastUsedPrecision) return;
  await db
    .update(sessions)
    .set({ lastUsedAt: now, expiresAt: sessionExpiry(session.createdAt, now) })
    .where(and(eq(sessions.id, session.id), live(now)));
}

export async function listLiveSessions(
  db: Queries,
  values: { identityId: string; now: Date; limit: number; offset: number },
): Promise<{ rows: SessionRow[]; total: number }> {
  const mine = and(eq(sessions.identityId, values.identityId), live(values.now));
  const rows = await db
    .select()
    .from(sessions)
    .where(mine)
    .orderBy(desc(sessions.createdAt), sessions.id)
    .limit(values.limit)
    .offset(values.offset);
  const [counted] = await db.select({ total: count() }).from(sessions).where(mine);
  return { rows, total: counted?.total ?? 0 };
}

/** Ends one live session of an identity; null when it has no such session. */
export async function revokeSession(
  db: Queries,
  values: { sessionId: string; identityId: string; now: Date },
): Promise<SessionRow | null> {
  const [session] = await db
    .update(sessions)
    .set({ revokedAt: values.now })
    .where(
      and(eq(sessions.id, values.sessionId), eq(sessions.identityId, values.identityId), live(values.now)),
    )
    .returning();
  return session ?? null;
}

export async function isTokenRefused(db: Queries, tokenHash: string): Promise<boolean> {
  const [row] = await db.select().from(refusedTokens).where(eq(refusedTokens.tokenHash, tokenHash));
  return row !== undefined;
}

/** Refuses a token until it would expire by itself. Returns false when it was refused already. */
export async function refuseToken(db: Queries, tokenHash: string, expiresAt: Date): Promise<boolean> {
  const rows = await db
    .insert(refusedTokens)
    .values({ tokenHash, expiresAt })
    .onConflictDoNothing()
    .returning({ tokenHash: refusedTokens.tokenHash });
  return rows.length > 0;
}

export async function acceptTokenAgain(db: Queries, tokenHash: string): Promise<void> {
  await db.delete(refusedTokens).where(eq(refusedTokens.tokenHash, tokenHash));
}

/** Removes what can no longer sign anybody in. */
export async function deleteEndedCredentials(db: Queries, now: Date): Promise<void> {
  await db.delete(sessions).where(or(lte(sessions.expiresAt, now), lt(sessions.revokedAt, now)));
  await db.delete(refusedTokens).where(lte(refusedTokens.expiresAt, now));
}
