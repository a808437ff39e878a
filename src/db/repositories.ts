import type { Queries } from './database.ts';
import { isRemovedAsWhole, learnRemovals } from './removals.ts';
import { grantRepository } from './rights.ts';
import type { Tables } from './schema.ts';
import { hiddenFromPlanner, type Sql, sql } from './sql.ts';
import {
  columnsFor,
  hiddenFrom,
  isRevoked,
  type Repository,
  silenceMs,
  type VisibilityViewer,
  visibleTo,
} from './visibility.ts';

type RepositoryAsSeen = Omit<Repository, 'id' | 'checkedAt' | 'unreachableSince'>;

/** What lists call a repository. */
export type RepositoryName = Pick<Repository, 'host' | 'owner'> & { repo: string };

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
  const [newer] = await tx.query<Repository>(sql`
    SELECT ${columns} FROM repositories WHERE host = ${host} AND host_repo_id = ${hostRepoId}`);
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

export const findVisibleRepository = (db: Queries, named: VisibleName) =>
  db.first<Repository>(sql`SELECT ${columnsFor(named.viewer)} ${ofVisibleName(named)}`);

/** The repository of this id that the viewer may see. */
export const findRepository = (
  db: Queries,
  { repositoryId, viewer }: { repositoryId: string; viewer: VisibilityViewer },
) =>
  db.first<Repository>(sql`
    SELECT ${columnsFor(viewer)} FROM repositories WHERE id = ${repositoryId} AND ${visibleTo(viewer)}`);

/** The repository that an article is about, where the viewer may see it. */
export const findRepositoryOfArticle = (
  db: Queries,
  { articleId, viewer }: { articleId: string; viewer: VisibilityViewer },
) =>
  db.first<Repository>(sql`
    SELECT ${columnsFor(viewer)}
    FROM articles
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN repositories ON repositories.id = pull_requests.repository_id
    WHERE articles.id = ${articleId} AND ${visibleTo(viewer)}`);

/** Every repository of a host, without a check of visibility: for keeping visibility up to date, never for showing. */
export const listRepositoriesOfHost = (db: Queries, host: string) =>
  db.query<Repository>(sql`SELECT ${columns} FROM repositories WHERE host = ${host} ORDER BY id`);

/** Those of a host that lists show to any viewer by what it last said before a moment: for asking again. */
export const listUnconfirmedRepositories = (db: Queries, { host, before }: { host: string; before: Date }) =>
  db.query<Repository>(sql`
    SELECT ${columns} FROM repositories
    WHERE host = ${host} AND CASE WHEN is_private THEN EXISTS (
      SELECT FROM repository_grants AS grants
      WHERE grants.repository_id = repositories.id AND NOT grants.withdrawn AND grants.confirmed_at <= ${before})
      ELSE checked_at <= ${before} END
    ORDER BY id`);

/** Notes that a host was asked about public repositories and said that they still are, unless it said something later. */
export const confirmPublic = (
  db: Queries,
  { repositoryIds, askedAt }: { repositoryIds: string[]; askedAt: Date },
) =>
  db.run(sql`
    UPDATE repositories SET checked_at = ${askedAt}, unreachable_since = NULL
    WHERE id = ANY (${repositoryIds}::uuid[]) AND NOT is_private AND checked_at < ${askedAt}`);

/** When the host was asked about a repository that is known. */
interface Check {
  repositoryId: string;
  askedAt: Date;
}

/** From now on only those who have a grant see it, unless the host said otherwise later. */
export const makePrivate = (tx: Queries, { repositoryId, askedAt }: Check) =>
  tx.run(sql`
    UPDATE repositories SET is_private = true, checked_at = ${askedAt}, unreachable_since = NULL
    WHERE id = ${repositoryId} AND checked_at <= ${askedAt}`);

/** Notes that the host gave no answer about a public repository, unless it answered later. */
export const markUnreachable = (db: Queries, { repositoryId, askedAt }: Check) =>
  db.run(sql`
    UPDATE repositories SET unreachable_since = ${askedAt}
    WHERE id = ${repositoryId} AND NOT is_private AND unreachable_since IS NULL AND checked_at <= ${askedAt}`);

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

/** Which repositories are meant, by what is said of their names; all where nothing is said. */
export interface NamedRepositories {
  host?: string | undefined;
  owner?: string | undefined;
  repo?: string | undefined;
}

const anything = sql``;

/** Conditions on the table `repositories`, to be added to other conditions. */
export const andNamed = ({ host, owner, repo }: NamedRepositories): Sql => sql`
  ${host === undefined ? anything : sql`AND repositories.host = ${host}`}
  ${owner === undefined ? anything : sql`AND lower(repositories.owner) = lower(${owner})`}
  ${repo === undefined ? anything : sql`AND lower(repositories.name) = lower(${repo})`}`;

/** A repository that is written about. */
export interface ListedRepository extends RepositoryName, Pick<Tables['repositories'], 'isPrivate'> {
  /** How many articles there are about it, in whatever languages. */
  articles: Tables['article_totals']['articles'];
  newestAt: NonNullable<Tables['article_totals']['newestAt']>;
}

