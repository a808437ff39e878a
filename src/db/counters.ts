import type { Database, Queries } from './database.ts';
import type { Likeable } from './likes.ts';
import { type Sql, sql } from './sql.ts';

interface Wrong {
  is: number;
  shouldBe: number;
}

export interface WrongCounter extends Likeable, Wrong {
  counter: string;
}

export interface CheckedContent extends Likeable {
  wrong: Omit<WrongCounter, keyof Likeable>[];
}

/**
 * Compares the like counters of some articles with their likes, in the order of ids. One statement sees one state, so
 * nothing is locked. Returns an empty list after the last article.
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
    SELECT batch.article_id, batch.language_code,
      coalesce(jsonb_agg(jsonb_build_object('counter', compared.counter, 'is', compared.kept, 'shouldBe', compared.given)
        ORDER BY compared.counter) FILTER (WHERE compared.kept <> compared.given), '[]') AS wrong
    FROM batch JOIN compared USING (article_id, language_code)
    GROUP BY batch.article_id, batch.language_code
    ORDER BY batch.article_id, batch.language_code`);
}

/** Corrects counters under a lock that keeps new likes out. */
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

/** Either a repository, or one of the parts into which all repositories are divided. */
interface Whose {
  repositoryId: string | null;
  part: number | null;
}

export interface WrongArticleCount extends Whose, Wrong {
  /** `*` counts each article once, whatever its languages. */
  languageCode: string;
}

export interface WrongTotal extends WrongArticleCount {
  period: string;
}

const counterPart = (repositoryId: Sql) => sql`get_byte(uuid_send(${repositoryId}), 15) % 16`;

interface Counts {
  totals: Sql;
  sums: Sql;
  keys: Sql;
}

const rankingCounts: Counts = {
  totals: sql`ranking_totals`,
  sums: sql`ranking_sums`,
  keys: sql`language_code, period`,
};

const articleCounts: Counts = {
  totals: sql`article_totals`,
  sums: sql`article_sums`,
  keys: sql`language_code`,
};

/** Finds wrong counts in one statement, which sees one state of all tables. */
const wrongCounts = ({ totals, sums, keys }: Counts, counted: Sql): Sql => sql`
  WITH counted AS MATERIALIZED (${counted}),
  summed AS (
    SELECT ${counterPart(sql`repository_id`)} AS part, ${keys}, sum(articles) AS articles FROM counted GROUP BY part, ${keys}),
  compared AS (
    SELECT repository_id, NULL::integer AS part, ${keys}, totals.articles AS kept, counted.articles
    FROM ${totals} AS totals FULL JOIN counted USING (repository_id, ${keys})
    UNION ALL
    SELECT NULL, part, ${keys}, sums.articles, summed.articles
    FROM ${sums} AS sums FULL JOIN summed USING (part, ${keys}))
  SELECT repository_id, part, ${keys}, coalesce(kept, 0) AS is, coalesce(articles, 0)::integer AS should_be
  FROM compared WHERE coalesce(kept, 0) <> coalesce(articles, 0)
  ORDER BY repository_id, part, ${keys}`;

/** Counts again under a lock. A transaction that adds a row meanwhile adds to the count when it gets the lock. */
async function recount(
  tx: Queries,
  { totals, sums, keys }: Counts,
  { repositoryId, part }: Whose,
  { values, count }: { values: Sql; count: (isCounted: Sql) => Sql },
): Promise<void> {
  const [table, key, value, isCounted] =
    repositoryId === null
      ? [sums, sql`part`, part, sql`${counterPart(sql`rows.repository_id`)} = ${part}`]
      : [totals, sql`repository_id`, repositoryId, sql`rows.repository_id = ${repositoryId}`];
  await tx.run(sql`
    INSERT INTO ${table} AS counts (${key}, ${keys}, articles) VALUES (${value}, ${values}, 0)
    ON CONFLICT (${key}, ${keys}) DO UPDATE SET articles = counts.articles`);
  await tx.run(sql`
    UPDATE ${table} SET articles = (${count(isCounted)}) WHERE ${key} = ${value} AND (${keys}) = (${values})`);
}

