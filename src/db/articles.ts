import type { ArticleContent, Quote } from '../contract/article.ts';
import type { ChangeType } from '../domain/article.ts';
import type { DiffRange } from '../domain/pull-requests.ts';
import type { Queries } from './database.ts';
import type { PullRequestRow } from './pull-requests.ts';
import { idOfVisibleRepository, type Repository, type RepositoryName } from './repositories.ts';
import type { Tables } from './schema.ts';
import { type IndexedArticle, indexArticle, indexedAbout } from './search-index.ts';
import { jsonText, type Sql, sql } from './sql.ts';
import { type DetailViewer, knownTo, type VisibilityViewer, visibleTo } from './visibility.ts';

/** What an article says in one language, as it is answered, without what changes while it stands. */
export type PublishedContent = Omit<ArticleContent, 'likeCount' | 'stale'>;

/** Its range is the diff that it was written for. */
export interface StoredContent
  extends Pick<Tables['article_contents'], 'languageCode' | 'baseSha' | 'headSha' | 'likeCount'> {
  /** How often it was written. */
  revision: Tables['article_contents']['revision'];
  /** A `PublishedContent` as JSON: it is handed on without being read. */
  body: Uint8Array;
}

/** Its range is the diff that the pull request has now. */
export interface StoredArticle
  extends RepositoryName,
    PullRequestRow,
    Pick<Tables['articles'], 'id' | 'pullRequestId' | 'createdAt' | 'updatedAt'> {
  /** Whether its host has told that the pull request moved, and not been asked since where to. */
  hasMoved: boolean;
  /** What is known about the repository that it is about. */
  repository: Repository;
  contents: StoredContent[];
}

interface ArticleRow
  extends Omit<StoredArticle, 'contents' | 'repository'>,
    Omit<Repository, 'id' | 'name'>,
    Omit<StoredContent, keyof DiffRange> {
  repositoryId: Tables['repositories']['id'];
  writtenForBase: Tables['article_contents']['baseSha'];
  writtenForHead: Tables['article_contents']['headSha'];
}

const articleColumns = sql`
  articles.id, articles.pull_request_id, repositories.host, repositories.owner,
  repositories.name AS repo, pull_requests.number, pull_requests.host_url, pull_requests.title,
  pull_requests.author_login, pull_requests.state,
  pull_requests.base_sha, pull_requests.head_sha,
  pull_requests.host_created_at, pull_requests.merged_at,
  pull_requests.has_moved AND pull_requests.outdated_at > pull_requests.fetched_at AS "hasMoved",
  articles.created_at, articles.updated_at, repositories.id AS "repositoryId",
  repositories.host_repo_id, repositories.is_private`;

const contentColumns = sql`
  contents.language_code, contents.base_sha AS "writtenForBase",
  contents.head_sha AS "writtenForHead", contents.revision, contents.like_count, contents.body`;

const joinedToRepositories = sql`
  JOIN pull_requests ON pull_requests.id = articles.pull_request_id
  JOIN repositories ON repositories.id = pull_requests.repository_id`;

const joined = sql`
  article_contents AS contents JOIN articles ON articles.id = contents.article_id ${joinedToRepositories}`;

async function findArticle(
  db: Queries,
  wanted: Sql,
  viewer: VisibilityViewer,
): Promise<StoredArticle | null> {
  const rows = await db.queryBytes<ArticleRow>(sql`
    SELECT ${articleColumns}, ${knownTo(viewer)}, ${contentColumns} FROM ${joined}
    WHERE ${wanted} AND ${visibleTo(viewer)} ORDER BY contents.language_code`);
  return articleOf(rows);
}

/** From the rows of one article, a language each. */
function articleOf(rows: ArticleRow[]): StoredArticle | null {
  const [first] = rows;
  if (!first) return null;
  const { id, pullRequestId, host, owner, repo, number, hostUrl, title, authorLogin, state } = first;
  const { baseSha, headSha, hostCreatedAt, mergedAt, hasMoved, createdAt, updatedAt } = first;
  const { repositoryId, hostRepoId, isPrivate, checkedAt, unreachableSince } = first;
  return {
    id,
    pullRequestId,
    host,
    owner,
    repo,
    number,
    hostUrl,
    title,
    authorLogin,
    state,
    baseSha,
    headSha,
    hostCreatedAt,
    mergedAt,
    hasMoved,
    createdAt,
    updatedAt,
    repository: {
      id: repositoryId,
      host,
      hostRepoId,
      owner,
      name: repo,
      isPrivate,
      checkedAt,
      unreachableSince,
    },
    contents: rows.map(({ languageCode, writtenForBase, writtenForHead, revision, likeCount, body }) => ({
      languageCode,
      baseSha: writtenForBase,
      headSha: writtenForHead,
      revision,
      likeCount,
      body,
    })),
  };
}

