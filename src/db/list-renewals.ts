import type { Queries } from './database.ts';
import { columnsFor, type Repository } from './repositories.ts';
import { sql } from './sql.ts';
import { isRevoked, silenceMs, type VisibilityViewer, visibleTo } from './visibility.ts';

/** How many rows of each list are looked at to find what people see first when they come: some pages. */
const rowsSeenFirst = 200;

/** A question in vain is asked again after this part of the time for which there has been no answer, so ever more rarely. */
const askedAgainAfter = 1 / 16;

/**
 * For how long one is not asked for again that got no answer. Those that silence is about to hide are asked for several
 * times before: each time when twice as much of it has passed, until that is longer than others wait, and than silence takes.
 */
const pause = sql`CASE WHEN unreachable_since IS NULL
  THEN (unanswered_at - checked_at) * ${askedAgainAfter}::double precision
  ELSE LEAST(unanswered_at - unreachable_since, GREATEST(
    (unanswered_at - checked_at) * ${askedAgainAfter}::double precision,
    ${silenceMs / 1000}::double precision * interval '1 second')) END`;

const seenFirst = sql`
  SELECT newest.repository_id FROM (
    SELECT repository_id FROM article_contents ORDER BY listed_at DESC, article_id, language_code LIMIT ${rowsSeenFirst}
  ) AS newest
  UNION
  SELECT ranked.repository_id FROM ranking_windows AS windows CROSS JOIN LATERAL (
    SELECT repository_id FROM article_rankings AS rankings WHERE rankings.period = windows.period
    ORDER BY like_count DESC, written_at DESC, article_id, language_code LIMIT ${rowsSeenFirst}
  ) AS ranked`;

/**
 * Public repositories of a host that lists can show and that were last confirmed before a moment, or that it gave no answer
 * about, or told that something has changed, for confirming them: first what is hidden by that, then what silence is about to hide, then those that lists begin with, then those that were
 * read last.
 */
export async function listDueRepositories(
  db: Queries,
  { host, now, before, limit }: { host: string; now: Date; before: Date; limit: number },
): Promise<Repository[]> {
  const soonHidden = new Date(now.getTime() - silenceMs);
  return db.query(sql`
    SELECT ${columnsFor({ userId: null })} FROM repositories
    WHERE host = ${host} AND NOT is_private AND NOT is_removed
      AND (checked_at <= ${before} OR unreachable_since IS NOT NULL OR ${isRevoked})
      AND (unanswered_at IS NULL OR unanswered_at <= checked_at OR ${now}::timestamptz - unanswered_at > ${pause})
      AND (EXISTS (SELECT FROM articles WHERE repository_id = repositories.id)
      OR EXISTS (SELECT FROM favorite_repositories WHERE repository_id = repositories.id))
    ORDER BY ${isRevoked} IS TRUE DESC, coalesce(unreachable_since > ${soonHidden}, false) DESC, id IN (${seenFirst}) DESC,
      read_at DESC NULLS LAST, id
    LIMIT ${limit}`);
}

/**
 * Repositories of a host that have become private and that it has shown nobody since, for asking whether they are public again:
 * ever more rarely, and first those that were read last.
 */
export const listHiddenRepositories = (
  db: Queries,
  { host, now, limit }: { host: string; now: Date; limit: number },
) =>
  db.query<Repository>(sql`
    SELECT ${columnsFor({ userId: null })} FROM repositories
    WHERE host = ${host} AND is_private AND NOT is_removed
      AND ${now}::timestamptz - checked_at > GREATEST(${silenceMs / 1000}::double precision * interval '1 second',
        (checked_at - read_at) * ${askedAgainAfter}::double precision)
      AND (unanswered_at IS NULL OR unanswered_at <= checked_at OR ${now}::timestamptz - unanswered_at > ${pause})
      AND NOT EXISTS (SELECT FROM repository_grants AS grants WHERE grants.repository_id = repositories.id AND NOT grants.withdrawn)
      AND (EXISTS (SELECT FROM pull_requests WHERE repository_id = repositories.id)
      OR EXISTS (SELECT FROM favorite_repositories WHERE repository_id = repositories.id))
    ORDER BY read_at DESC NULLS LAST, id
    LIMIT ${limit}`);

/** Notes that the service asked about a repository by itself and got no answer. */
export const noteUnanswered = (db: Queries, { repositoryId, now }: { repositoryId: string; now: Date }) =>
  db.run(sql`UPDATE repositories SET unanswered_at = ${now} WHERE id = ${repositoryId}`);

/**
 * Takes the right to ask a host in the background until a time; of any number of processes that try, one gets it. A time
 * that no process could have set, but for a clock that was wrong, does not count.
 */
export const claimRound = (
  db: Queries,
  { host, now, until, latest }: { host: string; now: Date; until: Date; latest: Date },
) =>
  db.any(sql`
    UPDATE code_host_addresses SET next_round_at = ${until}
    WHERE host = ${host} AND (next_round_at IS NULL OR next_round_at <= ${now} OR next_round_at > ${latest})
    RETURNING 1`);

/** What a user sees by grants that were last confirmed before a moment, or that the host gave no answer about, for confirming them: the newest first. */
export const listDueGrants = (
  db: Queries,
  { userId, hosts, before, limit }: { userId: string; hosts: string[]; before: Date; limit: number },
) =>
  db.query<Repository>(sql`
    SELECT ${columnsFor({ userId })} FROM repository_grants AS held
    JOIN repositories ON repositories.id = held.repository_id
    JOIN users ON users.id = held.user_id
    WHERE held.user_id = ${userId} AND NOT held.withdrawn
      AND (held.confirmed_at <= GREATEST(${before}, repositories.revoked_at, users.rights_revoked_at)
        OR held.unreachable_since IS NOT NULL)
      AND repositories.is_private AND NOT repositories.is_removed AND repositories.host = ANY (${hosts}::text[])
    ORDER BY held.unreachable_since IS NOT NULL, held.confirmed_at DESC, repositories.id
    LIMIT ${limit}`);

const beginning = sql`(SELECT min(applied_at) FROM schema_migrations)`;

/** Since when there is this database. */
export async function findBeginning(db: Queries): Promise<Date> {
  const [found] = await db.query<{ since: Date }>(sql`SELECT ${beginning} AS since`);
  return found?.since ?? new Date(0);
}

/**
 * When a repository was first written about here; before that, since when there is a database. When a user first followed it is
 * not told: feeds are public.
 */
export async function findKnownSince(
  db: Queries,
  { repositoryId, viewer }: { repositoryId: string; viewer: VisibilityViewer },
): Promise<Date> {
  const [found] = await db.query<{ since: Date }>(sql`
    SELECT coalesce(
      (SELECT min(articles.created_at) FROM articles JOIN pull_requests ON pull_requests.id = articles.pull_request_id
        WHERE pull_requests.repository_id = repositories.id), ${beginning}) AS since
    FROM repositories WHERE repositories.id = ${repositoryId} AND ${visibleTo(viewer)}`);
  return found?.since ?? findBeginning(db);
}
