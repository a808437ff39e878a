import type { ReadState } from '../domain/articles.ts';
import { mergedBefore } from '../domain/pull-requests.ts';
import type { ChosenPoint } from '../domain/reviews.ts';
import type { Touches } from '../domain/second-line.ts';
import { findSignedUpUser } from './accounts.ts';
import {
  isDiscussed,
  type ListedArticle,
  listedColumns,
  type PublishedContent,
  rowsOfPage,
} from './articles.ts';
import type { Queries } from './database.ts';
import { andRepositoryNamed, type NamedRepositories, type RepositoryName } from './repositories.ts';
import type { Tables } from './schema.ts';
import { type Sql, sql } from './sql.ts';
import { type DetailScope, type ListScope, type VisibilityScope, visibleTo } from './visibility.ts';

export type Favorite = Pick<Tables['favorite_repositories'], 'id' | 'userId' | 'registeredAt'> &
  Pick<Tables['repositories'], 'host' | 'hostRepoId' | 'owner' | 'name' | 'isPrivate'>;

const favoriteColumns = sql`
  favorite_repositories.id, favorite_repositories.user_id, favorite_repositories.registered_at, repositories.host,
  repositories.host_repo_id, repositories.owner, repositories.name, repositories.is_private`;

const favoritesOf = (viewer: VisibilityScope, named: NamedRepositories = {}) => sql`
  FROM favorite_repositories JOIN repositories ON repositories.id = favorite_repositories.repository_id
  WHERE favorite_repositories.user_id = ${viewer.userId} AND ${visibleTo(viewer)} ${andRepositoryNamed(named)}`;

export const insertFavorite = (
  tx: Queries,
  { userId, repositoryId, now }: { userId: string; repositoryId: string; now: Date },
) =>
  tx.any(sql`
    INSERT INTO favorite_repositories (user_id, repository_id, registered_at)
    VALUES (${userId}, ${repositoryId}, ${now})
    ON CONFLICT DO NOTHING RETURNING 1`);

export const findFavorite = (
  db: Queries,
  { repositoryId, viewer }: { repositoryId: string; viewer: VisibilityScope },
) =>
  db.first<Favorite>(sql`
    SELECT ${favoriteColumns} ${favoritesOf(viewer)} AND repositories.id = ${repositoryId}`);

export async function listFavorites(
  db: Queries,
  page: NamedRepositories & { viewer: ListScope; limit: number; offset: number },
): Promise<{ rows: Favorite[]; total: number }> {
  const wanted = favoritesOf(page.viewer, page);
  const rows = await db.query<Favorite>(sql`
    SELECT ${favoriteColumns} ${wanted}
    ORDER BY favorite_repositories.registered_at DESC, favorite_repositories.id
    LIMIT ${page.limit} OFFSET ${page.offset}`);
  return { rows, total: await db.count(sql`SELECT count(*) ${wanted}`) };
}

export const deleteFavorite = (db: Queries, { favoriteId, userId }: { favoriteId: string; userId: string }) =>
  db.any(sql`
    DELETE FROM favorite_repositories WHERE id = ${favoriteId} AND user_id = ${userId} RETURNING 1`);

export interface FeedEntry extends ListedArticle {
  read: ReadState;
}

interface Feed {
  rows: FeedEntry[];
  total: number;
  unread: number;
  changed: number;
}

interface Wanted {
  viewer: ListScope & { userId: string };
  /** Each article is listed once: in the first of these languages in which it exists, or else in any other. */
  languages: string[];
  isUnreadOnly: boolean;
  /** Only what was merged since the user followed the repository, and the five articles before. */
  isSinceFollowed?: boolean;
  isByPeople?: boolean;
  limit: number;
  offset: number;
}

/**
 * Articles of a user's favorites, newest merge first. An article read in any language counts as read; if the listed
 * language was read, its mark decides.
 */
