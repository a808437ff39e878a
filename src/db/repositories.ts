import type { Queries } from './database.ts';
import { isRepositoryRemoved, learnRemovals } from './removals.ts';
import { grantRepository } from './rights.ts';
import type { Tables } from './schema.ts';
import { hiding, opaqueToPlanner, type Sql, sql } from './sql.ts';
import {
  columnsFor,
  type DetailScope,
  hiddenFrom,
  isRevoked,
  type Repository,
  toleratedSilenceMs,
  type VisibilityScope,
  visibleTo,
} from './visibility.ts';

type RepositoryAsSeen = Omit<Repository, 'id' | 'checkedAt' | 'unreachableSince'>;

export type RepositoryName = Pick<Repository, 'host' | 'owner'> & { repo: string };

const columns = columnsFor({ userId: null });

/**
 * Stores a repository as its host described it, unless a later description is stored; of two of the same time, the
 * private one wins. Returns the row, locked.
 */
export async function saveRepository(
  tx: Queries,
  seen: RepositoryAsSeen,
  askedAt: Date,
  /** Whether a user is waiting for the repository. */
  { isRead = true } = {},
): Promise<Repository> {
  const { host, hostRepoId, owner, name, isPrivate } = seen;
  const [saved] = await tx.query<Repository>(sql`
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at, read_at, is_removed)
    VALUES (${host}, ${hostRepoId}, ${owner}, ${name}, ${isPrivate}, ${askedAt}, ${askedAt}, ${isRepositoryRemoved(seen)})
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

/** Stores a repository that the host showed to a user, and grants that user access if it is private. */
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
  viewer: VisibilityScope;
}

/** If several had this name, the one confirmed last. */
const ofVisibleName = ({ host, owner, name, viewer }: VisibleName) => sql`
  FROM repositories
  WHERE host = ${host} AND lower(owner) = lower(${owner}) AND lower(name) = lower(${name}) AND ${visibleTo(viewer)}
  ORDER BY repositories.checked_at DESC LIMIT 1`;

export const idOfVisibleRepository = (named: VisibleName): Sql => sql`(SELECT id ${ofVisibleName(named)})`;

export const findVisibleRepository = (db: Queries, named: VisibleName) =>
  db.first<Repository>(sql`SELECT ${columnsFor(named.viewer)} ${ofVisibleName(named)}`);

export const findRepository = (
  db: Queries,
  { repositoryId, viewer }: { repositoryId: string; viewer: VisibilityScope },
) =>
  db.first<Repository>(sql`
    SELECT ${columnsFor(viewer)} FROM repositories WHERE id = ${repositoryId} AND ${visibleTo(viewer)}`);

/** The repositories of several articles in one statement, each for its own viewer; null if that viewer may not see it. */
export async function findRepositoriesOfArticles(
  db: Queries,
  wanted: { articleId: string; userId: string }[],
  { now, purpose }: Omit<DetailScope, 'userId'>,
): Promise<(Repository | null)[]> {
  const userId = sql`wanted.user_id`;
  const rows = await db.query<Repository & { place: number }>(sql`
    SELECT wanted.place, ${columnsFor({ userId })}
    FROM unnest((SELECT ${wanted.map(({ articleId }) => articleId)}::uuid[]),
      (SELECT ${wanted.map((one) => one.userId)}::uuid[])) WITH ORDINALITY AS wanted (article_id, user_id, place)
    JOIN articles ON articles.id = wanted.article_id
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN repositories ON repositories.id = pull_requests.repository_id
    WHERE ${visibleTo({ userId, now, purpose })}`);
  const byPlace = new Map(rows.map(({ place, ...repository }) => [place, repository]));
  return wanted.map((_, index) => byPlace.get(index + 1) ?? null);
}

/** Does not check visibility: for renewing it, not for showing. */
export const listRepositoriesOfHost = (db: Queries, host: string) =>
  db.query<Repository>(sql`SELECT ${columns} FROM repositories WHERE host = ${host} ORDER BY id`);

/** Does not check visibility: for renewing it, not for showing. */
export const listRepositoriesNamed = (
  db: Queries,
  { host, owner, name }: { host: string; owner: string; name: string },
) =>
  db.query<Repository>(sql`
    SELECT ${columns} FROM repositories
    WHERE host = ${host} AND lower(owner) = lower(${owner}) AND lower(name) = lower(${name}) ORDER BY id`);

/** Repositories in lists whose last confirmation is older than a time. */
export const listUnconfirmedRepositories = (db: Queries, { host, before }: { host: string; before: Date }) =>
  db.query<Repository>(sql`
    SELECT ${columns} FROM repositories
    WHERE host = ${host} AND CASE WHEN is_private THEN EXISTS (
      SELECT FROM repository_grants AS grants
      WHERE grants.repository_id = repositories.id AND NOT grants.withdrawn AND grants.confirmed_at <= ${before})
      ELSE checked_at <= ${before} END
    ORDER BY id`);

/** Stores that the host confirmed the repositories as public, unless a later response is stored. */
export const confirmRepositoryPublic = (
  db: Queries,
  { repositoryIds, askedAt }: { repositoryIds: string[]; askedAt: Date },
) =>
  db.run(sql`
    UPDATE repositories SET checked_at = ${askedAt}, unreachable_since = NULL
    WHERE id = ANY (${repositoryIds}::uuid[]) AND NOT is_private AND checked_at < ${askedAt}`);

interface Check {
  repositoryId: string;
  askedAt: Date;
}

export const makeRepositoryPrivate = (tx: Queries, { repositoryId, askedAt }: Check) =>
  tx.run(
    hiding(sql`
      UPDATE repositories SET is_private = true, checked_at = ${askedAt}, unreachable_since = NULL
      WHERE id = ${repositoryId} AND checked_at <= ${askedAt}`),
  );

/** Stores that the host did not respond about a public repository, unless it did later. */
export const markRepositoryUnreachable = (db: Queries, { repositoryId, askedAt }: Check) =>
  db.run(sql`
    UPDATE repositories SET unreachable_since = ${askedAt}
    WHERE id = ${repositoryId} AND NOT is_private AND unreachable_since IS NULL AND checked_at <= ${askedAt}`);

const longAgo = new Date(0);

/** Hides the repositories of hosts that are no longer configured, and shows those of configured ones again. */
export async function showOnlyHosts(db: Queries, hosts: string[]): Promise<void> {
  await db.query(sql`
    UPDATE repositories SET unreachable_since = ${longAgo}
    WHERE host <> ALL (${hosts}::text[]) AND unreachable_since IS DISTINCT FROM ${longAgo}`);
  await db.query(sql`
    UPDATE repositories SET unreachable_since = NULL WHERE host = ANY (${hosts}::text[]) AND unreachable_since = ${longAgo}`);
}

export interface NamedRepositories {
  host?: string | undefined;
  owner?: string | undefined;
  repo?: string | undefined;
}

const anything = sql``;

/** Conditions on `repositories`, to be added to a WHERE clause. */
export const andRepositoryNamed = ({ host, owner, repo }: NamedRepositories): Sql => sql`
  ${host === undefined ? anything : sql`AND repositories.host = ${host}`}
  ${owner === undefined ? anything : sql`AND lower(repositories.owner) = lower(${owner})`}
  ${repo === undefined ? anything : sql`AND lower(repositories.name) = lower(${repo})`}`;

export const listVisibleRepositoriesNamed = (
  db: Queries,
  { viewer, ...named }: { viewer: VisibilityScope } & NamedRepositories,
) =>
  db.query<Repository>(sql`
    SELECT ${columnsFor(viewer)} FROM repositories WHERE ${visibleTo(viewer)} ${andRepositoryNamed(named)} LIMIT 2`);

export interface ListedRepository extends RepositoryName, Pick<Tables['repositories'], 'isPrivate'> {
  articles: number;
  newestAt: NonNullable<Tables['article_totals']['newestAt']>;
}

interface RepositoryPage {
  viewer: VisibilityScope;
  limit: number;
  offset: number;
}

/** Repositories with articles, newest merge first. The total comes from an index of repositories, not of articles. */
export async function listRepositories(
  db: Queries,
  { viewer, limit, offset }: RepositoryPage,
): Promise<{ rows: ListedRepository[]; total: number }> {
  const written = sql`totals.language_code = '*' AND totals.articles > 0
    AND totals.repository_id NOT IN (SELECT id FROM hidden)`;
  // The limits of 100 and 1 do not change the result: they tell the planner how few rows to expect.
  const rows = await db.query<ListedRepository & { total: number }>(sql`
    WITH hidden AS MATERIALIZED (SELECT id FROM repositories WHERE ${hiddenFrom(viewer)}),
    page AS MATERIALIZED (
      SELECT * FROM (
        SELECT totals.* FROM article_totals AS totals WHERE ${written}
        ORDER BY totals.newest_at DESC, totals.repository_id
        LIMIT ${opaqueToPlanner(limit)} OFFSET ${opaqueToPlanner(offset)}) AS wanted
      LIMIT 100)
    SELECT counted.total, about.*, page.articles, page.newest_at
    FROM (SELECT count(*) AS total FROM article_totals AS totals WHERE ${written}) AS counted
    LEFT JOIN (
      page CROSS JOIN LATERAL (
        SELECT repositories.host, repositories.owner, repositories.name AS repo, repositories.is_private
        FROM repositories WHERE repositories.id = page.repository_id AND ${visibleTo(viewer)} LIMIT 1) AS about) ON true
    ORDER BY page.newest_at DESC, page.repository_id`);
  // An empty page is a single row of nulls.
  const listed = rows.filter(({ repo }) => repo !== null).map(({ total: _, ...row }) => row);
  return { rows: listed, total: rows[0]?.total ?? 0 };
}

/** Nobody reads a longer list, and all of it is sorted together with clones. */
const mostUnwritten = 1_000;

export const listUnwrittenRepositories = (
  db: Queries,
  { hosts, viewer }: { hosts: string[]; viewer: VisibilityScope },
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
  viewer: VisibilityScope;
}

/** Clones not to be listed as unwritten: the viewer sees articles of them, or they were removed. */
export async function findWrittenOrRemovedRepository(
  db: Queries,
  { host, clones, viewer }: Listed,
): Promise<Set<number>> {
  const found = await db.values<number>(sql`
    SELECT clones.id
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
  return new Set(found);
}

/** Returns the stored address of a host, which stays the first one once data of the host is stored. */
export async function saveRepositoryAddress(
  db: Queries,
  { host, address }: { host: string; address: string },
): Promise<string> {
  await db.run(sql`
    INSERT INTO code_host_addresses AS known (host, address) VALUES (${host}, ${address})
    ON CONFLICT (host) DO UPDATE SET address = excluded.address
    WHERE known.address <> excluded.address AND NOT EXISTS (SELECT FROM repositories WHERE host = ${host})
      AND NOT EXISTS (SELECT FROM identities WHERE host = ${host})`);
  const stored = sql`SELECT address FROM code_host_addresses WHERE host = ${host}`;
  return (await db.value<string>(stored)) ?? address;
}

const rowsSeenFirst = 200;

/** The pause before the next attempt, as a share of the time without a response, so that attempts become rarer. */
const askedAgainAfter = 1 / 16;

/**
 * The pause after an attempt without a response. Repositories that are about to be hidden are tried several times
 * before, each time after twice as long.
 */
const pause = sql`CASE WHEN unreachable_since IS NULL
  THEN (unanswered_at - checked_at) * ${askedAgainAfter}::double precision
  ELSE LEAST(unanswered_at - unreachable_since, GREATEST(
    (unanswered_at - checked_at) * ${askedAgainAfter}::double precision,
    ${toleratedSilenceMs / 1000}::double precision * interval '1 second')) END`;

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
 * Public repositories of a host that are due for confirmation: first those hidden by a webhook, then those about to be
 * hidden because the host is silent, then those at the top of lists, then by last use.
 */
export async function listDueRepositories(
  db: Queries,
  { host, now, before, limit }: { host: string; now: Date; before: Date; limit: number },
): Promise<Repository[]> {
  const soonHidden = new Date(now.getTime() - toleratedSilenceMs);
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
 * Private repositories that no user may see, to find out whether they are public again; checked more and more rarely.
 */
export const listHiddenRepositories = (
  db: Queries,
  { host, now, limit }: { host: string; now: Date; limit: number },
) =>
  db.query<Repository>(sql`
    SELECT ${columnsFor({ userId: null })} FROM repositories
    WHERE host = ${host} AND is_private AND NOT is_removed
      AND ${now}::timestamptz - checked_at > GREATEST(${toleratedSilenceMs / 1000}::double precision * interval '1 second',
        (checked_at - read_at) * ${askedAgainAfter}::double precision)
      AND (unanswered_at IS NULL OR unanswered_at <= checked_at OR ${now}::timestamptz - unanswered_at > ${pause})
      AND NOT EXISTS (SELECT FROM repository_grants AS grants WHERE grants.repository_id = repositories.id AND NOT grants.withdrawn)
      AND (EXISTS (SELECT FROM pull_requests WHERE repository_id = repositories.id)
      OR EXISTS (SELECT FROM favorite_repositories WHERE repository_id = repositories.id))
    ORDER BY read_at DESC NULLS LAST, id
    LIMIT ${limit}`);

export const noteUnansweredRepositories = (
  db: Queries,
  { repositoryId, now }: { repositoryId: string; now: Date },
) => db.run(sql`UPDATE repositories SET unanswered_at = ${now} WHERE id = ${repositoryId}`);

/**
 * Claims background polling of a host until a time, so that only one process does it. Ignores times that only a wrong
 * clock can have set.
 */
export const claimRenewalRound = (
  db: Queries,
  { host, now, until, latest }: { host: string; now: Date; until: Date; latest: Date },
) =>
  db.any(sql`
    UPDATE code_host_addresses SET next_round_at = ${until}
    WHERE host = ${host} AND (next_round_at IS NULL OR next_round_at <= ${now} OR next_round_at > ${latest})
    RETURNING 1`);

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

export const findRenewalStart = async (db: Queries) =>
  (await db.value<Date>(sql`SELECT ${beginning}`)) ?? new Date(0);

/**
 * The time of a repository's first article, or of the database's creation. The time of the first follow is not used,
 * because feeds are public.
 */
export async function findRepositoryKnownSince(
  db: Queries,
  { repositoryId, viewer }: { repositoryId: string; viewer: VisibilityScope },
): Promise<Date> {
  const since = await db.value<Date>(sql`
    SELECT coalesce(
      (SELECT min(articles.created_at) FROM articles JOIN pull_requests ON pull_requests.id = articles.pull_request_id
        WHERE pull_requests.repository_id = repositories.id), ${beginning}) AS since
    FROM repositories WHERE repositories.id = ${repositoryId} AND ${visibleTo(viewer)}`);
  return since ?? findRenewalStart(db);
}
