import { eq, sql } from 'drizzle-orm';
import type { Identity } from '../domain/identity.ts';
import type { Queries } from './connect.ts';
import { identities, users } from './schema.ts';

export type UserRow = typeof users.$inferSelect;

/** An identity that the database knows, with the user that signing up made of it, if it did. */
export interface KnownIdentity {
  identityId: string;
  identity: Identity;
  user: UserRow | null;
}

export const knownIdentityColumns = {
  identityId: identities.id,
  identity: {
    host: identities.host,
    hostUserId: identities.hostUserId,
    hostUsername: identities.username,
    hostDisplayName: identities.displayName,
    email: identities.email,
    avatarUrl: identities.avatarUrl,
  },
  user: users,
};

export async function findIdentity(
  db: Queries,
  { host, hostUserId }: Pick<Identity, 'host' | 'hostUserId'>,
): Promise<KnownIdentity | null> {
  const [row] = await db
    .select(knownIdentityColumns)
    .from(identities)
    .leftJoin(users, eq(users.identityId, identities.id))
    .where(sql`${identities.host} = ${host} AND ${identities.hostUserId} = ${hostUserId}`);
  return row ?? null;
}

/** Stores an identity, or brings what is stored up to what its host says now. Returns its id. */
export async function saveIdentity(tx: Queries, identity: Identity, now: Date): Promise<string> {
  const profile = {
    username: identity.hostUsername,
    displayName: identity.hostDisplayName,
    email: identity.email,
    avatarUrl: identity.avatarUrl,
  };
  const [saved] = await tx
    .insert(identities)
    .values({ host: identity.host, hostUserId: identity.hostUserId, ...profile })
    .onConflictDoUpdate({
      target: [identities.host, identities.hostUserId],
      set: profile,
      setWhere: sql`(${identities.username}, ${identities.displayName}, ${identities.email}, ${identities.avatarUrl})
        IS DISTINCT FROM (excluded.username, excluded.display_name, excluded.email, excluded.avatar_url)`,
    })
    .returning({ id: identities.id });
  if (saved) {
    await tx.update(users).set({ updatedAt: now }).where(eq(users.identityId, saved.id));
    return saved.id;
  }
  const unchanged = await findIdentity(tx, identity);
  if (!unchanged) throw new Error('An identity vanished between two statements of one transaction.');
  return unchanged.identityId;
}

/** Makes a user of an identity; null when it has one already. */
export async function insertUser(
  tx: Queries,
  values: { identityId: string; language: string; now: Date },
): Promise<UserRow | null> {
  const [user] = await tx
    .insert(users)
    .values({
      identityId: values.identityId,
      language: values.language,
      createdAt: values.now,
      updatedAt: values.now,
    })
    .onConflictDoNothing()
    .returning();
  return user ?? null;
}

export async function updateLanguage(
  db: Queries,
  values: { userId: string; language: string; now: Date },
): Promise<UserRow | null> {
  const [user] = await db
    .update(users)
    .set({ language: values.language, updatedAt: values.now })
    .where(eq(users.id, values.userId))
    .returning();
  return user ?? null;
}

/** Removes an identity with everything that hangs on it: the user, sessions, favorites and grants. */
export async function deleteIdentity(db: Queries, identityId: string): Promise<void> {
  await db.delete(identities).where(eq(identities.id, identityId));
}
