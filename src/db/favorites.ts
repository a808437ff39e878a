import type { Queries } from './database.ts';
import { andNamed, type NamedRepositories } from './named-repositories.ts';
import { sql } from './sql.ts';
import { visibleTo } from './visibility.ts';

export interface Favorite {
  id: string;
  userId: string;
  registeredAt: Date;
  host: string;
  hostRepoId: number;
  owner: string;
  name: string;
}

const favoriteColumns = sql`
  favorite_repositories.id, favorite_repositories.user_id AS "userId",
  favorite_repositories.registered_at AS "registeredAt", repositories.host, repositories.host_repo_id AS "hostRepoId",
  repositories.owner, repositories.name`;

const favoritesOf = ({ userId, now }: { userId: string; now: Date }, named: NamedRepositories = {}) => sql`
  FROM favorite_repositories JOIN repositories ON repositories.id = favorite_repositories.repository_id
  WHERE favorite_repositories.user_id = ${userId} AND ${visibleTo({ userId, now, purpose: 'list' })} ${andNamed(named)}`;

/** Registers a favorite. Returns false when the user has it already. */
export async function insertFavorite(
  tx: Queries,
  { userId, repositoryId, now }: { userId: string; repositoryId: string; now: Date },
): Promise<boolean> {
  const rows = await tx.query(sql`
    INSERT INTO favorite_repositories (user_id, repository_id, registered_at)
    VALUES (${userId}, ${repositoryId}, ${now})
    ON CONFLICT DO NOTHING RETURNING 1`);
  return rows.length > 0;
}

export async function findFavorite(
  db: Queries,
  { userId, repositoryId, now }: { userId: string; repositoryId: string; now: Date },
): Promise<Favorite | null> {
  const [favorite] = await db.query<Favorite>(sql`
    SELECT ${favoriteColumns} ${favoritesOf({ userId, now })} AND repositories.id = ${repositoryId}`);
  return favorite ?? null;
}

export async function listFavorites(
  db: Queries,
  {
    userId,
    now,
    limit,
    offset,
    ...named
  }: NamedRepositories & { userId: string; now: Date; limit: number; offset: number },
): Promise<{ rows: Favorite[]; total: number }> {
  const wanted = favoritesOf({ userId, now }, named);
  const rows = await db.query<Favorite>(sql`
    SELECT ${favoriteColumns} ${wanted}
    ORDER BY favorite_repositories.registered_at DESC, favorite_repositories.id LIMIT ${limit} OFFSET ${offset}`);
  const [counted] = await db.query<{ total: number }>(sql`SELECT count(*) AS total ${wanted}`);
  return { rows, total: counted?.total ?? 0 };
}

/** Removes a favorite of this user; false when the user has no such favorite. */
export async function deleteFavorite(
  db: Queries,
  { favoriteId, userId }: { favoriteId: string; userId: string },
): Promise<boolean> {
  const rows = await db.query(sql`
    DELETE FROM favorite_repositories WHERE id = ${favoriteId} AND user_id = ${userId} RETURNING 1`);
  return rows.length > 0;
}
