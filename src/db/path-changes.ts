import { languageCodes } from '../domain/languages.ts';
import { fileQuestion, ofRepository, quoted } from '../domain/search/indexed-words.ts';
import type { ListedArticle } from './article-lists.ts';
import { articleSummaryColumns } from './articles.ts';
import type { Queries } from './database.ts';
import { sql } from './sql.ts';
import { type DetailViewer, visibleTo } from './visibility.ts';

interface Wanted {
  viewer: DetailViewer;
  repositoryId: string;
  /** A file by its path or the end of that, or a folder. */
  path: string;
  since: Date;
  /** Each article is told once: in the first of these languages that it is written in, or in any other. */
  languages: string[];
  limit: number;
  offset: number;
}

/** Articles of a repository that tell of a file and what was merged since, or is still open and was made since; the last first. */
export async function listPathChanges(
  db: Queries,
  { viewer, repositoryId, path, since, languages, limit, offset }: Wanted,
): Promise<{ rows: ListedArticle[]; total: number }> {
  const { file, folder } = fileQuestion(path);
  const question = `${quoted(ofRepository(repositoryId))} & (${quoted(file)} | ${quoted(folder)}:*)`;
  const codes = sql`(SELECT ${[...new Set([...languages, 'en', 'ja', ...languageCodes])]}::text[])`;
  const rows = await db.query<ListedArticle & { total: number; articleId: string | null }>(sql`
    WITH found AS MATERIALIZED (
      SELECT article_id, (${codes})[min(array_position(${codes}, language_code))] AS language_code
      FROM article_search WHERE words @@ (SELECT ${question}::text::tsquery) GROUP BY article_id),
    told AS MATERIALIZED (
      SELECT found.*, pull_requests.id AS pull_request_id, coalesce(pull_requests.merged_at, pull_requests.host_created_at) AS moment
      FROM found JOIN articles ON articles.id = found.article_id
      JOIN pull_requests ON pull_requests.id = articles.pull_request_id
      JOIN repositories ON repositories.id = pull_requests.repository_id
      WHERE repositories.id = ${repositoryId} AND ${visibleTo(viewer)}
        AND coalesce(pull_requests.merged_at, pull_requests.host_created_at) >= ${since}),
    page AS MATERIALIZED (SELECT * FROM told ORDER BY moment DESC, article_id LIMIT ${limit} OFFSET ${offset})
    SELECT counted.total, page.article_id AS "articleId", contents.language_code AS "languageCode",
      contents.title AS "writtenTitle", repositories.host, repositories.owner, repositories.name AS repo, pull_requests.number,
      pull_requests.author_login AS "authorLogin", pull_requests.state, pull_requests.merged_at AS "mergedAt",
      ${articleSummaryColumns}, contents.like_count AS "likeCount", contents.generated_at AS "generatedAt"
    FROM (SELECT count(*) AS total FROM told) AS counted LEFT JOIN (
      page JOIN article_contents AS contents
        ON contents.article_id = page.article_id AND contents.language_code = page.language_code
      JOIN pull_requests ON pull_requests.id = page.pull_request_id
      JOIN repositories ON repositories.id = pull_requests.repository_id) ON true
    ORDER BY page.moment DESC, page.article_id`);
  return {
    rows: rows.filter(({ articleId }) => articleId !== null).map(({ total: _, ...row }) => row),
    total: rows[0]?.total ?? 0,
  };
}
