import type { PauseReason, WatchFilter } from '../domain/watching.ts';
import type { Queries } from './database.ts';
import type { Repository } from './repositories.ts';
import { type Sql, sql } from './sql.ts';
import { asKnownIdentity, type KnownIdentity, type KnownIdentityRow, knownIdentityColumns } from './users.ts';
import { type ListViewer, visibleTo } from './visibility.ts';
import { hasLostRights } from './watches.ts';
import { announceQueued } from './writing-jobs.ts';

/** A repository that a process asks its host about, for as long as it holds it. */
export interface HeldRepository extends Omit<Repository, 'checkedAt' | 'unreachableSince'> {
  /** Which claim this is. A process with an older one can note nothing any more. */
  claim: number;
  /** How far the host has told, in its own words; null where it has not been asked. */
  cursor: string | null;
  askedBy: string | null;
  failures: number;
  /** Whether it is asked about because the host told that something was merged. */
  wasTold: boolean;
  /** When the host last told of anything there; null where it never did. */
  webhookAt: Date | null;
}

/**
 * Takes the repository that has been due longest, until a time; of any number of processes that try, one gets it. A time that
 * no process could have set, but for a clock that was wrong, does not count. Without a check of visibility: for asking, never
 * for showing.
 */
export async function claimWatched(
  db: Queries,
  { now, until, latest }: { now: Date; until: Date; latest: { due: Date; held: Date } },
): Promise<HeldRepository | null> {
  const [claimed] = await db.query<HeldRepository>(sql`
    WITH due AS MATERIALIZED (
      SELECT repository_id, is_told FROM watched_repositories
      WHERE (due_at <= ${now} OR due_at > ${latest.due})
        AND (claimed_until IS NULL OR claimed_until <= ${now} OR claimed_until > ${latest.held})
      ORDER BY due_at, repository_id LIMIT 1 FOR UPDATE SKIP LOCKED),
    claimed AS (
      UPDATE watched_repositories AS watched SET claim = claim + 1, claimed_until = ${until}, is_told = false
      FROM due WHERE watched.repository_id = due.repository_id
      RETURNING watched.*, due.is_told AS was_told)
    SELECT repositories.id, repositories.host, repositories.host_repo_id AS "hostRepoId", repositories.owner,
      repositories.name, repositories.is_private AS "isPrivate", claimed.claim, claimed.cursor,
      claimed.asked_by AS "askedBy", claimed.failures, claimed.was_told AS "wasTold", claimed.webhook_at AS "webhookAt"
    FROM claimed JOIN repositories ON repositories.id = claimed.repository_id`);
  return claimed ?? null;
}

/**
 * Forgets a repository that no user watches any more; false where one does. Who begins to watch locks the row too: only a
 * statement that begins when the row is locked sees all who watch.
 */
export async function forgetUnwatched(tx: Queries, repositoryId: string): Promise<boolean> {
  await tx.query(sql`SELECT FROM watched_repositories WHERE repository_id = ${repositoryId} FOR UPDATE`);
  const rows = await tx.query(
    sql`
      DELETE FROM watched_repositories AS watched WHERE repository_id = ${repositoryId} AND NOT EXISTS (
        SELECT FROM watches WHERE watches.repository_id = watched.repository_id)
      RETURNING 1`,
  );
  return rows.length > 0;
}

/** How many repositories of a host are watched that are asked about with the rights of the service. */
export async function countWatchedPublic(db: Queries, host: string): Promise<number> {
  const [row] = await db.query<{ watched: number }>(sql`
    SELECT count(*) AS watched FROM watched_repositories AS watched
    JOIN repositories ON repositories.id = watched.repository_id
    WHERE repositories.host = ${host} AND NOT repositories.is_private`);
  return row?.watched ?? 0;
}

/** One who watches a repository, and what they want of it. */
export interface Watcher extends WatchFilter {
  favoriteId: string;
  user: NonNullable<KnownIdentity['user']>;
  identity: KnownIdentity['identity'];
  language: string;
  since: Date;
  hasBegun: boolean;
  /** Whether the host is not known to show it to them no longer. */
  hasRights: boolean;
}

type WatcherRow = KnownIdentityRow & Omit<Watcher, 'user' | 'identity' | 'language'> & { wanted: string };

