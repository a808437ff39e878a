import type { ArticleContent, Quote } from '../contract/articles.ts';
import type { ChangeType } from '../domain/articles.ts';
import { type DiffRange, isSameDiff } from '../domain/pull-requests.ts';
import type { ArticleReview, ChosenPoint } from '../domain/reviews.ts';
import type { Touches } from '../domain/second-line.ts';
import { publicChannel, type Queries } from './database.ts';
import { isOutdated } from './diffs.ts';
import type { PullRequestRow } from './pull-requests.ts';
import { idOfVisibleRepository, type RepositoryName } from './repositories.ts';
import type { Tables } from './schema.ts';
import { type IndexedArticle, indexArticles, indexedFields } from './search-index.ts';
import { json, jsonText, type Sql, separated, sql } from './sql.ts';
import {
  type DetailScope,
  type Repository,
  repositoriesKnownTo,
  type VisibilityScope,
  visibleTo,
} from './visibility.ts';

/** An article in one language as the API returns it, without the properties that change while its text does not. */
export type PublishedContent = Omit<ArticleContent, 'likeCount' | 'stale'>;

type ContentColumns = Tables['article_contents'];

/** `baseSha` and `headSha` are those of the diff that the article was written for. */
export interface StoredContent
  extends Pick<ContentColumns, 'languageCode' | 'baseSha' | 'headSha' | 'likeCount' | 'revision'> {
  isOutdated: boolean;
  /** A `PublishedContent` as JSON, which responses pass on without parsing it. */
  body: Uint8Array;
  /** Whether it is written again at each read: its revision, of the stored content, then says nothing about its text. */
  isUnstored?: true;
  /** A `Review` as JSON. It is not stored, but computed from the discussion at each read. */
  review?: string;
  /** The points of the review that a model chose; null without any. */
  chosen: ChosenPoint[] | null;
}

/** `headSha` is the current head of the pull request. */
export interface StoredArticle
  extends RepositoryName,
    Omit<PullRequestRow, 'baseSha'>,
    Pick<Tables['articles'], 'id' | 'pullRequestId' | 'createdAt' | 'updatedAt'> {
  repository: Repository;
  isDiscussed: boolean;
  contents: StoredContent[];
}

interface ArticleRow
  extends Omit<StoredArticle, 'contents' | 'repository'>,
    Omit<Repository, 'id' | 'name'>,
    Omit<StoredContent, 'headSha'> {
  place?: number;
  repositoryId: string;
  writtenForHead: string;
}

export const isDiscussed = sql`EXISTS (
  SELECT FROM pull_request_contents AS texts WHERE texts.pull_request_id = pull_requests.id AND texts.discussion IS NOT NULL)`;

const articleColumns = sql`
  articles.id, articles.pull_request_id, repositories.host, repositories.owner, repositories.name AS repo,
  pull_requests.number, pull_requests.host_url, pull_requests.title, pull_requests.author_login, pull_requests.state,
  pull_requests.head_sha, pull_requests.host_created_at, pull_requests.merged_at, articles.created_at,
  articles.updated_at, repositories.id AS repository_id, repositories.host_repo_id, repositories.is_private,
  contents.language_code, contents.base_sha, contents.head_sha AS written_for_head, contents.revision, contents.like_count,
  contents.review -> 'chosen' AS chosen, ${isOutdated(sql`pull_requests`, sql`nullif(contents.base_sha, '')`, sql`contents.head_sha`)} AS is_outdated, contents.body,
  ${isDiscussed} AS is_discussed`;

const repositoryOfArticle = sql`
  JOIN pull_requests ON pull_requests.id = articles.pull_request_id
  JOIN repositories ON repositories.id = pull_requests.repository_id`;

export const articlesJoined = sql`
  article_contents AS contents JOIN articles ON articles.id = contents.article_id ${repositoryOfArticle}`;

const findArticle = async (db: Queries, wanted: Sql, viewer: VisibilityScope) =>
  storedArticleOf(
    await db.queryBytes<ArticleRow>(sql`
      SELECT ${articleColumns}, ${repositoriesKnownTo(viewer)} FROM ${articlesJoined}
      WHERE ${wanted} AND ${visibleTo(viewer)} ORDER BY contents.language_code`),
  );

