import type { PauseReason, WatchFilter } from '../domain/pull-requests.ts';
import {
  asKnownIdentity,
  type KnownIdentity,
  type KnownIdentityRow,
  knownIdentityColumns,
} from './accounts.ts';
import type { Queries } from './database.ts';
import { announceQueuedJobs, isAlive, isForFollowers, isJobDue, isOnlyWork, nextTurn } from './job-queue.ts';
import type { Tables } from './schema.ts';
import { type Sql, sql } from './sql.ts';
import { columnsFor, type DetailScope, type ListScope, type Repository, visibleTo } from './visibility.ts';

export interface StoredWatch
  extends Pick<Tables['repositories'], 'host'>,
    Pick<Tables['watches'], 'favoriteId' | 'owner' | 'name' | 'labels' | 'includeBots' | 'since'>,
    Pick<Tables['watches'], 'lastSeenAt' | 'pause' | 'pausedSince'> {
  language: string;
}

export const findRepositoryOfFavorite = (
  db: Queries,
  { favoriteId, viewer }: { favoriteId: string; viewer: DetailScope },
) =>
  db.first<Repository>(sql`
    SELECT ${columnsFor(viewer)}
    FROM favorite_repositories JOIN repositories ON repositories.id = favorite_repositories.repository_id
    WHERE favorite_repositories.id = ${favoriteId} AND favorite_repositories.user_id = ${viewer.userId}
      AND ${visibleTo(viewer)}`);

/** Whether the follower has lost access to the repository. */
const hasLostRights = sql`(repositories.is_private AND NOT EXISTS (
  SELECT FROM repository_grants AS grants
  WHERE grants.repository_id = watches.repository_id AND grants.user_id = watches.user_id AND NOT grants.withdrawn))`;

/** A follower without access sees the name that the repository had when they had access. */
const watchColumns = (viewer: ListScope) => sql`
  watches.favorite_id, repositories.host,
  CASE WHEN ${visibleTo(viewer)} THEN repositories.owner ELSE watches.owner END AS owner,
  CASE WHEN ${visibleTo(viewer)} THEN repositories.name ELSE watches.name END AS name,
  watches.language_code AS language, watches.labels, watches.include_bots, watches.since, watches.last_seen_at,
  CASE WHEN ${hasLostRights} THEN 'noRights' ELSE watches.pause END AS pause, watches.paused_since`;

const watchesOfUser = ({ userId }: ListScope) => sql`
  FROM watches JOIN repositories ON repositories.id = watches.repository_id
  WHERE watches.user_id = ${userId} AND NOT repositories.is_removed`;

export async function listWatches(
  db: Queries,
  { viewer, limit, offset }: { viewer: ListScope; limit: number; offset: number },
): Promise<{ rows: StoredWatch[]; total: number }> {
  const rows = await db.query<StoredWatch>(sql`
    SELECT ${watchColumns(viewer)} ${watchesOfUser(viewer)}
    ORDER BY watches.since DESC, watches.favorite_id LIMIT ${limit} OFFSET ${offset}`);
  return { rows, total: await db.count(sql`SELECT count(*) ${watchesOfUser(viewer)}`) };
}

export const findWatches = (
  db: Queries,
  { viewer, favoriteIds }: { viewer: ListScope; favoriteIds: string[] },
) =>
  db.query<StoredWatch>(sql`
    SELECT ${watchColumns(viewer)} ${watchesOfUser(viewer)} AND watches.favorite_id = ANY(${favoriteIds}::uuid[])`);

export interface WantedWatch {
  favoriteId: string;
  userId: string;
  repository: Pick<Repository, 'id' | 'owner' | 'name'>;
  language: string;
  labels: string[];
  includeBots: boolean;
  now: Date;
}

/** The result of following a favorite. */
type Saved = 'new' | 'changed' | 'same' | 'tooMany';

