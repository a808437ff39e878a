import type { Queries } from './database.ts';
import { partOf } from './like-counters.ts';
import { type Sql, sql } from './sql.ts';

/** Where lists would say that they have another number of articles than they do. */
export interface WrongArticleCount {
  /** Of what it is the count: a repository, or one of the parts into which all of them are divided. */
  repositoryId: string | null;
  part: number | null;
  /** `*` where each article counts once, whatever languages it is written in. */
  languageCode: string;
  is: number;
  shouldBe: number;
}

/** Holds the counts of lists against the articles that are stored, in one statement, which sees one state of everything. */
export async function findWrongArticleCounts(db: Queries): Promise<WrongArticleCount[]> {
  return db.query<WrongArticleCount>(sql`
    WITH counted AS MATERIALIZED (
      SELECT repository_id, coalesce(language_code, '*') AS language_code, count(DISTINCT article_id) AS articles
      FROM article_contents GROUP BY GROUPING SETS ((repository_id, language_code), (repository_id))),
    summed AS (
      SELECT ${partOf(sql`repository_id`)} AS part, language_code, sum(articles) AS articles FROM counted
      GROUP BY part, language_code),
    compared AS (
      SELECT repository_id, NULL::integer AS part, language_code, totals.articles AS kept, counted.articles
      FROM article_totals AS totals FULL JOIN counted USING (repository_id, language_code)
      UNION ALL
      SELECT NULL, part, language_code, sums.articles, summed.articles
      FROM article_sums AS sums FULL JOIN summed USING (part, language_code))
    SELECT repository_id AS "repositoryId", part, language_code AS "languageCode", coalesce(kept, 0) AS is,
      coalesce(articles, 0)::integer AS "shouldBe"
    FROM compared WHERE coalesce(kept, 0) <> coalesce(articles, 0)
    ORDER BY repository_id, part, language_code`);
}

/**
 * Counts the articles anew, once their count is locked. A transaction that adds one meanwhile is not seen yet, and adds to
 * the count when it gets the lock.
 */
export async function repairArticleCount(tx: Queries, wrong: WrongArticleCount): Promise<void> {
  const { repositoryId, part, languageCode } = wrong;
  const [table, key, value] =
    repositoryId === null
      ? [sql`article_sums`, sql`part`, part]
      : [sql`article_totals`, sql`repository_id`, repositoryId];
  const isCounted: Sql =
    repositoryId === null
      ? sql`${partOf(sql`contents.repository_id`)} = ${part}`
      : sql`contents.repository_id = ${repositoryId}`;
  await tx.query(sql`
    INSERT INTO ${table} AS counts (${key}, language_code, articles) VALUES (${value}, ${languageCode}, 0)
    ON CONFLICT (${key}, language_code) DO UPDATE SET articles = counts.articles`);
  await tx.query(sql`
    UPDATE ${table} SET articles = (
      SELECT count(DISTINCT contents.article_id) FROM article_contents AS contents
      WHERE ${isCounted} AND (contents.language_code = ${languageCode} OR ${languageCode} = '*'))
    WHERE ${key} = ${value} AND language_code = ${languageCode}`);
}
