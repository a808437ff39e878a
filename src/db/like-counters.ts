import type { Queries } from './database.ts';
import type { Likeable } from './likes.ts';
import { type Sql, sql } from './sql.ts';

/** A counter that is not what the rows say that it must be. */
export interface WrongCounter extends Likeable {
  /** What counts: the article itself, or a period of the ranking. */
  counter: string;
  is: number;
  shouldBe: number;
}

/** Where a total of the ranking is not what its rows say that it must be. */
export interface WrongTotal {
  /** Of what it is the total: a repository, or one of the parts into which all of them are divided. */
  repositoryId: string | null;
  part: number | null;
  languageCode: string;
  period: string;
  is: number;
  shouldBe: number;
}

export interface CheckedContent extends Likeable {
  wrong: { counter: string; is: number; shouldBe: number }[];
}

/**
 * Holds the counters of some articles against their likes, from one on in the order of their ids. One statement sees one
 * state of everything, so that nothing has to be locked. Comes back empty after the last one.
 */
export async function checkCounters(
  db: Queries,
  { after, atMost }: { after: Likeable | null; atMost: number },
): Promise<CheckedContent[]> {
  const { articleId, languageCode } = after ?? {
    articleId: '00000000-0000-0000-0000-000000000000',
    languageCode: '',
  };
  return db.query<CheckedContent>(sql`
    WITH batch AS MATERIALIZED (
      SELECT article_id, language_code, like_count FROM article_contents
      WHERE (article_id, language_code) > (${articleId}, ${languageCode})
      ORDER BY article_id, language_code LIMIT ${atMost}),
    given AS (
      SELECT batch.article_id, batch.language_code, windows.period, count(*) AS likes
      FROM batch JOIN article_likes AS likes USING (article_id, language_code)
      JOIN ranking_windows AS windows ON likes.liked_at > windows.counted_from
      GROUP BY batch.article_id, batch.language_code, windows.period),
    kept AS (
      SELECT rankings.article_id, rankings.language_code, rankings.period,
        CASE WHEN (rankings.written_at, rankings.repository_id, rankings.pull_request_number)
          = (articles.created_at, pull_requests.repository_id, pull_requests.number) THEN rankings.like_count ELSE 0 END AS likes
      FROM batch JOIN article_rankings AS rankings USING (article_id, language_code)
      JOIN articles ON articles.id = rankings.article_id
      JOIN pull_requests ON pull_requests.id = articles.pull_request_id),
    compared AS (
      SELECT article_id, language_code, period AS counter, coalesce(kept.likes, 0) AS kept, coalesce(given.likes, 0) AS given
      FROM kept FULL JOIN given USING (article_id, language_code, period)
      UNION ALL
      SELECT article_id, language_code, 'article', batch.like_count, coalesce(given.likes, 0)
      FROM batch LEFT JOIN (SELECT * FROM given WHERE period = 'all') AS given USING (article_id, language_code))
    SELECT batch.article_id AS "articleId", batch.language_code AS "languageCode",
      coalesce(jsonb_agg(jsonb_build_object('counter', compared.counter, 'is', compared.kept, 'shouldBe', compared.given)
        ORDER BY compared.counter) FILTER (WHERE compared.kept <> compared.given), '[]') AS wrong
    FROM batch JOIN compared USING (article_id, language_code)
    GROUP BY batch.article_id, batch.language_code
    ORDER BY batch.article_id, batch.language_code`);
}

/** Counts the likes of some articles anew, under a lock that keeps new likes out. */
export async function repairCounters(tx: Queries, likeables: Likeable[]): Promise<void> {
  const wrong = sql`(
    SELECT * FROM unnest(
      ${likeables.map(({ articleId }) => articleId)}::uuid[], ${likeables.map(({ languageCode }) => languageCode)}::text[])
    AS wrong (article_id, language_code))`;
  await tx.query(sql`
    SELECT FROM article_contents WHERE (article_id, language_code) IN ${wrong}
    ORDER BY article_id, language_code FOR NO KEY UPDATE`);
  await tx.query(sql`DELETE FROM article_rankings WHERE (article_id, language_code) IN ${wrong}`);
  await tx.query(sql`
    INSERT INTO article_rankings
      (article_id, language_code, period, repository_id, pull_request_number, like_count, written_at)
    SELECT articles.id, likes.language_code, windows.period, pull_requests.repository_id, pull_requests.number, count(*),
      articles.created_at
    FROM article_likes AS likes
    JOIN articles ON articles.id = likes.article_id
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN ranking_windows AS windows ON likes.liked_at > windows.counted_from
    WHERE (likes.article_id, likes.language_code) IN ${wrong}
    GROUP BY articles.id, likes.language_code, windows.period, pull_requests.id`);
  await tx.query(sql`
    UPDATE article_contents AS contents SET like_count = (
      SELECT count(*) FROM article_likes AS likes
      WHERE likes.article_id = contents.article_id AND likes.language_code = contents.language_code)
    WHERE (article_id, language_code) IN ${wrong}`);
}

export const partOf = (repositoryId: Sql) => sql`get_byte(uuid_send(${repositoryId}), 15) % 16`;

export async function checkTotals(db: Queries): Promise<WrongTotal[]> {
  return db.query<WrongTotal>(sql`
    WITH counted AS MATERIALIZED (
      SELECT repository_id, language_code, period, count(*) AS articles FROM article_rankings
      GROUP BY repository_id, language_code, period),
    summed AS (
      SELECT ${partOf(sql`repository_id`)} AS part, language_code, period, sum(articles) AS articles FROM counted
      GROUP BY part, language_code, period),
    compared AS (
      SELECT repository_id, NULL::integer AS part, language_code, period, totals.articles AS kept, counted.articles
      FROM ranking_totals AS totals FULL JOIN counted USING (repository_id, language_code, period)
      UNION ALL
      SELECT NULL, part, language_code, period, sums.articles, summed.articles
      FROM ranking_sums AS sums FULL JOIN summed USING (part, language_code, period))
    SELECT repository_id AS "repositoryId", part, language_code AS "languageCode", period,
      coalesce(kept, 0) AS is, coalesce(articles, 0)::integer AS "shouldBe"
    FROM compared WHERE coalesce(kept, 0) <> coalesce(articles, 0)
    ORDER BY repository_id, part, language_code, period`);
}

/**
 * Counts the rows of the ranking anew, once their total is locked. A transaction that adds one meanwhile is not seen yet, and
 * adds to the total when it gets the lock.
 */
export async function repairTotal(tx: Queries, wrong: WrongTotal): Promise<void> {
  const { repositoryId, part, languageCode, period } = wrong;
  const ofAll = repositoryId === null;
  const table = ofAll ? sql`ranking_sums` : sql`ranking_totals`;
  const key = ofAll ? sql`part` : sql`repository_id`;
  const value = ofAll ? part : repositoryId;
  await tx.query(sql`
    INSERT INTO ${table} AS totals (${key}, language_code, period, articles)
    VALUES (${value}, ${languageCode}, ${period}, 0)
    ON CONFLICT (period, ${key}, language_code) DO UPDATE SET articles = totals.articles`);
  await tx.query(sql`
    UPDATE ${table} SET articles = (
      SELECT count(*) FROM article_rankings AS rankings
      WHERE ${ofAll ? partOf(sql`rankings.repository_id`) : sql`rankings.repository_id`} = ${value}
        AND rankings.language_code = ${languageCode} AND rankings.period = ${period})
    WHERE ${key} = ${value} AND language_code = ${languageCode} AND period = ${period}`);
}
