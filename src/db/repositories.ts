import type { Queries } from './database.ts';
import { sql } from './sql.ts';
import { asKnownIdentity, type KnownIdentity, type KnownIdentityRow, knownIdentityColumns } from './users.ts';
import { type VisibilityViewer, visibleTo } from './visibility.ts';

interface RepositoryAsSeen {
  host: string;
  hostRepoId: number;
  owner: string;
  name: string;
  isPrivate: boolean;
}

export interface Repository extends RepositoryAsSeen {
  id: string;
  /** When the host was last asked about it and answered. */
  checkedAt: Date;
  /** Since when it has not answered, if it does not. */
  unreachableSince: Date | null;
}

const repositoryColumns = sql`
  repositories.id, repositories.checked_at AS "checkedAt", repositories.host, repositories.host_repo_id AS "hostRepoId", repositories.owner,
  repositories.name, repositories.is_private AS "isPrivate", repositories.unreachable_since AS "unreachableSince"`;

/** Stores a repository the way its host describes it now. */
export async function saveRepository(tx: Queries, seen: RepositoryAsSeen, now: Date): Promise<Repository> {
  const { host, hostRepoId, owner, name, isPrivate } = seen;
  const [repository] = await tx.query<Repository>(sql`
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    VALUES (${host}, ${hostRepoId}, ${owner}, ${name}, ${isPrivate}, ${now})
    ON CONFLICT (host, host_repo_id) DO UPDATE SET
      owner = excluded.owner, name = excluded.name,
      is_private = excluded.is_private, checked_at = excluded.checked_at, unreachable_since = NULL
    RETURNING ${repositoryColumns}`);
  if (!repository) throw new Error('The database stored a repository without returning it.');
  return repository;
}

/** Stores a repository that the host has just shown to a user, who may see it from then on if it is private. */
export async function saveSeenRepository(
  tx: Queries,
  { seen, userId, now }: { seen: RepositoryAsSeen; userId: string; now: Date },
): Promise<Repository> {
  const repository = await saveRepository(tx, seen, now);
  if (repository.isPrivate) await grantRepository(tx, { repositoryId: repository.id, userId, now });
  return repository;
}

/** The repository of this name that the viewer may see. After renames, the one that was confirmed last. */
export async function findVisibleRepository(
  db: Queries,
  { host, owner, name, viewer }: { host: string; owner: string; name: string; viewer: VisibilityViewer },
): Promise<Repository | null> {
  const [repository] = await db.query<Repository>(sql`
    SELECT ${repositoryColumns} FROM repositories
    WHERE host = ${host} AND lower(owner) = lower(${owner}) AND lower(name) = lower(${name}) AND ${visibleTo(viewer)}
    ORDER BY checked_at DESC LIMIT 1`);
  return repository ?? null;
}

/** The repository that an article is about, where the viewer may see it. */
export async function findRepositoryOfArticle(
  db: Queries,
  { articleId, viewer }: { articleId: string; viewer: VisibilityViewer },
): Promise<Repository | null> {
  const [repository] = await db.query<Repository>(sql`
    SELECT ${repositoryColumns}
    FROM articles
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN repositories ON repositories.id = pull_requests.repository_id
    WHERE articles.id = ${articleId} AND ${visibleTo(viewer)}`);
  return repository ?? null;
}

/** The repository that a job writes about, where the viewer may see it. */
export async function findRepositoryOfJob(
  db: Queries,
  { jobId, viewer }: { jobId: string; viewer: VisibilityViewer },
): Promise<Repository | null> {
  const [repository] = await db.query<Repository>(sql`
    SELECT ${repositoryColumns}
    FROM writing_jobs
    JOIN pull_requests ON pull_requests.id = writing_jobs.pull_request_id
    JOIN repositories ON repositories.id = pull_requests.repository_id
    WHERE writing_jobs.id = ${jobId} AND ${visibleTo(viewer)}`);
  return repository ?? null;
}

export async function markUnreachable(db: Queries, repositoryId: string, now: Date): Promise<void> {
  await db.query(sql`
    UPDATE repositories SET unreachable_since = COALESCE(unreachable_since, ${now}) WHERE id = ${repositoryId}`);
}

/** Every repository of a host whoever may see it: for keeping visibility up to date, never for showing. */
export async function listRepositoriesOfHost(db: Queries, host: string): Promise<Repository[]> {
  return db.query(sql`SELECT ${repositoryColumns} FROM repositories WHERE host = ${host} ORDER BY id`);
}

/** From now on only those who have a grant see it. */
export async function makePrivate(tx: Queries, repositoryId: string, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE repositories SET is_private = true, checked_at = ${now}, unreachable_since = NULL WHERE id = ${repositoryId}`,
  );
}

/** Notes that the host showed a private repository to a user. */
async function grantRepository(
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
