import type { PauseReason } from '../domain/watching.ts';
import type { Queries } from './database.ts';
import { columnsFor, type Repository } from './repositories.ts';
import { sql } from './sql.ts';
import { type DetailViewer, type ListViewer, visibleTo } from './visibility.ts';

/** A watch as its user sees it. */
export interface StoredWatch {
  favoriteId: string;
  host: string;
  owner: string;
  name: string;
  language: string;
  labels: string[];
  includeBots: boolean;
  since: Date;
  lastSeenAt: Date | null;
  pause: PauseReason | null;
  pausedSince: Date | null;
}

/** The repository of a favorite of the viewer, where they may see it. */
export async function findRepositoryOfFavorite(
  db: Queries,
  { favoriteId, viewer }: { favoriteId: string; viewer: DetailViewer },
): Promise<Repository | null> {
  const [repository] = await db.query<Repository>(sql`
    SELECT ${columnsFor(viewer)}
    FROM favorite_repositories JOIN repositories ON repositories.id = favorite_repositories.repository_id
    WHERE favorite_repositories.id = ${favoriteId} AND favorite_repositories.user_id = ${viewer.userId}
      AND ${visibleTo(viewer)}`);
  return repository ?? null;
}

/** Whether the host is known to show a repository to the user of a watch no longer. */
export const hasLostRights = sql`(repositories.is_private AND NOT EXISTS (
  SELECT FROM repository_grants AS grants
  WHERE grants.repository_id = watches.repository_id AND grants.user_id = watches.user_id AND NOT grants.withdrawn))`;

/** What a user may not see at the moment is called what it was called when they saw it. */
const watchColumns = (viewer: ListViewer) => sql`
  watches.favorite_id AS "favoriteId", repositories.host,
  CASE WHEN ${visibleTo(viewer)} THEN repositories.owner ELSE watches.owner END AS owner,
  CASE WHEN ${visibleTo(viewer)} THEN repositories.name ELSE watches.name END AS name,
  watches.language_code AS language, watches.labels, watches.include_bots AS "includeBots", watches.since,
  watches.last_seen_at AS "lastSeenAt",
  CASE WHEN ${hasLostRights} THEN 'noRights' ELSE watches.pause END AS pause, watches.paused_since AS "pausedSince"`;

const watchesOf = ({ userId }: ListViewer) => sql`
  FROM watches JOIN repositories ON repositories.id = watches.repository_id
  WHERE watches.user_id = ${userId} AND NOT repositories.is_removed`;

/** Those of the viewer, the newest first; of some favorites, where these are named. */
export async function listWatches(
  db: Queries,
  { viewer, limit, offset }: { viewer: ListViewer; limit: number; offset: number },
): Promise<{ rows: StoredWatch[]; total: number }> {
  const rows = await db.query<StoredWatch>(sql`
    SELECT ${watchColumns(viewer)} ${watchesOf(viewer)}
    ORDER BY watches.since DESC, watches.favorite_id LIMIT ${limit} OFFSET ${offset}`);
  const [counted] = await db.query<{ total: number }>(sql`SELECT count(*) AS total ${watchesOf(viewer)}`);
  return { rows, total: counted?.total ?? 0 };
}

/** Those of some favorites. */
export async function findWatches(
  db: Queries,
  { viewer, favoriteIds }: { viewer: ListViewer; favoriteIds: string[] },
): Promise<StoredWatch[]> {
  return db.query(sql`
    SELECT ${watchColumns(viewer)} ${watchesOf(viewer)} AND watches.favorite_id = ANY(${favoriteIds}::uuid[])`);
}

export interface WantedWatch {
  favoriteId: string;
  userId: string;
  repository: Pick<Repository, 'id' | 'owner' | 'name'>;
  language: string;
  labels: string[];
  includeBots: boolean;
  now: Date;
}

/** What came of the wish to watch; null where the user or the favorite has gone. */
type Saved = 'new' | 'changed' | 'same' | 'tooMany';

/**
 * Has a favorite watched, as one of a number that a user may watch. What is wanted otherwise than before begins anew, with what
 * was merged before. Of wishes of one user at the same time, each waits for the one before. When its host is asked is locked
 * before who watches it, by all who lock both.
 */