/**
 * Follows a favorite, up to a limit per user. Changed choices start again with the last merges. Concurrent calls of one
 * user take turns. Lock order: `watched_repositories` before `watches`.
 */
export async function saveWatch(tx: Queries, wanted: WantedWatch, most: number): Promise<Saved | null> {
  const { favoriteId, userId, repository, language, labels, includeBots, now } = wanted;
  await tx.query(sql`SELECT FROM users WHERE id = ${userId} FOR UPDATE`);
  const known = await tx.first<{ isSame: boolean } & Pick<Tables['watches'], 'pause'>>(sql`
    SELECT (language_code, labels, include_bots) = (${language}::text, ${labels}::text[], ${includeBots}::boolean)
      AS is_same, pause
    FROM watches WHERE favorite_id = ${favoriteId}`);
  if (known) {
    const { isSame, pause } = known;
    // Unchanged choices cause no poll, unless polling was paused for a token, which may have been saved since.
    await makeDue(tx, repository.id, { now, isAtOnce: !isSame || pause === 'noToken' });
    if (isSame) return 'same';
    await tx.query(sql`
      UPDATE watches SET language_code = ${language}, labels = ${labels}::text[], include_bots = ${includeBots},
        has_begun = false
      WHERE favorite_id = ${favoriteId}`);
    return 'changed';
  }
  const watched = await tx.count(sql`SELECT count(*) FROM watches WHERE user_id = ${userId}`);
  if (watched >= most) return 'tooMany';
  return (await insertWatch(tx, wanted)) ? 'new' : null;
}

