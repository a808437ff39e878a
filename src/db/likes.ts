import { type ArticleSummaryRow, articlesJoined as joined, rowsOfPage, summaryColumns } from './articles.ts';
import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { type Sql, sql } from './sql.ts';
import { hiddenFrom, type ListViewer, visibleTo } from './visibility.ts';

export type Likeable = Pick<Tables['article_likes'], 'articleId' | 'languageCode'>;

export type Like = Pick<Tables['article_likes'], 'id' | 'likedAt'>;

const isOne = ({ articleId, languageCode }: Likeable) =>
  sql`contents.article_id = ${articleId} AND contents.language_code = ${languageCode}`;

interface Liking extends Likeable {
  userId: string;
  now: Date;
}

/**
 * Adds a like and counts it everywhere, in one statement. Null when the user likes it already or may not see it. Lock
 * order, here as everywhere: user, content, ranking, totals.
 */
export async function insertLike(
  db: Queries,
  { userId, now, ...likeable }: Liking,
): Promise<{ like: Like; likeCount: number } | null> {
  const [row] = await db.query<Like & Pick<Tables['article_contents'], 'likeCount'>>(sql`
    WITH target AS (
      SELECT users.id AS user_id, contents.article_id, contents.language_code, pull_requests.repository_id,
        pull_requests.number, articles.created_at
      FROM users CROSS JOIN ${joined}
      WHERE users.id = ${userId} AND ${isOne(likeable)} AND ${visibleTo({ userId, now, purpose: 'detail' })}
      FOR KEY SHARE OF users),
    liked AS (
      INSERT INTO article_likes (user_id, article_id, language_code, liked_at)
      SELECT user_id, article_id, language_code, ${now} FROM target
      ON CONFLICT DO NOTHING RETURNING id, article_id, language_code, liked_at),
    counted AS (
      UPDATE article_contents AS contents SET like_count = contents.like_count + 1 FROM liked
      WHERE contents.article_id = liked.article_id AND contents.language_code = liked.language_code
      RETURNING contents.like_count),
    ranked AS (
      INSERT INTO article_rankings AS rankings
        (article_id, language_code, period, repository_id, pull_request_number, like_count, written_at)
      SELECT target.article_id, target.language_code, windows.period, target.repository_id, target.number, 1,
        target.created_at
      FROM counted CROSS JOIN liked CROSS JOIN target CROSS JOIN ranking_windows AS windows
      WHERE liked.liked_at > windows.counted_from
      ORDER BY windows.period
      ON CONFLICT (article_id, language_code, period) DO UPDATE SET like_count = rankings.like_count + 1)
    SELECT liked.id, liked.liked_at, counted.like_count
    FROM liked CROSS JOIN counted`);
  return row ? { like: { id: row.id, likedAt: row.likedAt }, likeCount: row.likeCount } : null;
}

interface Standing extends Pick<Tables['article_contents'], 'likeCount'> {
  like: Like | null;
  isSignedUp: boolean;
}

/** Null when the user may not see the article. */
export async function findLike(db: Queries, { userId, now, ...likeable }: Liking): Promise<Standing | null> {
  const [row] = await db.query<Omit<Standing, 'like'> & { [Column in keyof Like]: Like[Column] | null }>(sql`
    SELECT likes.id, likes.liked_at, contents.like_count,
      EXISTS (SELECT FROM users WHERE id = ${userId}) AS "isSignedUp"
    FROM ${joined}
    LEFT JOIN article_likes AS likes ON likes.article_id = contents.article_id
      AND likes.language_code = contents.language_code AND likes.user_id = ${userId}
    WHERE ${isOne(likeable)} AND ${visibleTo({ userId, now, purpose: 'detail' })}`);
  if (!row) return null;
  const { id, likedAt, likeCount, isSignedUp } = row;
  return { like: id && likedAt ? { id, likedAt } : null, likeCount, isSignedUp };
}

/** Removes a like and returns how many are left; null when the user may not see the article. */
export async function deleteLike(tx: Queries, { userId, now, ...likeable }: Liking): Promise<number | null> {
  const [content] = await tx.query<Pick<Tables['article_contents'], 'likeCount'>>(sql`
    SELECT contents.like_count FROM ${joined}
    WHERE ${isOne(likeable)} AND ${visibleTo({ userId, now, purpose: 'detail' })}
    FOR NO KEY UPDATE OF contents`);
  if (!content) return null;
  const { articleId, languageCode } = likeable;
  const taken = await takeBack(
    tx,
    sql`user_id = ${userId} AND article_id = ${articleId} AND language_code = ${languageCode}`,
  );
  return Math.max(0, content.likeCount - taken);
}

