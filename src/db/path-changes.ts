import { languageCodes } from '../domain/languages.ts';
import { plainPath } from '../domain/path-wish.ts';
import type { ListedArticle } from './article-lists.ts';
import { articleSummaryColumns } from './articles.ts';
import type { Queries } from './database.ts';
import { type Sql, sql } from './sql.ts';
import { type DetailViewer, visibleTo } from './visibility.ts';

interface Wanted {
  viewer: DetailViewer;
  repositoryId: string;
  /** A file by its path or the end of that, or a folder by its path. */
  path: string;
  since: Date;
  /** Each article is told once: in the first of these languages that it is written in, or in any other. */
  languages: string[];
  limit: number;
  offset: number;
}

interface Counted {
  total: number;
  /** How many that changed it have no article, and the numbers of the last of them. */
  unwrittenTotal: number;
  unwritten: number[];
  /** Whether there are more pull requests since then than were looked at. */
  isCut: boolean;
}

export interface PathChanges extends Counted {
  rows: ListedArticle[];
}

/** Of so many pull requests, the last ones, the files are looked at: they are stored with each, and in no index. */
export const mostLookedAt = 1_000;
const mostUnwritten = 20;

/**
 * The pull requests of a repository whose stored files have a path and what was merged since, or is not merged and was made since;
 * the last first.
 */
export async function listPathChanges(
  db: Queries,
  { viewer, repositoryId, path, since, languages, limit, offset }: Wanted,
): Promise<PathChanges> {
  const codes = sql`(SELECT ${[...new Set([...languages, 'en', 'ja', ...languageCodes])]}::text[])`;
  const rows = await db.query<ListedArticle & Counted & { articleId: string | null }>(sql`
    WITH since AS MATERIALIZED (
      SELECT pull_requests.id, pull_requests.number, coalesce(pull_requests.merged_at, pull_requests.host_created_at) AS moment
      FROM pull_requests JOIN repositories ON repositories.id = pull_requests.repository_id
      WHERE repositories.id = ${repositoryId} AND ${visibleTo(viewer)}
        AND coalesce(pull_requests.merged_at, pull_requests.host_created_at) >= ${since}
      ORDER BY moment DESC, number DESC LIMIT ${mostLookedAt + 1}),
    changed AS MATERIALIZED (
      SELECT looked.* FROM (SELECT * FROM since ORDER BY moment DESC, number DESC LIMIT ${mostLookedAt}) AS looked
      JOIN pull_request_contents AS texts ON texts.pull_request_id = looked.id WHERE ${hasPath(plainPath(path))}),
    told AS MATERIALIZED (
      SELECT changed.id, changed.number, changed.moment, articles.id AS article_id,
        (${codes})[min(array_position(${codes}, contents.language_code))] AS language_code
      FROM changed JOIN articles ON articles.pull_request_id = changed.id
      JOIN article_contents AS contents ON contents.article_id = articles.id
      GROUP BY changed.id, changed.number, changed.moment, articles.id),
    unwritten AS MATERIALIZED (SELECT * FROM changed WHERE id NOT IN (SELECT id FROM told)),
    page AS MATERIALIZED (SELECT * FROM told ORDER BY moment DESC, number DESC LIMIT ${limit} OFFSET ${offset}),
    counted AS MATERIALIZED (
      SELECT (SELECT count(*) FROM told) AS total, (SELECT count(*) FROM unwritten) AS "unwrittenTotal",
        (SELECT coalesce(jsonb_agg(number ORDER BY moment DESC, number DESC), '[]') FROM (
          SELECT * FROM unwritten ORDER BY moment DESC, number DESC LIMIT ${mostUnwritten}) AS last) AS unwritten,
        (SELECT count(*) > ${mostLookedAt} FROM since) AS "isCut")
    SELECT counted.*, page.article_id AS "articleId", contents.language_code AS "languageCode",
      contents.title AS "writtenTitle", repositories.host, repositories.owner, repositories.name AS repo, pull_requests.number,
      pull_requests.author_login AS "authorLogin", pull_requests.state, pull_requests.merged_at AS "mergedAt",
      ${articleSummaryColumns}, contents.like_count AS "likeCount", contents.generated_at AS "generatedAt"
    FROM counted LEFT JOIN (
      page JOIN article_contents AS contents
        ON contents.article_id = page.article_id AND contents.language_code = page.language_code
      JOIN pull_requests ON pull_requests.id = page.id
      JOIN repositories ON repositories.id = pull_requests.repository_id) ON true
    ORDER BY page.moment DESC, page.number DESC`);
  const { total = 0, unwrittenTotal = 0, unwritten = [], isCut = false } = rows[0] ?? {};
  const listed = rows
    .filter(({ articleId }) => articleId !== null)
    .map(({ total: _, unwrittenTotal: __, unwritten: ___, isCut: ____, ...row }) => row);
  return { rows: listed, total, unwrittenTotal, unwritten, isCut };
}

/** As `isAsked` of src/domain/path-wish.ts has it. A file that was renamed had its name before, too. */
function hasPath(asked: string): Sql {
  if (asked === '') return sql`true`;
  return sql`EXISTS (
    SELECT FROM jsonb_array_elements(texts.files) AS file
    CROSS JOIN LATERAL (VALUES (lower(file ->> 'fileName')), (lower(file ->> 'previousFileName'))) AS names (name)
    CROSS JOIN (SELECT lower(${asked}::text) AS path) AS asked
    WHERE name = path OR starts_with(name, path || '/') OR right(name, length(path) + 1) = '/' || path)`;
}