function storedArticleOf(rows: ArticleRow[]): StoredArticle | null {
  const [first] = rows;
  if (!first) return null;
  const { host, hostRepoId, owner, repo, isPrivate, checkedAt, unreachableSince } = first;
  return {
    id: first.id,
    pullRequestId: first.pullRequestId,
    host,
    owner,
    repo,
    number: first.number,
    hostUrl: first.hostUrl,
    title: first.title,
    authorLogin: first.authorLogin,
    state: first.state,
    headSha: first.headSha,
    hostCreatedAt: first.hostCreatedAt,
    mergedAt: first.mergedAt,
    createdAt: first.createdAt,
    updatedAt: first.updatedAt,
    isDiscussed: first.isDiscussed,
    repository: {
      id: first.repositoryId,
      host,
      hostRepoId,
      owner,
      name: repo,
      isPrivate,
      checkedAt,
      unreachableSince,
    },
    contents: rows.map((row) => ({
      languageCode: row.languageCode,
      baseSha: row.baseSha,
      headSha: row.writtenForHead,
      revision: row.revision,
      likeCount: row.likeCount,
      isOutdated: row.isOutdated,
      body: row.body,
      chosen: row.chosen,
    })),
  };
}

export interface WantedArticle {
  articleId: string;
  userId: string | null;
}

/** Several articles in one statement, each for its own viewer; null if that viewer may not see it. */
export async function findArticlesById(
  db: Queries,
  wanted: WantedArticle[],
  { now, purpose }: Omit<DetailScope, 'userId'>,
): Promise<(StoredArticle | null)[]> {
  const ids = wanted.map(({ articleId }) => articleId);
  const users = wanted.map(({ userId }) => userId);
  const userId = users.some((one) => one !== null) ? sql`wanted.user_id` : null;
  // Subqueries hide the lists from the planner, which would otherwise plan each call again; the limit says that ids are
  // unique.
  const rows = await db.queryBytes<ArticleRow>(sql`
    SELECT wanted.place, ${articleColumns}, ${repositoriesKnownTo({ userId })}
    FROM unnest((SELECT ${ids}::uuid[]), (SELECT ${users}::uuid[])) WITH ORDINALITY AS wanted (article_id, user_id, place)
    CROSS JOIN LATERAL (SELECT * FROM articles WHERE articles.id = wanted.article_id LIMIT 1) AS articles
    JOIN article_contents AS contents ON contents.article_id = articles.id ${repositoryOfArticle}
    WHERE ${visibleTo({ userId, now, purpose })} ORDER BY wanted.place, contents.language_code`);
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return wanted.map((_, index) => storedArticleOf(byPlace.get(index + 1) ?? []));
}

export const findArticleOfPullRequest = (db: Queries, pullRequestId: string, viewer: VisibilityScope) =>
  findArticle(db, sql`pull_requests.id = ${pullRequestId}`, viewer);

export const findArticleByName = (
  db: Queries,
  { number, ...named }: { host: string; owner: string; name: string; number: number; viewer: DetailScope },
) =>
  findArticle(
    db,
    sql`repositories.id = ${idOfVisibleRepository(named)} AND pull_requests.number = ${number}`,
    named.viewer,
  );

export const findDiffsOfArticles = (db: Queries, articleIds: string[], viewer: VisibilityScope) =>
  db.query<DiffRange & { pullRequestId: string; prNumber: number }>(sql`
    SELECT pull_requests.id AS "pullRequestId", pull_requests.number AS "prNumber", pull_requests.base_sha, pull_requests.head_sha
    FROM articles ${repositoryOfArticle}
    WHERE articles.id = ANY(${articleIds}::uuid[]) AND ${visibleTo(viewer)}
    ORDER BY array_position(${articleIds}::uuid[], articles.id)`);

/** The diff and the writer of an article in one language. Does not check visibility, so do not show it. */
export interface WrittenFor
  extends Pick<
    ContentColumns,
    'articleId' | 'baseSha' | 'headSha' | 'offlineWriter' | 'failedTries' | 'nextTryAt'
  > {
  writer: PublishedContent['writer'];
}