export async function saveWatch(tx: Queries, wanted: WantedWatch, most: number): Promise<Saved | null> {
  const { favoriteId, userId, repository, language, labels, includeBots, now } = wanted;
  await tx.query(sql`SELECT FROM users WHERE id = ${userId} FOR UPDATE`);
  const [standing] = await tx.query<{ isSame: boolean; pause: PauseReason | null }>(sql`
    SELECT (language_code, labels, include_bots) = (${language}::text, ${labels}::text[], ${includeBots}::boolean)
      AS "isSame", pause
    FROM watches WHERE favorite_id = ${favoriteId}`);
  if (standing) {
    const { isSame, pause } = standing;
    // What is the same is no reason to ask a host again, unless its user may have saved the token that was missing.
    await makeDue(tx, repository.id, { now, isAtOnce: !isSame || pause === 'noToken' });
    if (isSame) return 'same';
    await tx.query(sql`
      UPDATE watches SET language_code = ${language}, labels = ${labels}::text[], include_bots = ${includeBots},
        has_begun = false
      WHERE favorite_id = ${favoriteId}`);
    return 'changed';
  }
  const [counted] = await tx.query<{ watched: number }>(
    sql`SELECT count(*) AS watched FROM watches WHERE user_id = ${userId}`,
  );
  if ((counted?.watched ?? 0) >= most) return 'tooMany';
  return (await insertWatch(tx, wanted)) ? 'new' : null;
}

/** False where the favorite has gone. */
async function insertWatch(tx: Queries, wanted: WantedWatch): Promise<boolean> {
  const { favoriteId, userId, repository, language, labels, includeBots, now } = wanted;
  const favorites = await tx.query(sql`
    SELECT 1 FROM favorite_repositories WHERE id = ${favoriteId} AND user_id = ${userId} FOR SHARE`);
  if (favorites.length === 0) return false;
  await makeDue(tx, repository.id, { now, isAtOnce: true });
  await tx.query(sql`
    INSERT INTO watches (favorite_id, repository_id, user_id, owner, name, language_code, labels, include_bots, since)
    VALUES (${favoriteId}, ${repository.id}, ${userId}, ${repository.owner}, ${repository.name}, ${language},
      ${labels}::text[], ${includeBots}, ${now})`);
  return true;
}

async function makeDue(
  tx: Queries,
  repositoryId: string,
  { now, isAtOnce }: { now: Date; isAtOnce: boolean },
): Promise<void> {
  const ifKnown = isAtOnce ? sql`UPDATE SET due_at = least(watched.due_at, excluded.due_at)` : sql`NOTHING`;
  await tx.query(sql`
    INSERT INTO watched_repositories AS watched (repository_id, due_at) VALUES (${repositoryId}, ${now})
    ON CONFLICT (repository_id) DO ${ifKnown}`);
}

/** Has a favorite watched no longer; false when it was not watched. */
export async function deleteWatch(
  db: Queries,
  { favoriteId, userId }: { favoriteId: string; userId: string },
): Promise<boolean> {
  const rows = await db.query(
    sql`DELETE FROM watches WHERE favorite_id = ${favoriteId} AND user_id = ${userId} RETURNING 1`,
  );
  return rows.length > 0;
}

/** For so long after it was begun, the first look of a watch is worth waiting for. */
const firstLookMs = 10 * 60 * 1000;

/**
 * How many articles are being written because a favorite is watched; null where that is not known yet, because its host is
 * about to be asked for the first time.
 */
export async function countArriving(
  db: Queries,
  { favoriteId, now }: { favoriteId: string; now: Date },
): Promise<number | null> {
  const since = new Date(now.getTime() - firstLookMs);
  const [row] = await db.query<{ isFirstLook: boolean; planned: number }>(sql`
    SELECT NOT has_begun AND pause IS NULL AND since > ${since} AS "isFirstLook",
      (SELECT count(*) FROM planned_articles AS planned
       WHERE planned.repository_id = watches.repository_id AND planned.import_id IS NULL
         AND planned.language_code = watches.language_code AND planned.state IN ('waiting', 'running')
         AND planned.not_before <= ${now}) AS planned
    FROM watches WHERE favorite_id = ${favoriteId}`);
  return row?.isFirstLook ? null : (row?.planned ?? 0);
}
