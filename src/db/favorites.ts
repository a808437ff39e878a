import type { Queries } from './database.ts';
import { andNamed, type NamedRepositories } from './named-repositories.ts';
import { sql } from './sql.ts';
import { type ListViewer, type VisibilityViewer, visibleTo } from './visibility.ts';

export interface Favorite {
  id: string;
  userId: string;
  registeredAt: Date;
  host: string;
  hostRepoId: number;
  owner: string;
  name: string;
  isPrivate: boolean;
}

const favoriteColumns = sql`
  favorite_repositories.id, favorite_repositories.user_id AS "userId",
  favorite_repositories.registered_at AS "registeredAt", repositories.host, repositories.host_repo_id AS "hostRepoId",
  repositories.owner, repositories.name, repositories.is_private AS "isPrivate"`;

const favoritesOf = (viewer: VisibilityViewer, named: NamedRepositories = {}) => sql`
  FROM favorite_repositories JOIN repositories ON repositories.id = favorite_repositories.repository_id
  WHERE favorite_repositories.user_id = ${viewer.userId} AND ${visibleTo(viewer)} ${andNamed(named)}`;

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
  { repositoryId, viewer }: { repositoryId: string; viewer: VisibilityViewer },
): Promise<Favorite | null> {
  const [favorite] = await db.query<Favorite>(sql`
    SELECT ${favoriteColumns} ${favoritesOf(viewer)} AND repositories.id = ${repositoryId}`);
  return favorite ?? null;
}

/** Those of the viewer, and what they are called, that a list may show them. */
export async function listFavorites(
  db: Queries,
  {
    viewer,
    limit,
    offset,
    ...named
  }: NamedRepositories & { viewer: ListViewer; limit: number; offset: number },
): Promise<{ rows: Favorite[]; total: number }> {
  const wanted = favoritesOf(viewer, named);
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
