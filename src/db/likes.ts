import type { RankingPeriod } from '../domain/time.ts';
import { type ArticleSummaryRow, articlesJoined as joined, rowsOfPage, summaryColumns } from './articles.ts';
import { publicChannel, type Queries } from './database.ts';
import { andRepositoryNamed, type NamedRepositories } from './repositories.ts';
import type { Tables } from './schema.ts';
import { opaqueToPlanner, type Sql, sql } from './sql.ts';
import { hiddenFrom, type ListScope, visibleTo } from './visibility.ts';

export type Likeable = Pick<Tables['article_likes'], 'articleId' | 'languageCode'>;

export type Like = Pick<Tables['article_likes'], 'id' | 'likedAt'>;

const isOne = ({ articleId, languageCode }: Likeable) =>
  sql`contents.article_id = ${articleId} AND contents.language_code = ${languageCode}`;

interface Liking extends Likeable {
  userId: string;
  now: Date;
}

export interface GivenLike {
  like: Like;
  likeCount: number;
}

/** A user likes an article in a language once. */
type OwnLike = Likeable & { userId: string };

const contentKey = ({ articleId, languageCode }: Likeable): string =>
  `${articleId.toLowerCase()} ${languageCode}`;

const keyOf = (like: OwnLike): string => `${like.userId} ${contentKey(like)}`;

const unnested = (likes: OwnLike[]): Sql => sql`
  unnest(${likes.map(({ userId }) => userId)}::uuid[], ${likes.map(({ articleId }) => articleId)}::uuid[],
    ${likes.map(({ languageCode }) => languageCode)}::text[]) AS wanted (user_id, article_id, language_code)`;

/** A new like, or, without a user, the number of likes that an article had before. */
type Inserted = Like & Likeable & { userId: string | null; likeCount: number };

/**
 * Adds likes and counts them everywhere, in one statement. Null for a like that its user has given already or may not
 * give, because the article is hidden. Lock order, as everywhere: users, contents, rankings, totals.
 *
 * No step joins rows of earlier ones: PostgreSQL expects one of each and would compare all with all.
 */
export async function insertLikes(db: Queries, likings: OwnLike[], now: Date): Promise<(GivenLike | null)[]> {
  const rows = await db.query<Inserted>(sql`
    WITH givers AS (
      SELECT users.id FROM users WHERE users.id = ANY(${likings.map(({ userId }) => userId)}::uuid[])
      ORDER BY users.id FOR KEY SHARE),
    target AS (
      SELECT wanted.user_id, wanted.article_id, wanted.language_code
      FROM ${unnested(likings)}
      JOIN ${joined} ON contents.article_id = wanted.article_id AND contents.language_code = wanted.language_code
      WHERE wanted.user_id IN (SELECT id FROM givers)
        AND ${visibleTo({ userId: sql`wanted.user_id`, now, purpose: 'detail' })}
      ORDER BY wanted.article_id, wanted.language_code FOR NO KEY UPDATE OF contents),
    liked AS (
      INSERT INTO article_likes (user_id, article_id, language_code, liked_at)
      SELECT user_id, article_id, language_code, ${now} FROM target
      ON CONFLICT DO NOTHING RETURNING id, user_id, article_id, language_code, liked_at),
    counted AS (
      UPDATE article_contents AS contents SET like_count = contents.like_count + sums.likes
      FROM (SELECT article_id, language_code, count(*) AS likes FROM liked GROUP BY article_id, language_code) AS sums
      WHERE contents.article_id = sums.article_id AND contents.language_code = sums.language_code
      RETURNING contents.article_id, contents.language_code, contents.like_count, sums.likes),
    ranked AS (
      INSERT INTO article_rankings AS rankings
        (article_id, language_code, period, repository_id, pull_request_number, like_count, written_at)
      SELECT counted.article_id, counted.language_code, windows.period, pull_requests.repository_id,
        pull_requests.number, counted.likes, articles.created_at
      FROM counted JOIN articles ON articles.id = counted.article_id
      JOIN pull_requests ON pull_requests.id = articles.pull_request_id
      JOIN ranking_windows AS windows ON windows.counted_from < ${now}
      ORDER BY counted.article_id, counted.language_code, windows.period
      ON CONFLICT (article_id, language_code, period) DO UPDATE
        SET like_count = rankings.like_count + excluded.like_count)
    SELECT id, user_id, article_id, language_code, liked_at, NULL::integer AS like_count FROM liked
    UNION ALL SELECT NULL, NULL, article_id, language_code, NULL, like_count - likes FROM counted`);
  return inOrder(likings, rows);
}