export const findArticleForJob = (
  db: Queries,
  { pullRequestId, languageCode }: { pullRequestId: string; languageCode: string },
) =>
  db.first<WrittenFor>(sql`
    SELECT contents.article_id, contents.base_sha, contents.head_sha, contents.offline_writer, contents.failed_tries,
      contents.next_try_at, contents.body -> 'writer' AS writer
    FROM article_contents AS contents JOIN articles ON articles.id = contents.article_id
    WHERE articles.pull_request_id = ${pullRequestId} AND contents.language_code = ${languageCode}`);

interface Publication {
  pullRequestId: string;
  content: PublishedContent;
  offlineWriter: number | null;
  nextTry: NextTry | null;
  review?: ArticleReview | null;
}

export interface NextTry {
  failedTries: number;
  at: Date;
}

export async function saveArticle(tx: Queries, { now, ...publication }: Publication & { now: Date }) {
  const [articleId] = await saveArticles(tx, [publication], now);
  if (articleId === undefined) throw new Error('The database stored an article without returning it.');
  return articleId;
}

type SavedArticle = Publication & IndexedArticle;

/**
 * The article as it replaces the stored one; null if it is identical, so that only its writer is updated. If a newer
 * writer rewrites it for the same diff, it keeps its date, because it is no news to readers. The trigger `rewritten`
 * decides the same about read marks.
 */
async function asReplacement(tx: Queries, article: SavedArticle, now: Date): Promise<SavedArticle | null> {
  const { articleId, content, offlineWriter, nextTry, review } = article;
  const isWritten = sql`article_id = ${articleId} AND language_code = ${content.languageCode}`;
  const before = await tx.first<
    Pick<WrittenFor, 'baseSha' | 'headSha' | 'offlineWriter'> & { date: string; isEqual: boolean }
  >(sql`
    SELECT base_sha, head_sha, offline_writer, body ->> 'summaryGeneratedAt' AS date,
      jsonb_strip_nulls(body::jsonb - 'summaryGeneratedAt') = jsonb_strip_nulls(${json(content)} - 'summaryGeneratedAt') AS "isEqual"
    FROM article_contents WHERE ${isWritten}`);
  if (before?.isEqual) {
    await tx.run(sql`
      UPDATE article_contents SET base_sha = ${content.baseSha}, head_sha = ${content.headSha},
        offline_writer = ${offlineWriter}, failed_tries = ${nextTry?.failedTries ?? 0},
        next_try_at = ${nextTry?.at ?? null}, review = ${reviewOf(review)} WHERE ${isWritten}`);
    return null;
  }
  const isByNewerWriter =
    before && (before.offlineWriter ?? Infinity) < (offlineWriter ?? 0) && isSameDiff(before, content);
  if (isByNewerWriter) return { ...article, content: { ...content, summaryGeneratedAt: before.date } };
  await tx.run(sql`UPDATE articles SET updated_at = ${now} WHERE id = ${articleId}`);
  return article;
}

/**
 * Stores articles about different pull requests, each in one language, and returns their ids. An article that is
 * replaced keeps its id and likes.
 */
export async function saveArticles(tx: Queries, publications: Publication[], now: Date): Promise<string[]> {
  const ids = publications.map(({ pullRequestId }) => pullRequestId);
  // The update locks the row, so that concurrent writers of one article take turns.
  const rows = await tx.query<
    Pick<Tables['articles'], 'id' | 'repositoryId' | 'pullRequestId'> &
      Pick<IndexedArticle, 'about'> & { isNew: boolean }
  >(sql`
    INSERT INTO articles (pull_request_id, repository_id, created_at, updated_at)
    SELECT id, repository_id, ${now}, ${now} FROM pull_requests WHERE id = ANY(${ids}::uuid[])
    ON CONFLICT (pull_request_id) DO UPDATE SET updated_at = articles.updated_at
    RETURNING id, pull_request_id, repository_id, xmax = 0 AS "isNew", (
      SELECT ${indexedFields} FROM pull_requests JOIN repositories ON repositories.id = pull_requests.repository_id
      WHERE pull_requests.id = articles.pull_request_id) AS about`);
  const byPullRequest = new Map(rows.map((row) => [row.pullRequestId, row]));
  const articles = publications.flatMap((publication) => {
    const row = byPullRequest.get(publication.pullRequestId);
    return row ? { ...row, ...publication, articleId: row.id } : [];
  });
  const changed: SavedArticle[] = [];
  for (const article of articles) {
    const one = article.isNew ? article : await asReplacement(tx, article, now);
    if (one) changed.push(one);
  }
  if (changed.length > 0) await storeContents(tx, changed);
  return articles.map(({ articleId }) => articleId);
}