async function insertWatch(tx: Queries, wanted: WantedWatch): Promise<boolean> {
  const { favoriteId, userId, repository, language, labels, includeBots, now } = wanted;
  const isFavorite = await tx.any(sql`
    SELECT FROM favorite_repositories WHERE id = ${favoriteId} AND user_id = ${userId} FOR SHARE`);
  if (!isFavorite) return false;
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

export const deleteWatch = (db: Queries, { favoriteId, userId }: { favoriteId: string; userId: string }) =>
  db.any(sql`DELETE FROM watches WHERE favorite_id = ${favoriteId} AND user_id = ${userId} RETURNING 1`);

/** The first poll for a new follower takes at most this long. */
const firstLookMs = 10 * 60 * 1000;

/** The number of articles being written for a followed repository; null before its first poll. */
export async function countArrivingPullRequests(
  db: Queries,
  { favoriteId, now }: { favoriteId: string; now: Date },
): Promise<number | null> {
  const since = new Date(now.getTime() - firstLookMs);
  const [row] = await db.query<{ isFirstLook: boolean; planned: number }>(sql`
    SELECT NOT has_begun AND pause IS NULL AND since > ${since} AS "isFirstLook",
      (SELECT count(*) FROM jobs AS planned
       WHERE planned.repository_id = watches.repository_id AND planned.work = 'planned' AND planned.parent_id IS NULL
         AND planned.language_code = watches.language_code AND planned.${isAlive} AND ${isJobDue(now)}) AS planned
    FROM watches WHERE favorite_id = ${favoriteId}`);
  return row?.isFirstLook ? null : (row?.planned ?? 0);
}

export interface HeldRepository
  extends Omit<Repository, 'checkedAt' | 'unreachableSince'>,
    Pick<Tables['watched_repositories'], 'askedBy' | 'failures' | 'webhookAt'> {
  /** A repository claimed again has a higher number, so an older claim cannot change it. */
  claim: number;
  /** The position in the list of the host, in a format of the host; null before the first poll. */
  cursor: string | null;
  wasTold: boolean;
}

/**
 * Claims the repository that has been due longest, so that only one process polls it. Ignores times that only a wrong
 * clock can have set. Does not check visibility: for polling, not for showing.
 */
export const claimRepositoryToPoll = (
  db: Queries,
  { now, until, latest }: { now: Date; until: Date; latest: { due: Date; held: Date } },
) =>
  db.first<HeldRepository>(sql`
    WITH due AS MATERIALIZED (
      SELECT repository_id, is_told FROM watched_repositories
      WHERE (due_at <= ${now} OR due_at > ${latest.due})
        AND (claimed_until IS NULL OR claimed_until <= ${now} OR claimed_until > ${latest.held})
      ORDER BY due_at, repository_id LIMIT 1 FOR UPDATE SKIP LOCKED),
    claimed AS (
      UPDATE watched_repositories AS watched SET claim = claim + 1, claimed_until = ${until}, is_told = false
      FROM due WHERE watched.repository_id = due.repository_id
      RETURNING watched.*, due.is_told AS was_told)
    SELECT repositories.id, repositories.host, repositories.host_repo_id, repositories.owner, repositories.name,
      repositories.is_private, claimed.claim, claimed.cursor, claimed.asked_by, claimed.failures, claimed.was_told,
      claimed.webhook_at
    FROM claimed JOIN repositories ON repositories.id = claimed.repository_id`);

/**
 * Deletes a repository without followers; false if it has one. The lock makes this statement see a follower who was
 * just added.
 */
export async function deleteUnwatchedPolls(tx: Queries, repositoryId: string): Promise<boolean> {
  await tx.query(sql`SELECT FROM watched_repositories WHERE repository_id = ${repositoryId} FOR UPDATE`);
  return tx.any(sql`
    DELETE FROM watched_repositories AS watched WHERE repository_id = ${repositoryId} AND NOT EXISTS (
      SELECT FROM watches WHERE watches.repository_id = watched.repository_id)
    RETURNING 1`);
}

export const countPublicPolls = (db: Queries, host: string) =>
  db.count(sql`
    SELECT count(*) FROM watched_repositories AS watched
    JOIN repositories ON repositories.id = watched.repository_id
    WHERE repositories.host = ${host} AND NOT repositories.is_private`);

export interface Watcher
  extends WatchFilter,
    Pick<Tables['watches'], 'favoriteId' | 'labels' | 'includeBots' | 'since' | 'hasBegun'> {
  user: NonNullable<KnownIdentity['user']>;
  identity: KnownIdentity['identity'];
  language: string;
  hasRights: boolean;
}

type WatcherRow = KnownIdentityRow & Omit<Watcher, 'user' | 'identity' | 'language'> & { wanted: string };

/** Followers in the order in which to try their tokens: the one that worked last first, those without access last. */
export async function listWatchers(
  db: Queries,
  repositoryId: string,
  { askedBy = null }: { askedBy?: string | null } = {},
): Promise<Watcher[]> {
  const rows = await db.query<WatcherRow>(sql`
    SELECT ${knownIdentityColumns}, watches.favorite_id, watches.language_code AS wanted, watches.since, watches.labels,
      watches.include_bots, watches.has_begun, NOT ${hasLostRights} AS "hasRights"
    FROM watches
    JOIN repositories ON repositories.id = watches.repository_id
    JOIN users ON users.id = watches.user_id
    JOIN identities ON identities.id = users.identity_id
    WHERE watches.repository_id = ${repositoryId} AND NOT repositories.is_removed
    ORDER BY NOT ${hasLostRights} DESC, watches.user_id IS DISTINCT FROM ${askedBy}::uuid, watches.since, watches.favorite_id`);
  return rows.flatMap(({ favoriteId, labels, includeBots, since, hasBegun, hasRights, ...row }) => {
    const { user, identity } = asKnownIdentity(row);
    const wishes = { favoriteId, language: row.wanted, labels, includeBots, since, hasBegun, hasRights };
    return user ? { user, identity, ...wishes } : [];
  });
}

interface WantedArticle {
  number: number;
  language: string;
}

/**
 * Plans each article once for all followers, with turns in the given order. Rows are inserted in the same order as in
 * `planAgain`, so that the two cannot deadlock.
 */
export async function planPolls(
  tx: Queries,
  { repositoryId, wanted, now }: { repositoryId: string; wanted: WantedArticle[]; now: Date },
): Promise<number> {
  if (wanted.length === 0) return 0;
  const planned = await tx.query(sql`
    INSERT INTO jobs (work, subject, is_planned, turn, repository_id, pr_number, language_code, queued_at, created_at)
    SELECT 'planned', concat_ws(' ', ${repositoryId}::text, number, language), true,
      ${nextTurn('planned', isForFollowers, now)} + place - 1, ${repositoryId}::uuid, number, language, ${now}::timestamptz,
      ${now}::timestamptz
    FROM unnest(${wanted.map(({ number }) => number)}::bigint[], ${wanted.map(({ language }) => language)}::text[])
      WITH ORDINALITY AS wanted (number, language, place)
    ORDER BY number, language
    ON CONFLICT (work, subject) WHERE ${isOnlyWork} DO NOTHING RETURNING 1`);
  if (planned.length > 0) await tx.query(announceQueuedJobs);
  return planned.length;
}

const isHeld = ({ id, claim }: Pick<HeldRepository, 'id' | 'claim'>): Sql =>
  sql`repository_id = ${id} AND claim = ${claim}`;

/** Saves the position and whose token was used; false if another process has claimed the repository. */
export const savePollPosition = (
  tx: Queries,
  held: HeldRepository,
  { cursor, askedBy }: { cursor: string; askedBy: string | null },
) =>
  tx.any(sql`
    UPDATE watched_repositories SET cursor = ${cursor}, asked_by = ${askedBy}, failures = 0
    WHERE ${isHeld(held)} RETURNING 1`);

/** Schedules the next poll, which is at once if a webhook arrived during this one. */
export const releasePolledRepository = (
  db: Queries,
  held: HeldRepository,
  { dueAt, now, hasFailed }: { dueAt: Date; now: Date; hasFailed: boolean },
) =>
  db.run(sql`
    UPDATE watched_repositories SET claimed_until = NULL,
      due_at = CASE WHEN is_told AND NOT ${hasFailed} THEN ${now}::timestamptz ELSE ${dueAt}::timestamptz END,
      failures = failures + ${hasFailed ? 1 : 0}
    WHERE ${isHeld(held)}`);

export async function notePollSeen(
  tx: Queries,
  seen: {
    repositoryId: string;
    favoriteIds: string[];
    askedBy: string | null;
    lists: Pick<ListScope, 'now' | 'confirmedWithinMs'>;
  },
): Promise<void> {
  const { repositoryId, favoriteIds, askedBy, lists } = seen;
  const viewer = { ...lists, userId: sql`watches.user_id`, purpose: 'list' } as const;
  const mayKnow = sql`(NOT repositories.is_private OR watches.user_id = ${askedBy}::uuid OR (${visibleTo(viewer)}))`;
  await tx.query(sql`
    UPDATE watches SET last_seen_at = ${lists.now}, pause = NULL, paused_since = NULL, has_begun = true,
      owner = CASE WHEN ${mayKnow} THEN repositories.owner ELSE watches.owner END,
      name = CASE WHEN ${mayKnow} THEN repositories.name ELSE watches.name END
    FROM repositories
    WHERE repositories.id = watches.repository_id AND watches.repository_id = ${repositoryId}
      AND watches.favorite_id = ANY(${favoriteIds}::uuid[])`);
}

export const noteWatchPause = (
  db: Queries,
  { favoriteIds, pause, now }: { favoriteIds: string[]; pause: PauseReason; now: Date },
) =>
  db.run(sql`
    UPDATE watches SET pause = ${pause},
      paused_since = CASE WHEN pause IS NULL OR paused_since IS NULL THEN ${now}::timestamptz ELSE paused_since END
    WHERE favorite_id = ANY(${favoriteIds}::uuid[]) AND pause IS DISTINCT FROM ${pause}`);