/** Gives each like the count that it made, as if they had been stored one after another. */
function inOrder(likings: OwnLike[], rows: Inserted[]): (GivenLike | null)[] {
  const likes = new Map<string, Like>();
  const counts = new Map<string, number>();
  for (const { id, likedAt, userId, likeCount, ...content } of rows)
    if (userId === null) counts.set(contentKey(content), likeCount);
    else likes.set(keyOf({ userId, ...content }), { id, likedAt });
  return likings.map((liking) => {
    const like = likes.get(keyOf(liking));
    if (!like) return null;
    // Of equal likes only the first is new.
    likes.delete(keyOf(liking));
    const likeCount = (counts.get(contentKey(liking)) ?? 0) + 1;
    counts.set(contentKey(liking), likeCount);
    return { like, likeCount };
  });
}

interface LikeOfUser {
  like: Like | null;
  likeCount: number;
  isSignedUp: boolean;
}

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

/** Removes likes and returns for each the number left; null if its user may not see the article. */
export async function deleteLikes(tx: Queries, likings: OwnLike[], now: Date): Promise<(number | null)[]> {
  const visible = await tx.query<OwnLike & { likeCount: number }>(sql`
    SELECT wanted.*, contents.like_count FROM ${unnested(likings)}
    JOIN ${joined} ON contents.article_id = wanted.article_id AND contents.language_code = wanted.language_code
    WHERE ${visibleTo({ userId: sql`wanted.user_id`, now, purpose: 'detail' })}
    ORDER BY wanted.article_id, wanted.language_code FOR NO KEY UPDATE OF contents`);
  const given = sql`(user_id, article_id, language_code) IN (SELECT * FROM ${unnested(visible)})`;
  const gone = Map.groupBy(await takeBack(tx, given), contentKey);
  const left = new Map(
    visible.map((one) => [keyOf(one), Math.max(0, one.likeCount - (gone.get(contentKey(one))?.length ?? 0))]),
  );
  return likings.map((liking) => left.get(keyOf(liking)) ?? null);
}

export async function deleteLikesOfUser(tx: Queries, userId: string): Promise<void> {
  // New likes of the user wait for this lock.
  await tx.query(sql`SELECT FROM users WHERE id = ${userId} FOR UPDATE`);
  await tx.query(sql`
    SELECT FROM article_contents
    WHERE (article_id, language_code) IN (
      SELECT article_id, language_code FROM article_likes WHERE user_id = ${userId})
    ORDER BY article_id, language_code FOR NO KEY UPDATE`);
  await takeBack(tx, sql`user_id = ${userId}`);
}

/**
 * Deletes likes and lowers the counters. An earlier statement locks the articles: otherwise a like that expires
 * meanwhile would be subtracted twice.
 */
const takeBack = (tx: Queries, which: Sql) =>
  tx.query<Likeable>(sql`
    WITH gone AS (
      DELETE FROM article_likes WHERE ${which} RETURNING article_id, language_code, liked_at),
    uncounted AS (
      UPDATE article_contents AS contents SET like_count = greatest(contents.like_count - sums.likes, 0)
      FROM (SELECT article_id, language_code, count(*) AS likes FROM gone GROUP BY article_id, language_code) AS sums
      WHERE contents.article_id = sums.article_id AND contents.language_code = sums.language_code),
    lost AS (
      SELECT gone.article_id, gone.language_code, windows.period, count(*) AS likes
      FROM gone JOIN ranking_windows AS windows ON gone.liked_at > windows.counted_from
      GROUP BY gone.article_id, gone.language_code, windows.period),
    ${lowerRankings}
    SELECT article_id, language_code FROM gone`);