export async function deleteLikesOfUser(tx: Queries, userId: string): Promise<void> {
  // New likes need the same lock.
  await tx.query(sql`SELECT FROM users WHERE id = ${userId} FOR UPDATE`);
  await tx.query(sql`
    SELECT FROM article_contents
    WHERE (article_id, language_code) IN (
      SELECT article_id, language_code FROM article_likes WHERE user_id = ${userId})
    ORDER BY article_id, language_code FOR NO KEY UPDATE`);
  await takeBack(tx, sql`user_id = ${userId}`);
}

/**
 * Deletes likes, at most one of each article and language, and lowers the counters. The articles are locked by an earlier
 * statement: otherwise a like that leaves a period meanwhile would be subtracted twice.
 */
async function takeBack(tx: Queries, which: Sql): Promise<number> {
  const rows = await tx.query(sql`
    WITH gone AS (
      DELETE FROM article_likes WHERE ${which} RETURNING article_id, language_code, liked_at),
    uncounted AS (
      UPDATE article_contents AS contents SET like_count = greatest(contents.like_count - 1, 0) FROM gone
      WHERE contents.article_id = gone.article_id AND contents.language_code = gone.language_code),
    lost AS (
      SELECT gone.article_id, gone.language_code, windows.period, 1 AS likes
      FROM gone JOIN ranking_windows AS windows ON gone.liked_at > windows.counted_from),
    ${lowerRankings}
    SELECT FROM gone`);
  return rows.length;
}

/** Subtracts `lost` from the ranking, and deletes rows without likes. */
export const lowerRankings = sql`
  lowered AS (
    UPDATE article_rankings AS rankings SET like_count = rankings.like_count - lost.likes FROM lost
    WHERE rankings.article_id = lost.article_id AND rankings.language_code = lost.language_code
      AND rankings.period = lost.period AND rankings.like_count > lost.likes),
  dropped AS (
    DELETE FROM article_rankings AS rankings USING lost
    WHERE rankings.article_id = lost.article_id AND rankings.language_code = lost.language_code
      AND rankings.period = lost.period AND rankings.like_count <= lost.likes)`;

export type LikedArticle = ArticleSummaryRow & Pick<Tables['article_likes'], 'likedAt'>;

interface LikedList {
  viewer: ListViewer;
  language: string | undefined;
  articleId: string | undefined;
  oldestFirst: boolean;
  limit: number;
  offset: number;
}

export async function listLikedArticles(
  db: Queries,
  { viewer, language, articleId, oldestFirst, limit, offset }: LikedList,
): Promise<{ rows: LikedArticle[]; total: number }> {
  const order = oldestFirst ? sql`likes.liked_at, likes.id DESC` : sql`likes.liked_at DESC, likes.id`;
  // Only the columns that decide visibility are read of each like; the limits tell the planner how few rows there are.
  const rows = await db.query<LikedArticle & { total: number }>(sql`
    WITH hidden AS MATERIALIZED (SELECT id FROM repositories WHERE ${hiddenFrom(viewer)}),
    shown AS MATERIALIZED (
      SELECT likes.* FROM article_likes AS likes CROSS JOIN LATERAL (
        SELECT repository_id FROM article_contents AS contents
        WHERE contents.article_id = likes.article_id AND contents.language_code = likes.language_code LIMIT 1) AS about
      WHERE likes.user_id = ${viewer.userId} AND about.repository_id NOT IN (SELECT id FROM hidden)
        ${language === undefined ? sql`` : sql`AND likes.language_code = ${language}`}
        ${articleId === undefined ? sql`` : sql`AND likes.article_id = ${articleId}`}),
    likes AS MATERIALIZED (
      SELECT * FROM (SELECT * FROM shown AS likes ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}) AS page LIMIT 100)
    SELECT counted.total, likes.liked_at, ${summaryColumns()}
    FROM (SELECT count(*) AS total FROM shown) AS counted
    LEFT JOIN (
      likes JOIN ${joined}
        ON contents.article_id = likes.article_id AND contents.language_code = likes.language_code
        AND ${visibleTo(viewer)}) ON true
    ORDER BY ${order}`);
  return { rows: rowsOfPage(rows, 'total'), total: rows[0]?.total ?? 0 };
}

export interface WrongCounter extends Likeable {
  /** `article`, or a period of the ranking. */
  counter: string;
  is: number;
  shouldBe: number;
}

export interface WrongTotal {
  /** One of the two: a repository, or one of the parts into which all of them are divided. */
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
 * Compares the counters of some articles with their likes, in the order of ids. One statement sees one state, so that
 * nothing is locked. Empty after the last one.
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

/** Under a lock that keeps new likes out. */
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

export const checkTotals = (db: Queries) =>
  db.query<WrongTotal>(sql`
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
    SELECT repository_id, part, language_code, period, coalesce(kept, 0) AS is,
      coalesce(articles, 0)::integer AS "shouldBe"
    FROM compared WHERE coalesce(kept, 0) <> coalesce(articles, 0)
    ORDER BY repository_id, part, language_code, period`);

/** Counts anew under a lock. A transaction that adds a row meanwhile adds to the total when it gets the lock. */
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
