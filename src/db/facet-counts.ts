import type { Queries } from './database.ts';
import { partOf } from './like-counters.ts';
import { sql } from './sql.ts';

/** Where lists of an author or of a change type are not what the articles say that they must be. */
export interface WrongFacets {
  /** Of what they are lists: a repository, or one of the parts into which all of them are divided. */
  repositoryId: string | null;
  part: number | null;
  /** How many entries and counts differ. */
  differ: number;
}

/** Holds the lists of authors and types against the articles that are stored, in one statement, which sees one state of everything. */
export async function findWrongFacets(db: Queries): Promise<WrongFacets[]> {
  return db.query<WrongFacets>(sql`
    WITH wanted AS MATERIALIZED (SELECT * FROM facets_as_written),
    counted AS MATERIALIZED (
      SELECT repository_id, author, change_type, language_code, count(*) AS articles FROM wanted
      GROUP BY repository_id, author, change_type, language_code),
    summed AS (
      SELECT ${partOf(sql`repository_id`)} AS part, author, change_type, language_code, sum(articles) AS articles FROM counted
      GROUP BY part, author, change_type, language_code),
    differing AS (
      SELECT coalesce(listed.repository_id, wanted.repository_id) AS repository_id, NULL::integer AS part
      FROM article_facets AS listed FULL JOIN wanted USING (article_id, language_code, author, change_type)
      WHERE (listed.repository_id, listed.listed_at) IS DISTINCT FROM (wanted.repository_id, wanted.listed_at)
      UNION ALL
      SELECT repository_id, NULL
      FROM facet_totals AS totals FULL JOIN counted USING (repository_id, author, change_type, language_code)
      WHERE totals.articles IS DISTINCT FROM counted.articles
      UNION ALL
      SELECT NULL, part
      FROM facet_sums AS sums FULL JOIN summed USING (part, author, change_type, language_code)
      WHERE sums.articles IS DISTINCT FROM summed.articles)
    SELECT repository_id AS "repositoryId", part, count(*) AS differ FROM differing
    GROUP BY repository_id, part ORDER BY repository_id, part`);
}

/** Lists and counts anew. Transactions that add an article meanwhile count it when they get the lock. */
export async function repairFacets(tx: Queries, { repositoryId, part }: WrongFacets): Promise<void> {
  await tx.query(sql`LOCK TABLE facet_totals IN SHARE ROW EXCLUSIVE MODE`);
  if (repositoryId !== null) await listAnew(tx, repositoryId);
  const whole = repositoryId === null ? sql`${part}::integer` : partOf(sql`${repositoryId}::uuid`);
  await tx.query(sql`DELETE FROM facet_sums WHERE part = ${whole}`);
  await tx.query(sql`
    INSERT INTO facet_sums (author, change_type, language_code, part, articles)
    SELECT author, change_type, language_code, ${whole}, sum(articles) FROM facet_totals
    WHERE ${partOf(sql`repository_id`)} = ${whole} GROUP BY author, change_type, language_code`);
}

async function listAnew(tx: Queries, repositoryId: string): Promise<void> {
  await tx.query(sql`
    SELECT list_facets(ARRAY(
      SELECT id FROM articles WHERE repository_id = ${repositoryId}
      UNION SELECT article_id FROM article_facets WHERE repository_id = ${repositoryId}), '{}')::text`);
  await tx.query(sql`DELETE FROM facet_totals WHERE repository_id = ${repositoryId}`);
  await tx.query(sql`
    INSERT INTO facet_totals (repository_id, author, change_type, language_code, articles)
    SELECT repository_id, author, change_type, language_code, count(*) FROM article_facets
    WHERE repository_id = ${repositoryId} GROUP BY repository_id, author, change_type, language_code`);
}