const reviewOf = (review: ArticleReview | null | undefined): Sql =>
  review ? json(review) : sql`NULL::jsonb`;

async function storeContents(tx: Queries, articles: SavedArticle[]): Promise<void> {
  await tx.run(sql`
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, standfirst, quote,
      reading_minutes, is_breaking, body, review, base_sha, head_sha, offline_writer, failed_tries, next_try_at, generated_at)
    VALUES ${separated(
      articles.map(
        ({ articleId, repositoryId, content, offlineWriter, nextTry, review }) => sql`
          (${articleId}, ${repositoryId}, ${content.languageCode}, ${content.aiGeneratedTitle}, ${content.changeTypes},
            ${content.standfirst?.text ?? null}, ${content.quote === null ? null : jsonText(content.quote)},
            ${content.readingMinutes}, ${content.notablePoints.some(({ label }) => label === 'breaking')},
            ${jsonText(content)}, ${reviewOf(review)}, ${content.baseSha}, ${content.headSha}, ${offlineWriter}, ${nextTry?.failedTries ?? 0},
            ${nextTry?.at ?? null}, ${content.summaryGeneratedAt})`,
      ),
    )}
    ON CONFLICT (article_id, language_code) DO UPDATE SET
      title = excluded.title, change_types = excluded.change_types, standfirst = excluded.standfirst, quote = excluded.quote,
      reading_minutes = excluded.reading_minutes, is_breaking = excluded.is_breaking, body = excluded.body,
      review = excluded.review, base_sha = excluded.base_sha,
      head_sha = excluded.head_sha, offline_writer = excluded.offline_writer, failed_tries = excluded.failed_tries,
      next_try_at = excluded.next_try_at, generated_at = excluded.generated_at, revision = article_contents.revision + 1`);
  await indexArticles(tx, articles);
}

export interface ArticleSummaryRow
  extends RepositoryName,
    Pick<Tables['pull_requests'], 'number' | 'hostUrl' | 'title' | 'authorLogin' | 'state' | 'mergedAt'>,
    Pick<ContentColumns, 'articleId' | 'languageCode' | 'standfirst'>,
    Pick<ContentColumns, 'readingMinutes' | 'isBreaking' | 'additions' | 'deletions' | 'isExample'> {
  aiGeneratedTitle: string;
  changeTypes: ChangeType[];
  quote: Quote | null;
  touches: Touches;
}

export interface ListedArticle extends ArticleSummaryRow, Pick<ContentColumns, 'likeCount' | 'generatedAt'> {}

interface Sources {
  repositories?: Sql;
  pullRequests?: Sql;
}

/** Columns of a summary, taken from `contents` and from tables or subqueries with the repository and pull request. */
export const summaryColumns = ({
  repositories = sql`repositories`,
  pullRequests = sql`pull_requests`,
}: Sources = {}): Sql => sql`
  contents.article_id, contents.language_code, contents.title AS "aiGeneratedTitle", ${repositories}.host, ${repositories}.owner,
  ${repositories}.name AS repo, ${pullRequests}.number, ${pullRequests}.host_url, ${pullRequests}.title, ${pullRequests}.author_login, ${pullRequests}.state,
  ${pullRequests}.merged_at, contents.change_types, contents.standfirst, contents.quote, contents.reading_minutes,
  contents.is_breaking, contents.additions, contents.deletions, contents.is_example, contents.touches`;

export const listedColumns = (sources?: Sources): Sql =>
  sql`${summaryColumns(sources)}, contents.like_count, contents.generated_at`;

/**
 * The rows of a page without the columns about the whole list. Those columns are joined, so an empty page is one row
 * whose own columns are null.
 */
