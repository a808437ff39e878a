import type { ReadState } from '../domain/read-states.ts';
import type { ListedArticle } from './article-lists.ts';
import { articleSummaryColumns } from './articles.ts';
import type { Queries } from './database.ts';
import { sql } from './sql.ts';
import { type ListViewer, visibleTo } from './visibility.ts';

export interface FeedEntry extends ListedArticle {
  read: ReadState;
}

export interface Feed {
  rows: FeedEntry[];
  /** Of all that were asked for. */
  total: number;
  /** Of all favorites, whatever was asked for. */
  unread: number;
  changed: number;
}

interface Wanted {
  viewer: ListViewer & { userId: string };
  /** An article is listed in the first of these that it is written in, or in any other. */
  languages: string[];
  /** Only what the user has not read as it stands. */
  isUnreadOnly: boolean;
  limit: number;
  offset: number;
}

/**
 * What the favorites of a user have, each article once, those first that were merged last. It was read if it was in any language; what was read in the
 * language that is listed goes first.
 */
export async function listFeed(
  db: Queries,
  { viewer, languages, isUnreadOnly, limit, offset }: Wanted,
): Promise<Feed> {
  const place = sql`array_position((SELECT ${languages}::text[]), contents.language_code), contents.language_code`;
  const rows = await db.query<FeedEntry & { total: number; unread: number; changed: number }>(sql`
    WITH followed AS MATERIALIZED (
      SELECT repositories.id, repositories.host, repositories.owner, repositories.name
      FROM favorite_repositories AS favorites JOIN repositories ON repositories.id = favorites.repository_id
      WHERE favorites.user_id = ${viewer.userId} AND ${visibleTo(viewer)}),
    marked AS MATERIALIZED (
      SELECT DISTINCT ON (contents.article_id) contents.article_id, marks.revision = contents.revision AS is_same
      FROM read_marks AS marks JOIN article_contents AS contents USING (article_id, language_code)
      WHERE marks.user_id = ${viewer.userId} ORDER BY contents.article_id, ${place}),
    told AS MATERIALIZED (
      SELECT articles.id, articles.listed_at, articles.pull_request_id, articles.repository_id,
        CASE WHEN marked.is_same THEN 'yes' WHEN marked.is_same IS NULL THEN 'no' ELSE 'changed' END AS read
      FROM articles LEFT JOIN marked ON marked.article_id = articles.id
      WHERE articles.repository_id = ANY (ARRAY(SELECT id FROM followed))),
    counted AS MATERIALIZED (
      SELECT count(*) FILTER (WHERE NOT ${isUnreadOnly}::boolean OR read <> 'yes') AS total,
        count(*) FILTER (WHERE read = 'no') AS unread, count(*) FILTER (WHERE read = 'changed') AS changed
      FROM told),
    page AS MATERIALIZED (
      SELECT * FROM told WHERE NOT ${isUnreadOnly}::boolean OR read <> 'yes'
      ORDER BY listed_at DESC, id LIMIT ${limit} OFFSET ${offset})
    SELECT counted.*, page.id AS "articleId", page.read, contents.language_code AS "languageCode",
      contents.title AS "writtenTitle", followed.host, followed.owner, followed.name AS repo, pull_requests.number,
      pull_requests.author_login AS "authorLogin", pull_requests.state, pull_requests.merged_at AS "mergedAt",
      ${articleSummaryColumns}, contents.like_count AS "likeCount", contents.generated_at AS "generatedAt"
    FROM counted LEFT JOIN (
      page JOIN followed ON followed.id = page.repository_id
      JOIN pull_requests ON pull_requests.id = page.pull_request_id
      CROSS JOIN LATERAL (
        SELECT * FROM article_contents AS contents WHERE contents.article_id = page.id
        ORDER BY ${place} LIMIT 1) AS contents) ON true
    ORDER BY page.listed_at DESC, page.id`);
  const { total = 0, unread = 0, changed = 0 } = rows[0] ?? {};
  return {
    rows: rows
      .filter(({ articleId }) => articleId !== null)
      .map(({ total: _, unread: __, changed: ___, ...entry }) => entry),
    total,
    unread,
    changed,
  };
}