interface RepositoryPage {
  viewer: VisibilityViewer;
  limit: number;
  offset: number;
}

interface ListedRow extends ListedRepository {
  /** A repository's columns are all null where the page is empty. */
  repo: string;
  total: number;
}

/** Repositories with articles, those first whose newest article was merged last. Counting them reads an index of repositories, not of articles. */
export async function listRepositories(
  db: Queries,
  { viewer, limit, offset }: RepositoryPage,
): Promise<{ rows: ListedRepository[]; total: number }> {
  const written = sql`totals.language_code = '*' AND totals.articles > 0
    AND totals.repository_id NOT IN (SELECT id FROM hidden)`;
  // The limits of 100 and 1 limit nothing: they tell the planner how few rows there are.
  const rows = await db.query<ListedRow>(sql`
    WITH hidden AS MATERIALIZED (SELECT id FROM repositories WHERE ${hiddenFrom(viewer)}),
    page AS MATERIALIZED (
      SELECT * FROM (
        SELECT totals.* FROM article_totals AS totals WHERE ${written}
        ORDER BY totals.newest_at DESC, totals.repository_id
        LIMIT ${hiddenFromPlanner(limit)} OFFSET ${hiddenFromPlanner(offset)}) AS wanted
      LIMIT 100)
    SELECT counted.total, about.*, page.articles, page.newest_at
    FROM (SELECT count(*) AS total FROM article_totals AS totals WHERE ${written}) AS counted
    LEFT JOIN (
      page CROSS JOIN LATERAL (
        SELECT repositories.host, repositories.owner, repositories.name AS repo, repositories.is_private
        FROM repositories WHERE repositories.id = page.repository_id AND ${visibleTo(viewer)} LIMIT 1) AS about) ON true
    ORDER BY page.newest_at DESC, page.repository_id`);
  return {
    rows: rows.filter(({ repo }) => repo !== null).map(({ total, ...listed }) => listed),
    total: rows[0]?.total ?? 0,
  };
}

/** More than anybody looks through; the list is read as a whole to be sorted with clones. */
const mostUnwritten = 1_000;

/** Repositories of some hosts that show to a viewer and have no article. */
export const listUnwrittenRepositories = (
  db: Queries,
  { hosts, viewer }: { hosts: string[]; viewer: VisibilityViewer },
) =>
  db.query<Omit<ListedRepository, 'articles' | 'newestAt'>>(sql`
    SELECT repositories.host, repositories.owner, repositories.name AS repo, repositories.is_private
    FROM repositories
    WHERE repositories.host = ANY (${hosts}::text[]) AND NOT ${isWritten} AND ${visibleTo(viewer)}
    ORDER BY repositories.id LIMIT ${mostUnwritten}`);

const isWritten = sql`EXISTS (
  SELECT FROM article_totals AS totals
  WHERE totals.repository_id = repositories.id AND totals.language_code = '*' AND totals.articles > 0)`;

interface Listed {
  host: string;
  clones: { hostRepoId: number; owner: string; name: string }[];
  viewer: VisibilityViewer;
}

/** The ids of those clones of a host that a viewer finds among what is written about, or that were removed here. */
export async function findWrittenOrRemoved(
  db: Queries,
  { host, clones, viewer }: Listed,
): Promise<Set<number>> {
  const rows = await db.query<{ hostRepoId: number }>(sql`
    SELECT clones.id AS "hostRepoId"
    FROM unnest(${clones.map(({ hostRepoId }) => hostRepoId)}::bigint[], ${clones.map(({ owner }) => owner)}::text[],
      ${clones.map(({ name }) => name)}::text[]) AS clones (id, owner, name)
    WHERE EXISTS (
      SELECT FROM repositories
      WHERE repositories.host = ${host} AND repositories.host_repo_id = clones.id AND ${isWritten}
        AND ${visibleTo(viewer)})
    OR EXISTS (
      SELECT FROM removals
      WHERE removals.host = ${host} AND removals.number IS NULL
        AND lower(removals.owner) = lower(clones.owner) AND lower(removals.name) = lower(clones.name))`);
  return new Set(rows.map(({ hostRepoId }) => hostRepoId));
}

/** Where a host was when this database first stored something of it, which is where it is said to be now unless it is known. */
export async function rememberAddress(
  db: Queries,
  { host, address }: { host: string; address: string },
): Promise<string> {
  const find = async () => {
    const query = sql`SELECT address FROM code_host_addresses WHERE host = ${host}`;
    const [known] = await db.query<Pick<Tables['code_host_addresses'], 'address'>>(query);
    return known?.address;
  };
  if ((await find()) === address) return address;
  await db.query(sql`
    INSERT INTO code_host_addresses (host, address) VALUES (${host}, ${address})
    ON CONFLICT (host) DO UPDATE SET address = excluded.address
    WHERE NOT EXISTS (SELECT FROM repositories WHERE host = ${host})
      AND NOT EXISTS (SELECT FROM identities WHERE host = ${host})`);
  return (await find()) ?? address;
}

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