export async function listFeedEntries(
  db: Queries,
  { viewer, languages, isUnreadOnly, isSinceFollowed = false, isByPeople = false, limit, offset }: Wanted,
): Promise<Feed> {
  const andNew = isSinceFollowed ? sql`AND articles.listed_at >= followed.since` : sql``;
  const andByPeople = isByPeople
    ? sql`AND EXISTS (
        SELECT FROM article_facets AS facets WHERE facets.article_id = articles.id
          AND facets.language_code = '*' AND facets.author = '*people' AND facets.change_type = '*')`
    : sql``;
  const place = sql`array_position((SELECT ${languages}::text[]), contents.language_code), contents.language_code`;
  const rows = await db.query<FeedEntry & { total: number; unread: number; changed: number }>(sql`
    WITH followed AS MATERIALIZED (
      SELECT repositories.id, repositories.host, repositories.owner, repositories.name, coalesce((
          SELECT before.listed_at FROM articles AS before
          WHERE before.repository_id = repositories.id AND before.listed_at < favorites.registered_at
          ORDER BY before.listed_at DESC OFFSET ${mergedBefore - 1} LIMIT 1), '-infinity') AS since
      FROM favorite_repositories AS favorites JOIN repositories ON repositories.id = favorites.repository_id
      WHERE favorites.user_id = ${viewer.userId} AND ${visibleTo(viewer)}),
    marked AS MATERIALIZED (
      SELECT DISTINCT ON (contents.article_id) contents.article_id, marks.revision = contents.revision AS is_same
      FROM read_marks AS marks JOIN article_contents AS contents USING (article_id, language_code)
      WHERE marks.user_id = ${viewer.userId} ORDER BY contents.article_id, ${place}),
    states AS MATERIALIZED (
      SELECT articles.id, articles.listed_at, articles.pull_request_id, articles.repository_id,
        CASE WHEN marked.is_same THEN 'yes' WHEN marked.is_same IS NULL THEN 'no' ELSE 'changed' END AS read
      FROM followed JOIN articles ON articles.repository_id = followed.id ${andNew}
      LEFT JOIN marked ON marked.article_id = articles.id WHERE true ${andByPeople}),
    counted AS MATERIALIZED (
      SELECT count(*) FILTER (WHERE NOT ${isUnreadOnly}::boolean OR read <> 'yes') AS total,
        count(*) FILTER (WHERE read = 'no') AS unread, count(*) FILTER (WHERE read = 'changed') AS changed
      FROM states),
    page AS MATERIALIZED (
      SELECT * FROM states WHERE NOT ${isUnreadOnly}::boolean OR read <> 'yes'
      ORDER BY listed_at DESC, id LIMIT ${limit} OFFSET ${offset})
    SELECT counted.*, page.read, ${listedColumns({ repositories: sql`followed` })}
    FROM counted LEFT JOIN (
      page JOIN followed ON followed.id = page.repository_id
      JOIN pull_requests ON pull_requests.id = page.pull_request_id
      CROSS JOIN LATERAL (
        SELECT * FROM article_contents AS contents WHERE contents.article_id = page.id
        ORDER BY ${place} LIMIT 1) AS contents) ON true
    ORDER BY page.listed_at DESC, page.id`);
  const { total = 0, unread = 0, changed = 0 } = rows[0] ?? {};
  return { rows: rowsOfPage(rows, 'total', 'unread', 'changed'), total, unread, changed };
}

interface Reading {
  articleId: string;
  languageCode: string;
  viewer: DetailScope & { userId: string };
}

/** Marks the given revision as read, or else the current one. Null if the user may not see the article. */
export const saveReadMark = (
  db: Queries,
  { articleId, languageCode, viewer, revision }: Reading & { revision?: number },
): Promise<Date | null> =>
  db.value<Tables['read_marks']['readAt']>(sql`
    INSERT INTO read_marks AS marks (user_id, article_id, language_code, revision, read_at)
    SELECT users.id, contents.article_id, contents.language_code, contents.revision, ${viewer.now}
    FROM users CROSS JOIN article_contents AS contents
    JOIN repositories ON repositories.id = contents.repository_id
    WHERE users.id = ${viewer.userId} AND contents.article_id = ${articleId}
      AND contents.language_code = ${languageCode} AND ${visibleTo(viewer)}
      ${revision === undefined ? sql`` : sql`AND contents.revision = ${revision}`}
    FOR SHARE OF contents
    ON CONFLICT (user_id, article_id, language_code) DO UPDATE SET revision = excluded.revision, read_at = excluded.read_at
    RETURNING read_at`);

/** In all languages, since an article that was read in any language counts as read. */
export const deleteReadMarks = (
  db: Queries,
  { articleId, viewer: { userId } }: Pick<Reading, 'articleId' | 'viewer'>,
) => db.run(sql`DELETE FROM read_marks WHERE user_id = ${userId} AND article_id = ${articleId}`);

export const saveFeedReadMarks = (
  db: Queries,
  { viewer, until }: { viewer: ListScope & { userId: string }; until: Date },
) =>
  db.count(sql`
    WITH marked AS (
      INSERT INTO read_marks AS marks (user_id, article_id, language_code, revision, read_at)
      SELECT users.id, contents.article_id, contents.language_code, contents.revision, ${viewer.now}
      FROM users JOIN favorite_repositories AS favorites ON favorites.user_id = users.id
      JOIN repositories ON repositories.id = favorites.repository_id
      JOIN article_contents AS contents ON contents.repository_id = repositories.id
      WHERE users.id = ${viewer.userId} AND contents.generated_at <= ${until} AND ${visibleTo(viewer)}
      ORDER BY contents.article_id, contents.language_code
      ON CONFLICT (user_id, article_id, language_code) DO UPDATE SET revision = excluded.revision, read_at = excluded.read_at
        WHERE marks.revision <> excluded.revision
      RETURNING marks.article_id)
    SELECT count(DISTINCT article_id) AS marked FROM marked
    WHERE NOT EXISTS (
      SELECT FROM read_marks AS before JOIN article_contents AS contents USING (article_id, language_code)
      WHERE before.user_id = ${viewer.userId} AND before.article_id = marked.article_id
        AND before.revision = contents.revision)`);