export function rowsOfPage<Row extends { articleId: string }, Whole extends keyof Row>(
  rows: Row[],
  ...whole: Whole[]
): Omit<Row, Whole>[] {
  return rows
    .filter(({ articleId }) => articleId !== null)
    .map((row) => {
      const own: Partial<Row> = { ...row };
      for (const name of whole) delete own[name];
      return own as Omit<Row, Whole>;
    });
}

export async function findTitlesOfArticles(
  db: Queries,
  wanted: { host: string; hostRepoId: number; numbers: number[]; viewer: VisibilityScope },
): Promise<Map<number, Record<string, string>>> {
  const rows = await db.query<{ number: number; languageCode: string; title: string }>(sql`
    SELECT pull_requests.number, contents.language_code, contents.title FROM ${articlesJoined}
    WHERE repositories.host = ${wanted.host} AND repositories.host_repo_id = ${wanted.hostRepoId}
      AND pull_requests.number = ANY(${wanted.numbers}::bigint[]) AND ${visibleTo(wanted.viewer)}
    ORDER BY contents.language_code`);
  const titles = new Map<number, Record<string, string>>();
  for (const { number, languageCode, title } of rows)
    titles.set(number, { ...titles.get(number), [languageCode]: title });
  return titles;
}

/**
 * The pull requests of a repository that have an article in each of the languages, by a model where that is wanted. Does
 * not check visibility, so do not show them.
 */
export async function findNumbersWithArticle(
  db: Queries,
  {
    host,
    hostRepoId,
    languages,
    byModel = [],
  }: { host: string; hostRepoId: number; languages: readonly string[]; byModel?: number[] },
): Promise<Set<number>> {
  return new Set(
    await db.values<number>(sql`
      SELECT pull_requests.number FROM ${articlesJoined}
      WHERE repositories.host = ${host} AND repositories.host_repo_id = ${hostRepoId}
        AND contents.language_code = ANY(${[...languages]}::text[])
        AND (pull_requests.number <> ALL(${byModel}::bigint[]) OR contents.offline_writer IS NULL)
      GROUP BY pull_requests.number HAVING count(*) = ${languages.length}`),
  );
}

/** The newest articles that a model could write, and how many lines they are about. Does not check visibility. */
export const findArticlesWithoutModel = (
  db: Queries,
  {
    host,
    hostRepoId,
    languageCode,
    most,
  }: { host: string; hostRepoId: number; languageCode: string; most: number },
) =>
  db.query<{ number: number; changedLines: number }>(sql`
    WITH newest AS (
      SELECT article_id, listed_at, body::jsonb -> 'counts' AS counts FROM article_contents
      WHERE repository_id = (SELECT id FROM repositories WHERE host = ${host} AND host_repo_id = ${hostRepoId})
        AND language_code = ${languageCode} AND offline_writer IS NOT NULL
        AND body::jsonb #>> '{writer,because}' IS DISTINCT FROM 'trivial'
      ORDER BY listed_at DESC, article_id LIMIT ${most})
    SELECT number, (counts ->> 'additions')::bigint + (counts ->> 'deletions')::bigint AS changed_lines
    FROM newest JOIN articles ON articles.id = article_id JOIN pull_requests ON pull_requests.id = pull_request_id
    ORDER BY newest.listed_at DESC, article_id`);

interface Wanted {
  viewer: VisibilityScope;
  articles: Pick<ContentColumns, 'articleId' | 'languageCode'>[];
}

/** The whole content of each article that the viewer may see, by article id. */
export async function findArticleContents(
  db: Queries,
  { viewer, articles }: Wanted,
): Promise<Map<string, PublishedContent>> {
  if (articles.length === 0) return new Map();
  const rows = await db.query<{ articleId: string; content: PublishedContent }>(sql`
    SELECT contents.article_id, contents.body AS content
    FROM unnest(${articles.map(({ articleId }) => articleId)}::uuid[],
      ${articles.map(({ languageCode }) => languageCode)}::text[]) AS wanted (article_id, language_code)
    JOIN article_contents AS contents USING (article_id, language_code)
    JOIN repositories ON repositories.id = contents.repository_id
    WHERE ${visibleTo(viewer)}`);
  return new Map(rows.map(({ articleId, content }) => [articleId, content]));
}

export const notifyPublicChange = (db: Queries, message: string) =>
  db.run(sql`SELECT pg_notify(${publicChannel}, ${message})`);
