import { and, eq, sql } from 'drizzle-orm';
import type { Queries } from './connect.ts';
import { identities, repositories, repositoryGrants, users } from './schema.ts';
import { type KnownIdentity, knownIdentityColumns } from './users.ts';

export type RepositoryRow = typeof repositories.$inferSelect;

interface RepositoryAsSeen {
  host: string;
  hostRepoId: number;
  owner: string;
  name: string;
  isPrivate: boolean;
}

/** Stores a repository the way its host describes it now. */
export async function saveRepository(tx: Queries, seen: RepositoryAsSeen, now: Date): Promise<RepositoryRow> {
  const changing = { owner: seen.owner, name: seen.name, isPrivate: seen.isPrivate, checkedAt: now };
  const [repository] = await tx
    .insert(repositories)
    .values({ host: seen.host, hostRepoId: seen.hostRepoId, ...changing })
    .onConflictDoUpdate({ target: [repositories.host, repositories.hostRepoId], set: changing })
    .returning();
  if (!repository) throw new Error('The database stored a repository without returning it.');
  return repository;
}

export async function listRepositoriesOfHost(db: Queries, host: string): Promise<RepositoryRow[]> {
  return db.select().from(repositories).where(eq(repositories.host, host)).orderBy(repositories.id);
}

/** From now on only those who have a grant see it. */
export async function makePrivate(tx: Queries, repositoryId: string, now: Date): Promise<void> {
  await tx
    .update(repositories)
    .set({ isPrivate: true, checkedAt: now })
    .where(eq(repositories.id, repositoryId));
}

/** Notes that the host showed a private repository to a user. */
export async function grantRepository(
  tx: Queries,
  values: { repositoryId: string; userId: string; now: Date },
): Promise<void> {
  await tx
    .insert(repositoryGrants)
    .values({ repositoryId: values.repositoryId, userId: values.userId, confirmedAt: values.now })
    .onConflictDoUpdate({
      target: [repositoryGrants.repositoryId, repositoryGrants.userId],
      set: { confirmedAt: sql`excluded.confirmed_at` },
    });
}

export async function listGranted(db: Queries, repositoryId: string): Promise<KnownIdentity[]> {
  return db
    .select(knownIdentityColumns)
    .from(repositoryGrants)
    .innerJoin(users, eq(users.id, repositoryGrants.userId))
    .innerJoin(identities, eq(identities.id, users.identityId))
    .where(eq(repositoryGrants.repositoryId, repositoryId));
}

export async function revokeGrant(
  db: Queries,
  values: { repositoryId: string; userId: string },
): Promise<void> {
  await db
    .delete(repositoryGrants)
    .where(
      and(eq(repositoryGrants.repositoryId, values.repositoryId), eq(repositoryGrants.userId, values.userId)),
    );
}