/** An article, and who wants to see it. */
export interface WantedArticle {
  articleId: string;
  userId: string | null;
}

/** Several articles in one look, each for its own viewer; null where there is none for them. */
export async function findArticlesById(
  db: Queries,
  wanted: WantedArticle[],
  { now, purpose }: Omit<DetailViewer, 'userId'>,
): Promise<(StoredArticle | null)[]> {
  const ids = wanted.map(({ articleId }) => articleId);
  const users = wanted.map(({ userId }) => userId);
  const userId = users.some((one) => one !== null) ? sql`wanted.user_id` : null;
  // The planner must not look at the lists, or it would plan anew each time; the limit tells it that an id is unique.
  const rows = await db.queryBytes<ArticleRow & { place: number }>(sql`
    SELECT wanted.place, ${articleColumns}, ${knownTo({ userId })}, ${contentColumns}
    FROM unnest((SELECT ${ids}::uuid[]), (SELECT ${users}::uuid[])) WITH ORDINALITY AS wanted (article_id, user_id, place)
    CROSS JOIN LATERAL (SELECT * FROM articles WHERE articles.id = wanted.article_id LIMIT 1) AS articles
    JOIN article_contents AS contents ON contents.article_id = articles.id ${joinedToRepositories}
    WHERE ${visibleTo({ userId, now, purpose })} ORDER BY wanted.place, contents.language_code`);
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return wanted.map((_, index) => articleOf(byPlace.get(index + 1) ?? []));
}

export const findArticleOfPullRequest = (db: Queries, pullRequestId: string, viewer: VisibilityViewer) =>
  findArticle(db, sql`pull_requests.id = ${pullRequestId}`, viewer);

/** The article about a pull request of the repository of this name that the viewer may see. */
export const findArticleByName = (
  db: Queries,
  { number, ...named }: { host: string; owner: string; name: string; number: number; viewer: DetailViewer },
) =>
  findArticle(
    db,
    sql`repositories.id = ${idOfVisibleRepository(named)} AND pull_requests.number = ${number}`,
    named.viewer,
  );

/** What an article was last written for in a language, and by whom: for deciding what to write, never for showing. */
export interface WrittenFor extends Pick<Tables['article_contents'], 'articleId' | 'baseSha' | 'headSha'> {
  /** The number of the offline writer; null for a model. */
  offlineWriter: Tables['article_contents']['offlineWriter'];
  writer: PublishedContent['writer'];
  /** How often a model has failed to write it, and when it is next asked; null where it is not to be asked again. */
  failedTries: Tables['article_contents']['failedTries'];
  nextTryAt: Tables['article_contents']['nextTryAt'];
}

export const findWrittenFor = (
  db: Queries,
  { pullRequestId, languageCode }: { pullRequestId: string; languageCode: string },
) =>
  db.first<WrittenFor>(sql`
    SELECT contents.base_sha, contents.head_sha, contents.offline_writer,
      contents.article_id, contents.body -> 'writer' AS writer,
      contents.failed_tries, contents.next_try_at
    FROM article_contents AS contents JOIN articles ON articles.id = contents.article_id
    WHERE articles.pull_request_id = ${pullRequestId} AND contents.language_code = ${languageCode}`);

interface Publication {
  pullRequestId: string;
  content: PublishedContent;
  offlineWriter: number | null;
  nextTry: NextTry | null;
  now: Date;
}

/** When a model is asked again that has failed so often. */
export interface NextTry {
  failedTries: number;
  at: Date;
}

/** Stores what was written in one language in the place of what stood there. Id and likes stay. Returns the id. */
export async function saveArticle(
  tx: Queries,
  { pullRequestId, content, offlineWriter, nextTry, now }: Publication,
): Promise<string> {
  const [article] = await tx.query<
    Pick<Tables['articles'], 'id' | 'repositoryId'> & Pick<IndexedArticle, 'about'>
  >(sql`
    INSERT INTO articles (pull_request_id, repository_id, created_at, updated_at)
    SELECT id, repository_id, ${now}, ${now} FROM pull_requests WHERE id = ${pullRequestId}
    ON CONFLICT (pull_request_id) DO UPDATE SET updated_at = excluded.updated_at
    RETURNING id, repository_id, (
      SELECT ${indexedAbout} FROM pull_requests JOIN repositories ON repositories.id = pull_requests.repository_id
      WHERE pull_requests.id = articles.pull_request_id) AS about`);
  if (!article) throw new Error('The database stored an article without returning it.');
  const { languageCode, aiGeneratedTitle, changeTypes, standfirst, quote, readingMinutes } = content;
  await tx.query(sql`
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, standfirst, quote,
      reading_minutes, is_breaking, body, base_sha, head_sha, offline_writer, failed_tries, next_try_at, generated_at)
    VALUES (${article.id}, ${article.repositoryId}, ${languageCode}, ${aiGeneratedTitle}, ${changeTypes},
      ${standfirst?.text ?? null}, ${quote === null ? null : jsonText(quote)}, ${readingMinutes},
      ${content.notablePoints.some(({ label }) => label === 'breaking')}, ${jsonText(content)}, ${content.baseSha},
      ${content.headSha}, ${offlineWriter}, ${nextTry?.failedTries ?? 0}, ${nextTry?.at ?? null}, ${content.summaryGeneratedAt})
    ON CONFLICT (article_id, language_code) DO UPDATE SET
      title = excluded.title, change_types = excluded.change_types, standfirst = excluded.standfirst, quote = excluded.quote,
      reading_minutes = excluded.reading_minutes, is_breaking = excluded.is_breaking, body = excluded.body, base_sha = excluded.base_sha,
      head_sha = excluded.head_sha, offline_writer = excluded.offline_writer, failed_tries = excluded.failed_tries,
      next_try_at = excluded.next_try_at, generated_at = excluded.generated_at,
      revision = article_contents.revision + 1`);
  const { id: articleId, repositoryId, about } = article;
  await indexArticle(tx, { articleId, repositoryId, content, about });
  return articleId;
}

