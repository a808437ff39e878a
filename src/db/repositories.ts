import type { Queries } from './database.ts';
import { learnRemovals } from './learn-removals.ts';
import { isRemovedAsWhole } from './removals.ts';
import { grantRepository } from './repository-grants.ts';
import { type Sql, sql } from './sql.ts';
import { knownTo, type VisibilityViewer, visibleTo } from './visibility.ts';

interface RepositoryAsSeen {
  host: string;
  hostRepoId: number;
  owner: string;
  name: string;
  isPrivate: boolean;
}

/** A repository as a viewer sees it: what is private is known to each by an answer of their own. */
export interface Repository extends RepositoryAsSeen {
  id: string;
  /** When the host was last asked about it and answered. */
  checkedAt: Date;
  /** Since when it has not answered, if it does not. */
  unreachableSince: Date | null;
}

const ownColumns = sql`
  repositories.id, repositories.host, repositories.host_repo_id AS "hostRepoId", repositories.owner,
  repositories.name, repositories.is_private AS "isPrivate"`;

export const columnsFor = (viewer: { userId: string | null }): Sql => sql`${ownColumns}, ${knownTo(viewer)}`;

/** As it is known to an anonymous viewer. */
const columns = columnsFor({ userId: null });

/**
 * Stores a repository the way its host described it when it was asked at a moment, unless it is known what the host said
 * later. Of two answers of the same moment, the one that hides it holds. Returns what holds; the row is locked. Within a
 * transaction nothing can be removed by its name unnoticed.
 */
export async function saveRepository(
  tx: Queries,
  seen: RepositoryAsSeen,
  askedAt: Date,
  /** Whether a reader waits for it. */
  { isRead = true } = {},
): Promise<Repository> {
  const { host, hostRepoId, owner, name, isPrivate } = seen;
  const [saved] = await tx.query<Repository>(sql`
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at, read_at, is_removed)
    VALUES (${host}, ${hostRepoId}, ${owner}, ${name}, ${isPrivate}, ${askedAt}, ${askedAt}, ${isRemovedAsWhole(seen)})
    ON CONFLICT (host, host_repo_id) DO UPDATE SET
      owner = excluded.owner, name = excluded.name, is_private = excluded.is_private, checked_at = excluded.checked_at,
      read_at = ${isRead ? sql`excluded` : sql`repositories`}.read_at, unreachable_since = NULL,
      is_removed = excluded.is_removed
    WHERE repositories.checked_at < excluded.checked_at OR (repositories.checked_at = excluded.checked_at
      AND (excluded.is_private OR NOT repositories.is_private))
    RETURNING ${columns}`);
  await learnRemovals(tx, seen, askedAt);
  if (saved) return saved;
  const [newer] = await tx.query<Repository>(
    sql`SELECT ${columns} FROM repositories WHERE host = ${host} AND host_repo_id = ${hostRepoId}`,
  );
  if (!newer) throw new Error('The database neither stored a repository nor has it.');
  return newer;
}

/** Stores a repository that the host has shown to a user, or to an anonymous viewer; a user may see it from then on if it is private. */
export async function saveSeenRepository(
  tx: Queries,
  { seen, userId, askedAt }: { seen: RepositoryAsSeen; userId: string | null; askedAt: Date },
): Promise<Repository> {
  const repository = await saveRepository(tx, seen, askedAt);
  if (seen.isPrivate && userId !== null)
    await grantRepository(tx, { repositoryId: repository.id, userId, askedAt });
  return repository;
}

interface VisibleName {
  host: string;
  owner: string;
  name: string;
  viewer: VisibilityViewer;
}

/** The repository of a name that the viewer may see. After renames, the one that was confirmed last. */
const ofVisibleName = ({ host, owner, name, viewer }: VisibleName) => sql`
  FROM repositories
  WHERE host = ${host} AND lower(owner) = lower(${owner}) AND lower(name) = lower(${name}) AND ${visibleTo(viewer)}
  ORDER BY repositories.checked_at DESC LIMIT 1`;

/** Its id, for statements that find something of it. */
export const idOfVisibleRepository = (named: VisibleName): Sql => sql`(SELECT id ${ofVisibleName(named)})`;

