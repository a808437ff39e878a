import { inLanguage, ofFile, ofRepository, quoted } from '../domain/search/indexed-words.ts';
import type { ListedArticle } from './article-lists.ts';
import { articleSummaryColumns } from './articles.ts';
import type { Queries } from './database.ts';
import { hiddenFromPlanner, sql } from './sql.ts';
import { type ListViewer, visibleTo } from './visibility.ts';

/** Another article of the same repository, and why it is named: the first of these that holds. */
interface RelatedArticle extends ListedArticle {
  because: 'files' | 'release' | 'author' | 'repository';
}

interface Wanted {
  viewer: ListViewer;
  articleId: string;
  repositoryId: string;
  host: string;
  number: number;
  authorLogin: string;
  language: string;
  /** Files that it tells of. */
  files: string[];
  /** As many of each. */
  most: number;
}

/** So many of its files are looked for. */
const mostFiles = 8;

/** So many of those that came with the same release are looked through for articles. */
const mostOfRelease = 200;

/**
 * Others that tell of the same files, that came with the same release, that are by the same author, or that are new, in the same
 * language and newest first.
 */
export async function findRelatedArticles(db: Queries, wanted: Wanted): Promise<RelatedArticle[]> {
  const { viewer, articleId, repositoryId, host, number, authorLogin, language, files, most } = wanted;
  const oneOf = files.slice(0, mostFiles).map((path) => quoted(ofFile(path)));
  const asked = [
    quoted(ofRepository(repositoryId)),
    quoted(inLanguage(language)),
    `(${oneOf.join(' | ') || quoted('=none')})`,
  ];
  return db.query<RelatedArticle>(sql`
    WITH seen AS MATERIALIZED (
      SELECT repositories.id, repositories.host, repositories.owner, repositories.name AS repo FROM repositories
      WHERE repositories.id = ${repositoryId} AND ${visibleTo(viewer)}),
    same_files AS MATERIALIZED (
      SELECT article_id FROM article_search
      WHERE words @@ (SELECT ${asked.join(' & ')}::text::tsquery) AND article_id <> ${articleId}
      ORDER BY listed_at DESC, article_id LIMIT ${hiddenFromPlanner(most)}),
    same_release AS MATERIALIZED (
      SELECT contents.article_id FROM (
        SELECT others.number FROM release_changes AS own JOIN release_changes AS others USING (repository_id, to_tag, from_tag)
        WHERE own.repository_id = ${repositoryId} AND own.number = ${number} AND others.number <> ${number}
        ORDER BY others.number DESC LIMIT ${hiddenFromPlanner(mostOfRelease)}) AS others
      JOIN pull_requests ON pull_requests.repository_id = ${repositoryId} AND pull_requests.number = others.number
      JOIN articles ON articles.pull_request_id = pull_requests.id
      JOIN article_contents AS contents ON contents.article_id = articles.id AND contents.language_code = ${language}
      WHERE contents.article_id NOT IN (SELECT article_id FROM same_files)
      ORDER BY contents.listed_at DESC, contents.article_id LIMIT ${hiddenFromPlanner(most)}),
    same_author AS MATERIALIZED (
      SELECT article_id FROM article_facets
      WHERE repository_id = ${repositoryId} AND author = (SELECT author_key(${host}::text, ${authorLogin}::text))
        AND change_type = '*' AND language_code = ${language} AND article_id <> ${articleId}
        AND article_id NOT IN (SELECT article_id FROM same_files UNION ALL SELECT article_id FROM same_release)
      ORDER BY listed_at DESC, article_id LIMIT ${hiddenFromPlanner(most)}),
    newest AS MATERIALIZED (
      SELECT article_id FROM article_contents
      WHERE repository_id = ${repositoryId} AND language_code = ${language} AND article_id <> ${articleId}
        AND article_id NOT IN (
          SELECT article_id FROM same_files UNION ALL SELECT article_id FROM same_release UNION ALL SELECT article_id FROM same_author)
      ORDER BY listed_at DESC, article_id LIMIT ${hiddenFromPlanner(most)}),
    named AS (
      SELECT 1 AS turn, 'files' AS because, * FROM same_files
      UNION ALL SELECT 2, 'release', * FROM same_release
      UNION ALL SELECT 3, 'author', * FROM same_author
      UNION ALL SELECT 4, 'repository', * FROM newest)
    SELECT named.because, named.article_id AS "articleId", contents.language_code AS "languageCode",
      contents.title AS "writtenTitle", seen.host, seen.owner, seen.repo, pull_requests.number,
      pull_requests.author_login AS "authorLogin", pull_requests.state, pull_requests.merged_at AS "mergedAt",
      ${articleSummaryColumns}, contents.like_count AS "likeCount", contents.generated_at AS "generatedAt"
    FROM seen CROSS JOIN named
    JOIN article_contents AS contents ON contents.article_id = named.article_id AND contents.language_code = ${language}
    JOIN articles ON articles.id = named.article_id
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    ORDER BY named.turn, contents.listed_at DESC, contents.article_id`);
}