/** What every list shows of an article and of its pull request. */
export interface ArticleSummaryRow
  extends Pick<Tables['pull_requests'], 'authorLogin' | 'state' | 'mergedAt'>,
    Pick<
      Tables['article_contents'],
      'changeTypes' | 'standfirst' | 'quote' | 'readingMinutes' | 'isBreaking'
    > {
  changeTypes: ChangeType[];
  quote: Quote | null;
}

/** What lists show of what an article tells, from a table or part named `contents`. */
export const articleSummaryColumns = sql`
  contents.change_types, contents.standfirst, contents.quote, contents.reading_minutes,
  contents.is_breaking`;

/** By number, what the articles about some pull requests of a repository on a host are called in each language, where the viewer may see them. */
export async function findTitlesOfArticles(
  db: Queries,
  wanted: { host: string; hostRepoId: number; numbers: number[]; viewer: VisibilityViewer },
): Promise<Map<number, Record<string, string>>> {
  const rows = await db.query<
    Pick<Tables['pull_requests'], 'number'> & Pick<Tables['article_contents'], 'languageCode' | 'title'>
  >(sql`
    SELECT pull_requests.number, contents.language_code, contents.title FROM ${joined}
    WHERE repositories.host = ${wanted.host} AND repositories.host_repo_id = ${wanted.hostRepoId}
      AND pull_requests.number = ANY(${wanted.numbers}::bigint[]) AND ${visibleTo(wanted.viewer)}
    ORDER BY contents.language_code`);
  const byNumber = Map.groupBy(rows, ({ number }) => number);
  return new Map(
    [...byNumber].map(([number, titles]) => [
      number,
      Object.fromEntries(titles.map(({ languageCode, title }) => [languageCode, title])),
    ]),
  );
}

/**
 * Which pull requests of a repository are written about in all of some languages, without a check of visibility: for deciding
 * what to write.
 */
export async function findNumbersWrittenIn(
  db: Queries,
  { host, hostRepoId, languages }: { host: string; hostRepoId: number; languages: readonly string[] },
): Promise<Set<number>> {
  const rows = await db.query<Pick<Tables['pull_requests'], 'number'>>(sql`
    SELECT pull_requests.number FROM ${joined}
    WHERE repositories.host = ${host} AND repositories.host_repo_id = ${hostRepoId}
      AND contents.language_code = ANY(${[...languages]}::text[])
    GROUP BY pull_requests.number HAVING count(*) = ${languages.length}`);
  return new Set(rows.map(({ number }) => number));
}

interface Wanted {
  viewer: VisibilityViewer;
  /** Each article in one language. */
  articles: { articleId: string; languageCode: string }[];
}

/** By article, all that some of them say, where the viewer may see them. */
export async function findPublishedContents(
  db: Queries,
  { viewer, articles }: Wanted,
): Promise<Map<string, PublishedContent>> {
  if (articles.length === 0) return new Map();
  const rows = await db.query<
    Pick<Tables['article_contents'], 'articleId'> & { content: PublishedContent }
  >(sql`
    SELECT contents.article_id, contents.body AS content
    FROM unnest(${articles.map(({ articleId }) => articleId)}::uuid[],
      ${articles.map(({ languageCode }) => languageCode)}::text[]) AS wanted (article_id, language_code)
    JOIN article_contents AS contents USING (article_id, language_code)
    JOIN repositories ON repositories.id = contents.repository_id
    WHERE ${visibleTo(viewer)}`);
  return new Map(rows.map(({ articleId, content }) => [articleId, content]));
}

/** The channel on which the database tells of changes to what public pages show. */
export const publicChannel = 'public_changed';

export const notifyPublicChange = (db: Queries, message: string) =>
  db.run(sql`SELECT pg_notify(${publicChannel}, ${message})`);
