import { type Identity, operatorIdentity } from '../domain/accounts.ts';
import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { sql } from './sql.ts';

export type User = Pick<Tables['users'], 'id' | 'language' | 'createdAt' | 'updatedAt'>;

/** An identity that the database knows, with the user that signing up made of it, if it did. */
export interface KnownIdentity {
  identityId: string;
  identity: Identity;
  user: User | null;
}

/** A known identity as it comes in a row; the user's columns are all null without one. */
export interface KnownIdentityRow
  extends Pick<Tables['identities'], 'host' | 'hostUserId' | 'email' | 'avatarUrl'> {
  identityId: Tables['identities']['id'];
  hostUsername: Tables['identities']['username'];
  hostDisplayName: Tables['identities']['displayName'];
  userId: User['id'] | null;
  language: User['language'] | null;
  userCreatedAt: User['createdAt'] | null;
  userUpdatedAt: User['updatedAt'] | null;
}

export const knownIdentityColumns = sql`
  identities.id AS "identityId", identities.host, identities.host_user_id,
  identities.username AS "hostUsername", identities.display_name AS "hostDisplayName", identities.email,
  identities.avatar_url, users.id AS "userId", users.language,
  users.created_at AS "userCreatedAt", users.updated_at AS "userUpdatedAt"`;

export function asKnownIdentity(row: KnownIdentityRow): KnownIdentity {
  const { identityId, host, hostUserId, hostUsername, hostDisplayName, email, avatarUrl } = row;
  const { userId, language, userCreatedAt, userUpdatedAt } = row;
  return {
    identityId,
    identity: { host, hostUserId, hostUsername, hostDisplayName, email, avatarUrl },
    user:
      userId && language && userCreatedAt && userUpdatedAt
        ? { id: userId, language, createdAt: userCreatedAt, updatedAt: userUpdatedAt }
        : null,
  };
}

const userColumns = sql`id, language, created_at, updated_at`;

export async function findIdentity(
  db: Queries,
  { host, hostUserId }: Pick<Identity, 'host' | 'hostUserId'>,
): Promise<KnownIdentity | null> {
  const [row] = await db.query<KnownIdentityRow>(sql`
    SELECT ${knownIdentityColumns}
    FROM identities LEFT JOIN users ON users.identity_id = identities.id
    WHERE identities.host = ${host} AND identities.host_user_id = ${hostUserId}`);
  return row ? asKnownIdentity(row) : null;
}

/** A user with the identity that they signed up with; null when they are gone. */
export async function findUser(
  db: Queries,
  userId: string,
): Promise<{ identity: Identity; user: User } | null> {
  const [row] = await db.query<KnownIdentityRow>(sql`
    SELECT ${knownIdentityColumns}
    FROM users JOIN identities ON identities.id = users.identity_id WHERE users.id = ${userId}`);
  if (!row) return null;
  const { identity, user } = asKnownIdentity(row);
  return user && { identity, user };
}

/** Stores an identity, or brings what is stored up to what its host says now. Returns its id. */
export async function saveIdentity(tx: Queries, identity: Identity, now: Date): Promise<string> {
  const { host, hostUserId, hostUsername, hostDisplayName, email, avatarUrl } = identity;
  const [saved] = await tx.query<Pick<Tables['identities'], 'id'>>(sql`
    INSERT INTO identities AS known (host, host_user_id, username, display_name, email, avatar_url)
    VALUES (${host}, ${hostUserId}, ${hostUsername}, ${hostDisplayName}, ${email}, ${avatarUrl})
    ON CONFLICT (host, host_user_id) DO UPDATE SET
      username = excluded.username, display_name = excluded.display_name,
      email = excluded.email, avatar_url = excluded.avatar_url
    WHERE (known.username, known.display_name, known.email, known.avatar_url)
      IS DISTINCT FROM (excluded.username, excluded.display_name, excluded.email, excluded.avatar_url)
    RETURNING id`);
  if (saved) {
    await tx.query(sql`UPDATE users SET updated_at = ${now} WHERE identity_id = ${saved.id}`);
    return saved.id;
  }
  const unchanged = await findIdentity(tx, identity);
  if (!unchanged) throw new Error('An identity vanished between two statements of one transaction.');
  return unchanged.identityId;
}

/** Makes a user of an identity; null when it has one already. */
export const insertUser = (
  tx: Queries,
  { identityId, language, now }: { identityId: string; language: string; now: Date },
) =>
  tx.first<User>(sql`
    INSERT INTO users (identity_id, language, created_at, updated_at)
    VALUES (${identityId}, ${language}, ${now}, ${now})
    ON CONFLICT DO NOTHING
    RETURNING ${userColumns}`);

/** The operator as a user, who is made when there is none yet. */
export async function findOrMakeOperator(
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

/**
 * Removes a user with its identity and everything that hangs on it but is not counted anywhere: what is, such as likes,
 * must be taken back first. Returns false when it was gone already.
 */
export const deleteUser = (db: Queries, userId: string) =>
  db.any(sql`
    DELETE FROM identities USING users WHERE users.identity_id = identities.id AND users.id = ${userId} RETURNING 1`);