/** Subtracts `lost` from the ranking, and deletes rows that are left without likes. */
const lowerRankings = sql`
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
  viewer: ListScope;
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
  // Reads only the columns that decide visibility of each like; the limits tell the planner how few rows to expect.
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

export type RankedArticle = ArticleSummaryRow & Pick<Tables['article_rankings'], 'likeCount'>;

export interface RankingPage extends NamedRepositories {
  period: RankingPeriod;
  viewer: Omit<ListScope, 'userId'>;
  language?: string | undefined;
  limit: number;
  offset: number;
}

type RankingRow = RankedArticle & Pick<Tables['ranking_windows'], 'asOf'> & { total: number };

const none = sql``;

const byLikeCount = (of: Sql) =>
  sql`${of}.like_count DESC, ${of}.written_at DESC, ${of}.article_id, ${of}.language_code`;

/** The ranking is the same for every viewer, so it contains public repositories only. */
const publicly = ({ viewer }: RankingPage) => visibleTo({ ...viewer, userId: null });

const isInPeriod = (of: Sql, { period, language }: RankingPage) => sql`
  ${of}.period = ${opaqueToPlanner(period)}
  ${language === undefined ? none : sql`AND ${of}.language_code = ${opaqueToPlanner(language)}`}`;

const rankedColumns = sql`
  rankings.article_id, rankings.language_code, rankings.repository_id, rankings.pull_request_number,
  rankings.like_count, rankings.written_at`;

/**
 * An index has all rows in order, so only the rows skipped or shown are read. Totals of hidden repositories are
 * subtracted by index, however many there are.
 */
const wholeRanking = {
  first: (page: RankingPage) => sql`
    hidden AS MATERIALIZED (SELECT id FROM repositories WHERE ${hiddenFrom({ ...page.viewer, userId: null })}),`,
  rows: (page: RankingPage) => sql`
    SELECT ${rankedColumns} FROM article_rankings AS rankings
    WHERE ${isInPeriod(sql`rankings`, page)} AND rankings.repository_id NOT IN (SELECT id FROM hidden)`,
  total: (page: RankingPage) => sql`
    coalesce((SELECT sum(sums.articles) FROM ranking_sums AS sums WHERE ${isInPeriod(sql`sums`, page)}), 0)
    - coalesce((
      SELECT sum(totals.articles) FROM ranking_totals AS totals
      WHERE ${isInPeriod(sql`totals`, page)} AND totals.repository_id = ANY (ARRAY(SELECT id FROM hidden))), 0)`,
};

const isRankedIn = (page: RankingPage) => sql`${publicly(page)} ${andRepositoryNamed(page)}`;

/** For each repository, at most a page of rows is read. */
const rankingOfRepositories = {
  first: () => none,
  rows: (page: RankingPage) => sql`
    SELECT rankings.* FROM repositories CROSS JOIN LATERAL (
      SELECT ${rankedColumns} FROM article_rankings AS rankings
      WHERE rankings.repository_id = repositories.id AND ${isInPeriod(sql`rankings`, page)}
      ORDER BY ${byLikeCount(sql`rankings`)} LIMIT ${opaqueToPlanner(page.limit + page.offset)}) AS rankings
    WHERE ${isRankedIn(page)}`,
  total: (page: RankingPage) => sql`
    coalesce((
      SELECT sum(totals.articles)
      FROM repositories JOIN ranking_totals AS totals ON totals.repository_id = repositories.id
      WHERE ${isRankedIn(page)} AND ${isInPeriod(sql`totals`, page)}), 0)`,
};

/**
 * A page of the ranking, in one statement whose cost does not depend on the number of likes. `asOf` is the time at
 * which expired likes were last removed.
 */
export async function listRankedArticles(
  db: Queries,
  page: RankingPage,
): Promise<{ rows: RankedArticle[]; total: number; asOf: Date | null }> {
  const { period, host, owner, repo, limit, offset } = page;
  const isWhole = host === undefined && owner === undefined && repo === undefined;
  const ranking = isWhole ? wholeRanking : rankingOfRepositories;
  // The limits of 100 and 1 do not change the result: they tell the planner how few rows to expect.
  const rows = await db.query<RankingRow>(sql`
    WITH ${ranking.first(page)} page AS MATERIALIZED (
      SELECT * FROM (
        ${ranking.rows(page)}
        ORDER BY ${byLikeCount(sql`rankings`)} LIMIT ${opaqueToPlanner(limit)} OFFSET ${opaqueToPlanner(offset)}) AS wanted
      LIMIT 100)
    SELECT (${ranking.total(page)})::integer AS total, windows.as_of, page.like_count, ${summaryColumns()}
    FROM ranking_windows AS windows
    LEFT JOIN (
      page
      CROSS JOIN LATERAL (
        SELECT host, owner, name FROM repositories WHERE id = page.repository_id AND ${publicly(page)} LIMIT 1) AS repositories
      CROSS JOIN LATERAL (
        SELECT number, host_url, title, author_login, state, merged_at FROM pull_requests
        WHERE repository_id = page.repository_id AND number = page.pull_request_number LIMIT 1) AS pull_requests
      JOIN article_contents AS contents
        ON contents.article_id = page.article_id AND contents.language_code = page.language_code) ON true
    WHERE windows.period = ${period}
    ORDER BY ${byLikeCount(sql`page`)}`);
  const [first] = rows;
  return {
    rows: rowsOfPage(rows, 'total', 'asOf'),
    total: first?.total ?? 0,
    asOf: first?.asOf ?? null,
  };
}

interface Span {
  after: Date;
  upTo: Date;
}

/** Both ends are parameters, so that the planner can estimate the number of likes between them. */
const likedWithin = ({ after, upTo }: Span) => sql`likes.liked_at > ${after} AND likes.liked_at <= ${upTo}`;

/** JavaScript has no date for minus infinity. */
const countedFrom = sql`greatest(counted_from, '1970-01-01Z') AS "countedFrom"`;

export async function mustSweepRanking(
  db: Queries,
  { period, upTo }: { period: RankingPeriod; upTo: Date },
): Promise<boolean> {
  const [window] = await db.query<Pick<Tables['ranking_windows'], 'countedFrom'>>(sql`
    SELECT ${countedFrom} FROM ranking_windows WHERE period = ${period}`);
  if (!window) throw new Error(`The ranking has no period ${period}.`);
  const span = { after: window.countedFrom, upTo };
  return db.any(sql`
    SELECT FROM article_likes AS likes WHERE ${likedWithin(span)} ORDER BY likes.liked_at LIMIT 1`);
}

interface Slice {
  period: RankingPeriod;
  upTo: Date;
  /** The limit per transaction; likes with the same time stay together. */
  atMost: number;
}

/** Removes expired likes from a period. Returns `busy` if another process is doing so. */
export async function sweepRankingSlice(
  tx: Queries,
  { period, upTo, atMost }: Slice,
): Promise<'all' | 'more' | 'busy'> {
  const [window] = await tx.query<Pick<Tables['ranking_windows'], 'countedFrom'>>(sql`
    SELECT ${countedFrom} FROM ranking_windows WHERE period = ${period} FOR NO KEY UPDATE SKIP LOCKED`);
  if (!window) return 'busy';
  const after = window.countedFrom;
  const [last] = await tx.query<Pick<Tables['article_likes'], 'likedAt'>>(sql`
    SELECT likes.liked_at FROM article_likes AS likes WHERE ${likedWithin({ after, upTo })}
    ORDER BY likes.liked_at OFFSET ${atMost} LIMIT 1`);
  const span = { after, upTo: last?.likedAt ?? upTo };
  await tx.query(sql`
    SELECT FROM article_contents
    WHERE (article_id, language_code) IN (
      SELECT likes.article_id, likes.language_code FROM article_likes AS likes WHERE ${likedWithin(span)})
    ORDER BY article_id, language_code FOR NO KEY UPDATE`);
  await tx.query(sql`
    WITH lost AS (
      SELECT likes.article_id, likes.language_code, ${period}::text AS period, count(*)::integer AS likes
      FROM article_likes AS likes WHERE ${likedWithin(span)}
      GROUP BY likes.article_id, likes.language_code),
    ${lowerRankings}
    SELECT`);
  await tx.query(sql`
    UPDATE ranking_windows SET counted_from = ${span.upTo} WHERE period = ${period} AND counted_from < ${span.upTo}`);
  return last ? 'more' : 'all';
}

/** The ranking shows this time, so processes that cache the ranking are notified. */
export const markRankingSwept = (db: Queries, now: Date) =>
  db.run(sql`
    WITH marked AS (UPDATE ranking_windows SET as_of = ${now} WHERE as_of IS NULL OR as_of < ${now} RETURNING 1)
    SELECT pg_notify(${publicChannel}, 'ranking') FROM marked LIMIT 1`);