export const checkLikeTotals = (db: Queries) =>
  db.query<WrongTotal>(
    wrongCounts(
      rankingCounts,
      sql`SELECT repository_id, language_code, period, count(*) AS articles FROM article_rankings
        GROUP BY repository_id, language_code, period`,
    ),
  );

export const repairLikeTotal = (tx: Queries, { languageCode, period, ...whose }: WrongTotal) =>
  recount(tx, rankingCounts, whose, {
    values: sql`${languageCode}, ${period}`,
    count: (isCounted) => sql`
      SELECT count(*) FROM article_rankings AS rows
      WHERE ${isCounted} AND rows.language_code = ${languageCode} AND rows.period = ${period}`,
  });

const findWrongArticleCounts = (db: Queries) =>
  db.query<WrongArticleCount>(
    wrongCounts(
      articleCounts,
      sql`SELECT repository_id, coalesce(language_code, '*') AS language_code, count(DISTINCT article_id) AS articles
        FROM article_contents GROUP BY GROUPING SETS ((repository_id, language_code), (repository_id))`,
    ),
  );

const repairArticleCount = (tx: Queries, { languageCode, ...whose }: WrongArticleCount) =>
  recount(tx, articleCounts, whose, {
    values: sql`${languageCode}`,
    count: (isCounted) => sql`
      SELECT count(DISTINCT rows.article_id) FROM article_contents AS rows
      WHERE ${isCounted} AND (rows.language_code = ${languageCode} OR ${languageCode} = '*')`,
  });

export interface WrongFacets extends Whose {
  differ: number;
}

export const findWrongFacets = (db: Queries) =>
  db.query<WrongFacets>(sql`
    WITH wanted AS MATERIALIZED (SELECT * FROM facets_as_written),
    counted AS MATERIALIZED (
      SELECT repository_id, author, change_type, language_code, count(*) AS articles FROM wanted
      GROUP BY repository_id, author, change_type, language_code),
    summed AS (
      SELECT ${counterPart(sql`repository_id`)} AS part, author, change_type, language_code, sum(articles) AS articles FROM counted
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
    SELECT repository_id, part, count(*) AS differ FROM differing
    GROUP BY repository_id, part ORDER BY repository_id, part`);

/** A transaction that adds an article meanwhile counts it once it gets this lock. */
async function repairFacets(tx: Queries, { repositoryId, part }: WrongFacets): Promise<void> {
  await tx.query(sql`LOCK TABLE facet_totals IN SHARE ROW EXCLUSIVE MODE`);
  if (repositoryId !== null) await listAnew(tx, repositoryId);
  const whole = repositoryId === null ? sql`${part}::integer` : counterPart(sql`${repositoryId}::uuid`);
  await tx.query(sql`DELETE FROM facet_sums WHERE part = ${whole}`);
  await tx.query(sql`
    INSERT INTO facet_sums (author, change_type, language_code, part, articles)
    SELECT author, change_type, language_code, ${whole}, sum(articles) FROM facet_totals
    WHERE ${counterPart(sql`repository_id`)} = ${whole} GROUP BY author, change_type, language_code`);
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

export async function checkArticleCounts(
  database: Database,
  { repair }: { repair: boolean },
): Promise<WrongArticleCount[]> {
  const wrong = await findWrongArticleCounts(database);
  if (repair) for (const count of wrong) await database.transaction((tx) => repairArticleCount(tx, count));
  return wrong;
}

export async function checkFacets(
  database: Database,
  { repair }: { repair: boolean },
): Promise<WrongFacets[]> {
  const wrong = await findWrongFacets(database);
  if (repair) for (const facets of wrong) await database.transaction((tx) => repairFacets(tx, facets));
  return wrong;
}
