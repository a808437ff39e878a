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
  const row = await db.first<Like & { likeCount: number }>(sql`
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
    SELECT liked.id, liked.liked_at, counted.like_count FROM liked CROSS JOIN counted`);
  return row ? { like: { id: row.id, likedAt: row.likedAt }, likeCount: row.likeCount } : null;
}

interface LikeOfUser {
  like: Like | null;
  likeCount: number;
  isSignedUp: boolean;
}

/** Null when the user may not see the article. */
export async function findLike(
  db: Queries,
  { userId, now, ...likeable }: Liking,
): Promise<LikeOfUser | null> {
  const row = await db.first<Omit<LikeOfUser, 'like'> & { [Column in keyof Like]: Like[Column] | null }>(sql`
    SELECT likes.id, likes.liked_at, contents.like_count, EXISTS (SELECT FROM users WHERE id = ${userId}) AS is_signed_up
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
  const likeCount = await tx.value<number>(sql`
    SELECT contents.like_count FROM ${joined}
    WHERE ${isOne(likeable)} AND ${visibleTo({ userId, now, purpose: 'detail' })}
    FOR NO KEY UPDATE OF contents`);
  if (likeCount === null) return null;
  const { articleId, languageCode } = likeable;
  const own = sql`user_id = ${userId} AND article_id = ${articleId} AND language_code = ${languageCode}`;
  return Math.max(0, likeCount - (await takeBack(tx, own)));
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