/** Who watches a repository: first the one with whose token it was last seen, last those who have lost the right to see it. */
export async function listWatchers(
  db: Queries,
  repositoryId: string,
  { askedBy = null }: { askedBy?: string | null } = {},
): Promise<Watcher[]> {
  const rows = await db.query<WatcherRow>(sql`
    SELECT ${knownIdentityColumns}, watches.favorite_id AS "favoriteId", watches.language_code AS wanted,
      watches.since, watches.labels, watches.include_bots AS "includeBots", watches.has_begun AS "hasBegun",
      NOT ${hasLostRights} AS "hasRights"
    FROM watches
    JOIN repositories ON repositories.id = watches.repository_id
    JOIN users ON users.id = watches.user_id
    JOIN identities ON identities.id = users.identity_id
    WHERE watches.repository_id = ${repositoryId} AND NOT repositories.is_removed
    ORDER BY NOT ${hasLostRights} DESC, watches.user_id IS DISTINCT FROM ${askedBy}::uuid, watches.since, watches.favorite_id`);
  return rows.flatMap(
    ({ favoriteId, wanted: language, labels, includeBots, since, hasBegun, hasRights, ...row }) => {
      const { user, identity } = asKnownIdentity(row);
      return user
        ? { favoriteId, user, identity, language, labels, includeBots, since, hasBegun, hasRights }
        : [];
    },
  );
}

/** An article that is wanted of a pull request that was merged. */
export interface WantedArticle {
  number: number;
  language: string;
}

/**
 * Plans articles on behalf of all who watch, in the order given, each once however often it is heard of. They are numbered in that
 * order and inserted in that of `planAgain`, which may plan the same at the same time.
 */
export async function planWatched(
  tx: Queries,
  { repositoryId, wanted, now }: { repositoryId: string; wanted: WantedArticle[]; now: Date },
): Promise<number> {
  if (wanted.length === 0) return 0;
  const planned = await tx.query(sql`
    WITH wanted AS (
      SELECT number, language
      FROM unnest(${wanted.map(({ number }) => number)}::bigint[], ${wanted.map(({ language }) => language)}::text[])
        WITH ORDINALITY AS wanted (number, language, place)
      ORDER BY place),
    numbered AS MATERIALIZED (
      SELECT nextval(pg_get_serial_sequence('planned_articles', 'id')) AS id, number, language FROM wanted)
    INSERT INTO planned_articles (id, repository_id, pr_number, language_code, not_before) OVERRIDING SYSTEM VALUE
    SELECT id, ${repositoryId}::uuid, number, language, ${now}::timestamptz
    FROM numbered ORDER BY number, language
    ON CONFLICT (repository_id, pr_number, language_code) WHERE import_id IS NULL DO NOTHING
    RETURNING 1`);
  if (planned.length > 0) await tx.query(announceQueued);
  return planned.length;
}

const isHeld = ({ id, claim }: Pick<HeldRepository, 'id' | 'claim'>): Sql =>
  sql`repository_id = ${id} AND claim = ${claim}`;

/** Notes how far the host has told, and with whose token; false when another process holds the repository now. */
export async function noteHeard(
  tx: Queries,
  held: HeldRepository,
  { cursor, askedBy }: { cursor: string; askedBy: string | null },
): Promise<boolean> {
  const rows = await tx.query(sql`
    UPDATE watched_repositories SET cursor = ${cursor}, asked_by = ${askedBy}, failures = 0
    WHERE ${isHeld(held)} RETURNING 1`);
  return rows.length > 0;
}

/** Lets the repository be asked about again from a time on, or at once where its host has told of more since it was asked. */
export async function releaseWatched(
  db: Queries,
  held: HeldRepository,
  { dueAt, now, hasFailed }: { dueAt: Date; now: Date; hasFailed: boolean },
): Promise<void> {
  await db.query(
    sql`
      UPDATE watched_repositories SET claimed_until = NULL,
        due_at = CASE WHEN is_told AND NOT ${hasFailed} THEN ${now}::timestamptz ELSE ${dueAt}::timestamptz END,
        failures = failures + ${hasFailed ? 1 : 0}
      WHERE ${isHeld(held)}`,
  );
}

/**
 * Notes for some who watch a repository that the host has told what is merged. What was planned of what was merged before is
 * planned once. What the repository is called is noted only for those who may know: a new name tells something of it.
 */
export async function noteSeen(
  tx: Queries,
  {
    repositoryId,
    favoriteIds,
    askedBy,
    lists,
  }: {
    repositoryId: string;
    favoriteIds: string[];
    askedBy: string | null;
    lists: Pick<ListViewer, 'now' | 'listedForMs'>;
  },
): Promise<void> {
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

/** Notes for some who watch a repository why it is not watched for them at the moment, and since when. */
export async function notePause(
  db: Queries,
  { favoriteIds, pause, now }: { favoriteIds: string[]; pause: PauseReason; now: Date },
): Promise<void> {
  await db.query(
    sql`
      UPDATE watches SET pause = ${pause},
        paused_since = CASE WHEN pause IS NULL OR paused_since IS NULL THEN ${now}::timestamptz ELSE paused_since END
      WHERE favorite_id = ANY(${favoriteIds}::uuid[]) AND pause IS DISTINCT FROM ${pause}`,
  );
}
