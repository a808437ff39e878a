import type { Queries } from './connect.ts';
import { sql } from './sql.ts';
import { asKnownIdentity, type KnownIdentity, type KnownIdentityRow, knownIdentityColumns } from './users.ts';

interface RepositoryAsSeen {
  host: string;
  hostRepoId: number;
  owner: string;
  name: string;
  isPrivate: boolean;
}

export interface Repository extends RepositoryAsSeen {
  id: string;
}

export const repositoryColumns = sql`
  repositories.id, repositories.host, repositories.host_repo_id AS "hostRepoId", repositories.owner,
  repositories.name, repositories.is_private AS "isPrivate"`;

/** Stores a repository the way its host describes it now. */
export async function saveRepository(tx: Queries, seen: RepositoryAsSeen, now: Date): Promise<Repository> {
  const { host, hostRepoId, owner, name, isPrivate } = seen;
  const [repository] = await tx.query<Repository>(sql`
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    VALUES (${host}, ${hostRepoId}, ${owner}, ${name}, ${isPrivate}, ${now})
    ON CONFLICT (host, host_repo_id) DO UPDATE SET
      owner = excluded.owner, name = excluded.name,
      is_private = excluded.is_private, checked_at = excluded.checked_at
    RETURNING ${repositoryColumns}`);
  if (!repository) throw new Error('The database stored a repository without returning it.');
  return repository;
}

/** Every repository of a host whoever may see it: for keeping visibility up to date, never for showing. */
export async function listRepositoriesOfHost(db: Queries, host: string): Promise<Repository[]> {
  return db.query(sql`SELECT ${repositoryColumns} FROM repositories WHERE host = ${host} ORDER BY id`);
}

/** From now on only those who have a grant see it. */
export async function makePrivate(tx: Queries, repositoryId: string, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE repositories SET is_private = true, checked_at = ${now} WHERE id = ${repositoryId}`,
  );
}

/** Notes that the host showed a private repository to a user. */
export async function grantRepository(
  tx: Queries,
  { repositoryId, userId, now }: { repositoryId: string; userId: string; now: Date },
): Promise<void> {
  await tx.query(sql`
    INSERT INTO repository_grants (repository_id, user_id, confirmed_at)
    VALUES (${repositoryId}, ${userId}, ${now})
    ON CONFLICT (repository_id, user_id) DO UPDATE SET confirmed_at = excluded.confirmed_at`);
}

export async function listGranted(db: Queries, repositoryId: string): Promise<KnownIdentity[]> {
  const rows = await db.query<KnownIdentityRow>(sql`
    SELECT ${knownIdentityColumns}
    FROM repository_grants
    JOIN users ON users.id = repository_grants.user_id
    JOIN identities ON identities.id = users.identity_id
    WHERE repository_grants.repository_id = ${repositoryId}`);
  return rows.map(asKnownIdentity);
}

export async function revokeGrant(
  db: Queries,
  { repositoryId, userId }: { repositoryId: string; userId: string },
): Promise<void> {
  await db.query(sql`
    DELETE FROM repository_grants WHERE repository_id = ${repositoryId} AND user_id = ${userId}`);
}
