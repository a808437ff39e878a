import type { PublishedContent } from './articles.ts';
import type { Queries } from './database.ts';
import { jsonText, sql } from './sql.ts';

/** What a model wrote in one language before articles had excerpts. */
export interface LackingExcerpts {
  articleId: string;
  languageCode: string;
  pullRequestId: string;
  /** How often it was written. */
  revision: number;
  /** Whether the diff that it was written for is the one that is stored now. */
  hasDiff: boolean;
  content: PublishedContent;
}

/** One of those that are left, without a check of visibility: for completing it, never for showing. */
export async function findLackingExcerpts(db: Queries): Promise<LackingExcerpts | null> {
  const [row] = await db.query<LackingExcerpts>(sql`
    SELECT contents.article_id AS "articleId", contents.language_code AS "languageCode",
      articles.pull_request_id AS "pullRequestId", contents.revision, contents.body AS content,
      contents.base_sha = pull_requests.base_sha AND contents.head_sha = pull_requests.head_sha
        AND contents.base_sha <> '' AS "hasDiff"
    FROM article_contents AS contents
    JOIN articles ON articles.id = contents.article_id
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    WHERE contents.lacks_excerpts LIMIT 1`);
  return row ?? null;
}

/** Stores what was completed, unless it was written anew meanwhile; without content, that nothing can be added to it. */
export async function saveCompleted(
  db: Queries,
  { articleId, languageCode, revision }: LackingExcerpts,
  content: PublishedContent | null,
): Promise<void> {
  const changed = content
    ? sql`body = ${jsonText(content)}, reading_minutes = ${content.readingMinutes}, revision = revision + 1,`
    : sql``;
  await db.query(sql`
    UPDATE article_contents SET ${changed} lacks_excerpts = false
    WHERE article_id = ${articleId} AND language_code = ${languageCode} AND revision = ${revision}`);
}
