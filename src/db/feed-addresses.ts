import type { Identity } from '../domain/identity.ts';
import type { Queries } from './database.ts';
import { sql } from './sql.ts';
import { asKnownIdentity, type KnownIdentityRow, knownIdentityColumns, type User } from './users.ts';

/** Stores the address of a user's feed in the place of the one before, which ends. */
export async function saveFeedAddress(
  db: Queries,
  { userId, secretHash, now }: { userId: string; secretHash: string; now: Date },
): Promise<void> {
  await db.query(sql`
    INSERT INTO feed_addresses (user_id, secret_hash, created_at) VALUES (${userId}, ${secretHash}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET secret_hash = excluded.secret_hash, created_at = excluded.created_at`);
}

/** When the address of a user's feed was made; null where there is none. */
export async function findFeedAddress(db: Queries, userId: string): Promise<{ createdAt: Date } | null> {
  const [address] = await db.query<{ createdAt: Date }>(
    sql`SELECT created_at AS "createdAt" FROM feed_addresses WHERE user_id = ${userId}`,
  );
  return address ?? null;
}

/** Whose feed an address is; null where there is no such address, or none any more. */
export async function findFeedReader(
  db: Queries,
  secretHash: string,
): Promise<{ identity: Identity; user: User } | null> {
  const [row] = await db.query<KnownIdentityRow>(sql`
    SELECT ${knownIdentityColumns}
    FROM feed_addresses JOIN users ON users.id = feed_addresses.user_id
    JOIN identities ON identities.id = users.identity_id
    WHERE feed_addresses.secret_hash = ${secretHash}`);
  if (!row) return null;
  const { identity, user } = asKnownIdentity(row);
  return user && { identity, user };
}

export async function deleteFeedAddress(db: Queries, userId: string): Promise<void> {
  await db.query(sql`DELETE FROM feed_addresses WHERE user_id = ${userId}`);
}