export interface ReadBefore {
  /** Equals the revision of the article if nothing was rewritten since. */
  revision: Tables['read_marks']['revision'];
  /** The sentences of the marked revision; null if it is the current one. */
  sentenceIds: Tables['read_revisions']['sentenceIds'] | null;
}

/** A subquery for other statements, whose columns become keys of JSON. */
export const articlesReadBefore = (userId: string, articleId: Sql, languageCode: string): Sql => sql`
  SELECT marks.revision, revisions.sentence_ids AS "sentenceIds"
  FROM read_marks AS marks LEFT JOIN read_revisions AS revisions USING (article_id, language_code, revision)
  WHERE marks.user_id = ${userId} AND marks.article_id = ${articleId} AND marks.language_code = ${languageCode}`;

export const saveFeedAddress = (
  db: Queries,
  { userId, secretHash, now }: { userId: string; secretHash: string; now: Date },
) =>
  db.run(sql`
    INSERT INTO feed_addresses (user_id, secret_hash, created_at) VALUES (${userId}, ${secretHash}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET secret_hash = excluded.secret_hash, created_at = excluded.created_at`);

export const findFeedAddress = (db: Queries, userId: string): Promise<{ createdAt: Date } | null> =>
  db.first<Pick<Tables['feed_addresses'], 'createdAt'>>(sql`
    SELECT created_at FROM feed_addresses WHERE user_id = ${userId}`);

export const findFeedReader = (db: Queries, secretHash: string) =>
  findSignedUpUser(
    db,
    sql`feed_addresses JOIN users ON users.id = feed_addresses.user_id
      JOIN identities ON identities.id = users.identity_id WHERE feed_addresses.secret_hash = ${secretHash}`,
  );

export const deleteFeedAddress = (db: Queries, userId: string) =>
  db.run(sql`DELETE FROM feed_addresses WHERE user_id = ${userId}`);

export interface FeedArticle
  extends RepositoryName,
    Pick<Tables['pull_requests'], 'number' | 'hostUrl' | 'title' | 'authorLogin'>,
    Pick<Tables['articles'], 'listedAt'>,
    Pick<Tables['article_contents'], 'articleId' | 'languageCode' | 'generatedAt'> {
  content: PublishedContent;
  touches: Touches;
  repositoryId: string;
  isDiscussed: boolean;
  chosen: ChosenPoint[] | null;
}

/** Articles in the given order, without those that the viewer may not see. */
export async function findFeedArticles(
  db: Queries,
  wanted: Pick<FeedArticle, 'articleId' | 'languageCode'>[],
  viewer: ListScope,
): Promise<FeedArticle[]> {
  const ids = wanted.map(({ articleId }) => articleId);
  const codes = wanted.map(({ languageCode }) => languageCode);
  return db.query<FeedArticle>(sql`
    SELECT articles.id AS "articleId", contents.language_code, repositories.host, repositories.owner,
      repositories.name AS repo, pull_requests.number, pull_requests.host_url, pull_requests.title, pull_requests.author_login,
      articles.listed_at, contents.generated_at, contents.body AS content, contents.touches,
      repositories.id AS "repositoryId", contents.review -> 'chosen' AS chosen, ${isDiscussed} AS "isDiscussed"
    FROM unnest((SELECT ${ids}::uuid[]), (SELECT ${codes}::text[])) WITH ORDINALITY AS wanted (article_id, language_code, place)
    JOIN article_contents AS contents
      ON contents.article_id = wanted.article_id AND contents.language_code = wanted.language_code
    JOIN articles ON articles.id = contents.article_id
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN repositories ON repositories.id = pull_requests.repository_id
    WHERE ${visibleTo(viewer)} ORDER BY wanted.place`);
}

interface MappedArticle
  extends RepositoryName,
    Pick<Tables['pull_requests'], 'number'>,
    Pick<Tables['articles'], 'updatedAt'> {
  languages: string[];
}

/** Far more articles than a part of the sitemap should have. */
const mostInPart = 5_000;

/** Articles whose ids begin with some digits, found by the index of ids. */
export async function listArticlesInPart(
  db: Queries,
  { firstDigits, viewer }: { firstDigits: string; viewer: ListScope },
): Promise<MappedArticle[]> {
  const edge = (digit: string) => firstDigits.padEnd(32, digit);
  return db.query<MappedArticle>(sql`
    SELECT repositories.host, repositories.owner, repositories.name AS repo, pull_requests.number,
      articles.updated_at, ARRAY(
        SELECT contents.language_code FROM article_contents AS contents WHERE contents.article_id = articles.id
        ORDER BY contents.language_code) AS languages
    FROM articles JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN repositories ON repositories.id = pull_requests.repository_id
    WHERE articles.id BETWEEN ${edge('0')}::uuid AND ${edge('f')}::uuid AND ${visibleTo(viewer)}
    ORDER BY articles.id LIMIT ${mostInPart}`);
}
