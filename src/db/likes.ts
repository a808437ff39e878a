import { type ArticleSummaryRow, articleSummaryColumns } from './articles.ts';
import type { Queries } from './database.ts';
import { type Sql, sql } from './sql.ts';
import { hiddenFrom, type ListViewer, visibleTo } from './visibility.ts';

/** What a user likes: an article in one language. */
export interface Likeable {
  articleId: string;
  languageCode: string;
}

export interface Like {
  id: string;
  likedAt: Date;
}

const joined = sql`
  article_contents AS contents
  JOIN articles ON articles.id = contents.article_id
  JOIN pull_requests ON pull_requests.id = articles.pull_request_id
  JOIN repositories ON repositories.id = pull_requests.repository_id`;

const isOne = ({ articleId, languageCode }: Likeable) =>
  sql`contents.article_id = ${articleId} AND contents.language_code = ${languageCode}`;

interface Liking extends Likeable {
  userId: string;
  now: Date;
}

/**
 * Gives a like and counts it everywhere, in one statement. Null when the user likes it already, and when there is nothing
 * that they may see. Locks are taken in the order of user, content, ranking and totals, here as everywhere.
 */
export async function insertLike(
  db: Queries,
  { userId, now, ...likeable }: Liking,
): Promise<{ like: Like; likeCount: number } | null> {
  const [row] = await db.query<Like & { likeCount: number }>(sql`
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
    SELECT liked.id, liked.liked_at AS "likedAt", counted.like_count AS "likeCount"
    FROM liked CROSS JOIN counted`);
  return row ? { like: { id: row.id, likedAt: row.likedAt }, likeCount: row.likeCount } : null;
}

interface Standing {
  like: Like | null;
  likeCount: number;
  /** False once the account is gone. */
  isSignedUp: boolean;
}

/** How many like something that a user may see, and since when that user does; null when they may see no such thing. */
export async function findLike(db: Queries, { userId, now, ...likeable }: Liking): Promise<Standing | null> {
  const [row] = await db.query<Omit<Standing, 'like'> & { id: string | null; likedAt: Date | null }>(sql`
    SELECT likes.id, likes.liked_at AS "likedAt", contents.like_count AS "likeCount",
      EXISTS (SELECT FROM users WHERE id = ${userId}) AS "isSignedUp"
    FROM ${joined}
    LEFT JOIN article_likes AS likes ON likes.article_id = contents.article_id
      AND likes.language_code = contents.language_code AND likes.user_id = ${userId}
    WHERE ${isOne(likeable)} AND ${visibleTo({ userId, now, purpose: 'detail' })}`);
  if (!row) return null;
  const { id, likedAt, likeCount, isSignedUp } = row;
  return { like: id && likedAt ? { id, likedAt } : null, likeCount, isSignedUp };
}

/** Takes a like back, if there is one, and returns how many are left; null when the user may see no such thing. */
export async function deleteLike(tx: Queries, { userId, now, ...likeable }: Liking): Promise<number | null> {
  const [content] = await tx.query<{ likeCount: number }>(sql`
    SELECT contents.like_count AS "likeCount" FROM ${joined}
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

/** Takes back every like of a user. */
export async function deleteLikesOfUser(tx: Queries, userId: string): Promise<void> {
  // A like that is given at this moment cannot slip in between: it would need the same lock.
  await tx.query(sql`SELECT FROM users WHERE id = ${userId} FOR UPDATE`);
  await tx.query(sql`
    SELECT FROM article_contents
    WHERE (article_id, language_code) IN (
      SELECT article_id, language_code FROM article_likes WHERE user_id = ${userId})
    ORDER BY article_id, language_code FOR NO KEY UPDATE`);
  await takeBack(tx, sql`user_id = ${userId}`);
}

/**
 * Deletes likes, at most one of each article and language, and lowers every counter that still has them. What they belong to
 * is locked by an earlier statement, so that this one sees what the windows and counters are once no other transaction can
 * change them: without that, a like that leaves a window meanwhile would be subtracted twice.
 */
async function takeBack(tx: Queries, which: Sql): Promise<number> {
  const rows = await tx.query(
    sql`
      WITH gone AS (
        DELETE FROM article_likes WHERE ${which} RETURNING article_id, language_code, liked_at),
      uncounted AS (
        UPDATE article_contents AS contents SET like_count = greatest(contents.like_count - 1, 0) FROM gone
        WHERE contents.article_id = gone.article_id AND contents.language_code = gone.language_code),
      lost AS (
        SELECT gone.article_id, gone.language_code, windows.period, 1 AS likes
        FROM gone JOIN ranking_windows AS windows ON gone.liked_at > windows.counted_from),
      ${lowerRankings}
      SELECT FROM gone`,
  );
  return rows.length;
}

/** Subtracts what a part named `lost` says from the ranking; what would be left without likes goes. */
export const lowerRankings = sql`
  lowered AS (
    UPDATE article_rankings AS rankings SET like_count = rankings.like_count - lost.likes FROM lost
    WHERE rankings.article_id = lost.article_id AND rankings.language_code = lost.language_code
      AND rankings.period = lost.period AND rankings.like_count > lost.likes),
  dropped AS (
    DELETE FROM article_rankings AS rankings USING lost
    WHERE rankings.article_id = lost.article_id AND rankings.language_code = lost.language_code
      AND rankings.period = lost.period AND rankings.like_count <= lost.likes)`;

export interface LikedArticle extends Likeable, ArticleSummaryRow {
  likedAt: Date;
  title: string;
  host: string;
  owner: string;
  repo: string;
  number: number;
}

interface LikedList {
  viewer: ListViewer;
  language: string | undefined;
  articleId: string | undefined;
  oldestFirst: boolean;
  limit: number;
  offset: number;
}

/** What the viewer likes and may still see. */
export async function listLikedArticles(
  db: Queries,
  { viewer, language, articleId, oldestFirst, limit, offset }: LikedList,
): Promise<{ rows: LikedArticle[]; total: number }> {
  const order = oldestFirst ? sql`likes.liked_at, likes.id DESC` : sql`likes.liked_at DESC, likes.id`;
  // Of each like only that is read which decides whether it shows; the limits tell the planner how few rows there are.
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
    SELECT counted.total, likes.article_id AS "articleId", likes.language_code AS "languageCode",
      likes.liked_at AS "likedAt", contents.title, repositories.host, repositories.owner, repositories.name AS repo,
      pull_requests.number, pull_requests.author_login AS "authorLogin", pull_requests.state, pull_requests.merged_at AS "mergedAt",
      ${articleSummaryColumns}
    FROM (SELECT count(*) AS total FROM shown) AS counted
    LEFT JOIN (
      likes JOIN ${joined}
        ON contents.article_id = likes.article_id AND contents.language_code = likes.language_code
        AND ${visibleTo(viewer)}) ON true
    ORDER BY ${order}`);
  return {
    rows: rows.filter((row) => row.articleId !== null).map(({ total, ...liked }) => liked),
    total: rows[0]?.total ?? 0,
  };
}
