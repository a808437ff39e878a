import { and, count, desc, eq } from 'drizzle-orm';
import type { Queries } from './connect.ts';
import { favoriteRepositories, repositories } from './schema.ts';
import { visibleTo } from './visibility.ts';

export interface FavoriteRow {
  favorite: typeof favoriteRepositories.$inferSelect;
  repository: typeof repositories.$inferSelect;
}

/** Registers a favorite; null when the user has it already. */
export async function insertFavorite(
  tx: Queries,
  values: { userId: string; repositoryId: string; now: Date },
): Promise<FavoriteRow['favorite'] | null> {
  const [favorite] = await tx
    .insert(favoriteRepositories)
    .values({ userId: values.userId, repositoryId: values.repositoryId, registeredAt: values.now })
    .onConflictDoNothing()
    .returning();
  return favorite ?? null;
}

export async function findFavorite(
  db: Queries,
  values: { userId: string; repositoryId: string },
): Promise<FavoriteRow['favorite'] | null> {
  const [favorite] = await db
    .select()
    .from(favoriteRepositories)
    .where(
      and(
        eq(favoriteRepositories.userId, values.userId),
        eq(favoriteRepositories.repositoryId, values.repositoryId),
      ),
    );
  return favorite ?? null;
}

export async function listFavorites(
  db: Queries,
  values: { userId: string; limit: number; offset: number },
): Promise<{ rows: FavoriteRow[]; total: number }> {
  const mine = and(eq(favoriteRepositories.userId, values.userId), visibleTo(values.userId));
  const rows = await db
    .select({ favorite: favoriteRepositories, repository: repositories })
    .from(favoriteRepositories)
    .innerJoin(repositories, eq(repositories.id, favoriteRepositories.repositoryId))
    .where(mine)
    .orderBy(desc(favoriteRepositories.registeredAt), favoriteRepositories.id)
    .limit(values.limit)
    .offset(values.offset);
  const [counted] = await db
    .select({ total: count() })
    .from(favoriteRepositories)
    .innerJoin(repositories, eq(repositories.id, favoriteRepositories.repositoryId))
    .where(mine);
  return { rows, total: counted?.total ?? 0 };
}

/** Removes a favorite of this user; false when the user has no such favorite. */
export async function deleteFavorite(
  db: Queries,
  values: { favoriteId: string; userId: string },
): Promise<boolean> {
  const rows = await db
    .delete(favoriteRepositories)
    .where(
      and(eq(favoriteRepositories.id, values.favoriteId), eq(favoriteRepositories.userId, values.userId)),
    )
    .returning({ id: favoriteRepositories.id });
  return rows.length > 0;
}