export async function findVisibleRepository(db: Queries, named: VisibleName): Promise<Repository | null> {
  const [repository] = await db.query<Repository>(
    sql`SELECT ${columnsFor(named.viewer)} ${ofVisibleName(named)}`,
  );
  return repository ?? null;
}

/** The repository of this id that the viewer may see. */
export async function findRepository(
  db: Queries,
  { repositoryId, viewer }: { repositoryId: string; viewer: VisibilityViewer },
): Promise<Repository | null> {
  const [repository] = await db.query<Repository>(
    sql`SELECT ${columnsFor(viewer)} FROM repositories WHERE id = ${repositoryId} AND ${visibleTo(viewer)}`,
  );
  return repository ?? null;
}

/** The repository that an article is about, where the viewer may see it. */
export async function findRepositoryOfArticle(
  db: Queries,
  { articleId, viewer }: { articleId: string; viewer: VisibilityViewer },
): Promise<Repository | null> {
  const [repository] = await db.query<Repository>(sql`
    SELECT ${columnsFor(viewer)}
    FROM articles
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN repositories ON repositories.id = pull_requests.repository_id
    WHERE articles.id = ${articleId} AND ${visibleTo(viewer)}`);
  return repository ?? null;
}

/** Every repository of a host, without a check of visibility: for keeping visibility up to date, never for showing. */
export async function listRepositoriesOfHost(db: Queries, host: string): Promise<Repository[]> {
  return db.query(sql`SELECT ${columns} FROM repositories WHERE host = ${host} ORDER BY id`);
}

/** Those of a host that lists show to any viewer by what it last said before a moment: for asking again. */
export async function listUnconfirmedRepositories(
  db: Queries,
  { host, before }: { host: string; before: Date },
): Promise<Repository[]> {
  return db.query(sql`
    SELECT ${columns} FROM repositories
    WHERE host = ${host} AND CASE WHEN is_private THEN EXISTS (
      SELECT FROM repository_grants AS grants
      WHERE grants.repository_id = repositories.id AND NOT grants.withdrawn AND grants.confirmed_at <= ${before})
      ELSE checked_at <= ${before} END
    ORDER BY id`);
}

/** Notes that a host was asked about public repositories and said that they still are, unless it said something later. */
export async function confirmPublic(
  db: Queries,
  { repositoryIds, askedAt }: { repositoryIds: string[]; askedAt: Date },
): Promise<void> {
  await db.query(
    sql`
      UPDATE repositories SET checked_at = ${askedAt}, unreachable_since = NULL
      WHERE id = ANY (${repositoryIds}::uuid[]) AND NOT is_private AND checked_at < ${askedAt}`,
  );
}

/** When the host was asked about a repository that is known. */
interface Check {
  repositoryId: string;
  askedAt: Date;
}

/** From now on only those who have a grant see it, unless the host said otherwise later. */
export async function makePrivate(tx: Queries, { repositoryId, askedAt }: Check): Promise<void> {
  await tx.query(
    sql`
      UPDATE repositories SET is_private = true, checked_at = ${askedAt}, unreachable_since = NULL
      WHERE id = ${repositoryId} AND checked_at <= ${askedAt}`,
  );
}

/** Notes that the host gave no answer about a public repository, unless it answered later. */
export async function markUnreachable(db: Queries, { repositoryId, askedAt }: Check): Promise<void> {
  await db.query(
    sql`
      UPDATE repositories SET unreachable_since = ${askedAt}
      WHERE id = ${repositoryId} AND NOT is_private AND unreachable_since IS NULL AND checked_at <= ${askedAt}`,
  );
}

/** Long ago: what has been unreachable for so long is hidden. */
const longAgo = new Date(0);

/** Hides what hosts have shown that are no longer asked, and shows again what was hidden for that reason alone. */
export async function showOnlyHosts(db: Queries, hosts: string[]): Promise<void> {
  await db.query(sql`
    UPDATE repositories SET unreachable_since = ${longAgo}
    WHERE host <> ALL (${hosts}::text[]) AND unreachable_since IS DISTINCT FROM ${longAgo}`);
  await db.query(sql`
    UPDATE repositories SET unreachable_since = NULL WHERE host = ANY (${hosts}::text[]) AND unreachable_since = ${longAgo}`);
}
