import type { Category, ChangeType } from '../domain/change-types.ts';
import { storable } from '../domain/storable-text.ts';
import type { Evidence } from '../reading/facts.ts';
import type { Queries } from './connect.ts';
import type { Repository } from './repositories.ts';
import { jsonText, type Sql, sql } from './sql.ts';
import { type VisibilityViewer, visibleTo } from './visibility.ts';

/** What an article says in one language, as it is kept. */
export interface ArticleWords {
  title: string;
  backgroundAndPurpose: string;
  mainChanges: { fileName: string; changeTypes: ChangeType[]; description: string; evidence: Evidence[] }[];
  notablePoints: { categories: Category[]; point: string; evidence: Evidence[] }[];
  writer: { kind: 'offline' | 'ai'; provider?: string; model?: string; promptVersion?: string };
  coverage: {
    filesRead: number;
    filesTotal: number;
    linesRead: number;
    linesTotal: number;
    skipped: { fileName: string; reason: string }[];
  };
  verification: { claims: number; verified: number; repaired: number; dropped: number };
}

export interface StoredContent extends ArticleWords {
  languageCode: string;
  usage: { inputTokens: number; outputTokens: number; estimatedCostUsd?: number } | null;
  /** The head that it was written for. */
  headSha: string;
  generatedAt: Date;
  likeCount: number;
}

export interface StoredArticle {
  id: string;
  pullRequestId: string;
  host: string;
  owner: string;
  repo: string;
  number: number;
  hostUrl: string | null;
  title: string;
  authorLogin: string;
  state: 'open' | 'closed' | 'merged';
  /** The head that the pull request has now. */
  headSha: string;
  hostCreatedAt: Date;
  mergedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** What is known about the repository that it is about. */
  repository: Repository;
  contents: StoredContent[];
}

interface ArticleRow
  extends Omit<StoredArticle, 'contents' | 'repository'>,
    Omit<Repository, 'id' | 'name'>,
    Omit<StoredContent, 'title' | 'headSha'> {
  repositoryId: string;
  writtenTitle: string;
  writtenFor: string;
}

const articleColumns = sql`
  articles.id, articles.pull_request_id AS "pullRequestId", repositories.host, repositories.owner,
  repositories.name AS repo, pull_requests.number, pull_requests.host_url AS "hostUrl", pull_requests.title,
  pull_requests.author_login AS "authorLogin", pull_requests.state, pull_requests.head_sha AS "headSha",
  pull_requests.host_created_at AS "hostCreatedAt", pull_requests.merged_at AS "mergedAt",
  articles.created_at AS "createdAt", articles.updated_at AS "updatedAt", repositories.id AS "repositoryId",
  repositories.host_repo_id AS "hostRepoId", repositories.is_private AS "isPrivate",
  repositories.checked_at AS "checkedAt", repositories.unreachable_since AS "unreachableSince"`;

const contentColumns = sql`
  contents.language_code AS "languageCode", contents.title AS "writtenTitle",
  contents.background AS "backgroundAndPurpose", contents.main_changes AS "mainChanges",
  contents.notable_points AS "notablePoints", contents.writer, contents.coverage, contents.verification,
  contents.usage, contents.head_sha AS "writtenFor", contents.generated_at AS "generatedAt",
  contents.like_count AS "likeCount"`;

const joined = sql`
  article_contents AS contents
  JOIN articles ON articles.id = contents.article_id
  JOIN pull_requests ON pull_requests.id = articles.pull_request_id
  JOIN repositories ON repositories.id = pull_requests.repository_id`;

async function findArticle(
  db: Queries,
  wanted: Sql,
  viewer: VisibilityViewer,
): Promise<StoredArticle | null> {
  const rows = await db.query<ArticleRow>(sql`
    SELECT ${articleColumns}, ${contentColumns} FROM ${joined}
    WHERE ${wanted} AND ${visibleTo(viewer)} ORDER BY contents.language_code`);
  const [first] = rows;
  return first ? { ...articleOf(first), contents: rows.map(contentOf) } : null;
}

function articleOf(row: ArticleRow): Omit<StoredArticle, 'contents'> {
  const { id, pullRequestId, host, owner, repo, number, hostUrl, title, authorLogin, state } = row;
  const { headSha, hostCreatedAt, mergedAt, createdAt, updatedAt } = row;
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
    headSha,
    hostCreatedAt,
    mergedAt,
    createdAt,
    updatedAt,
    repository: repositoryOf(row),
  };
}

function repositoryOf({
  repositoryId,
  host,
  hostRepoId,
  owner,
  repo,
  isPrivate,
  checkedAt,
  unreachableSince,
}: ArticleRow): Repository {
  return { id: repositoryId, host, hostRepoId, owner, name: repo, isPrivate, checkedAt, unreachableSince };
}

function contentOf(row: ArticleRow): StoredContent {
  const { languageCode, writtenTitle, backgroundAndPurpose, mainChanges, notablePoints, writer } = row;
  const { coverage, verification, usage, writtenFor, generatedAt, likeCount } = row;
  return {
    languageCode,
    title: writtenTitle,
    backgroundAndPurpose,
    mainChanges,
    notablePoints,
    writer,
    coverage,
    verification,
    usage,
    headSha: writtenFor,
    generatedAt,
    likeCount,
  };
}

export const findArticleById = (db: Queries, articleId: string, viewer: VisibilityViewer) =>
  findArticle(db, sql`articles.id = ${articleId}`, viewer);

export const findArticleOfPullRequest = (db: Queries, pullRequestId: string, viewer: VisibilityViewer) =>
  findArticle(db, sql`pull_requests.id = ${pullRequestId}`, viewer);

export const findArticleByNumber = (
  db: Queries,
  { repositoryId, number, viewer }: { repositoryId: string; number: number; viewer: VisibilityViewer },
) => findArticle(db, sql`repositories.id = ${repositoryId} AND pull_requests.number = ${number}`, viewer);

/** The head that an article was last written for in a language: for deciding what to write, never for showing. */
export async function findWrittenHead(
  db: Queries,
  { pullRequestId, languageCode }: { pullRequestId: string; languageCode: string },
): Promise<string | null> {
  const [row] = await db.query<{ headSha: string }>(sql`
    SELECT contents.head_sha AS "headSha"
    FROM article_contents AS contents JOIN articles ON articles.id = contents.article_id
    WHERE articles.pull_request_id = ${pullRequestId} AND contents.language_code = ${languageCode}`);
  return row?.headSha ?? null;
}

interface Publication {
  pullRequestId: string;
  languageCode: string;
  headSha: string;
  words: ArticleWords;
  now: Date;
}

/** Stores what was written in one language in the place of what stood there. Id and likes stay. Returns the id. */
export async function saveArticle(tx: Queries, publication: Publication): Promise<string> {
  const { pullRequestId, languageCode, headSha, now } = publication;
  const words = storable(publication.words);
  const [article] = await tx.query<{ id: string }>(sql`
    INSERT INTO articles (pull_request_id, created_at, updated_at) VALUES (${pullRequestId}, ${now}, ${now})
    ON CONFLICT (pull_request_id) DO UPDATE SET updated_at = excluded.updated_at RETURNING id`);
  if (!article) throw new Error('The database stored an article without returning it.');
  await tx.query(sql`
    INSERT INTO article_contents
      (article_id, language_code, title, background, main_changes, notable_points, writer, coverage, verification,
       head_sha, generated_at)
    VALUES (${article.id}, ${languageCode}, ${words.title}, ${words.backgroundAndPurpose}, ${jsonText(words.mainChanges)},
      ${jsonText(words.notablePoints)}, ${jsonText(words.writer)}, ${jsonText(words.coverage)}, ${jsonText(words.verification)},
      ${headSha}, ${now})
    ON CONFLICT (article_id, language_code) DO UPDATE SET
      title = excluded.title, background = excluded.background, main_changes = excluded.main_changes,
      notable_points = excluded.notable_points, writer = excluded.writer, coverage = excluded.coverage,
      verification = excluded.verification, usage = excluded.usage, head_sha = excluded.head_sha,
      generated_at = excluded.generated_at`);
  return article.id;
}

export interface ListedArticle {
  articleId: string;
  languageCode: string;
  writtenTitle: string;
  host: string;
  owner: string;
  repo: string;
  number: number;
  authorLogin: string;
  /** With repetitions, in the order in which the files stand. */
  changeTypes: ChangeType[];
  likeCount: number;
  generatedAt: Date;
}

interface ArticleFilter {
  viewer: VisibilityViewer;
  host?: string | undefined;
  language?: string | undefined;
  owner?: string | undefined;
  repo?: string | undefined;
}

function matching({ viewer, host, language, owner, repo }: ArticleFilter): Sql {
  return sql`${visibleTo(viewer)}
    ${host === undefined ? sql`` : sql`AND repositories.host = ${host}`}
    ${language === undefined ? sql`` : sql`AND contents.language_code = ${language}`}
    ${owner === undefined ? sql`` : sql`AND lower(repositories.owner) = lower(${owner})`}
    ${repo === undefined ? sql`` : sql`AND lower(repositories.name) = lower(${repo})`}`;
}

/** One row for each article and language, newest first. */
export async function listArticles(
  db: Queries,
  { limit, offset, ...filter }: ArticleFilter & { limit: number; offset: number },
): Promise<{ rows: ListedArticle[]; total: number }> {
  const rows = await db.query<ListedArticle>(sql`
    SELECT articles.id AS "articleId", contents.language_code AS "languageCode", contents.title AS "writtenTitle",
      repositories.host, repositories.owner, repositories.name AS repo, pull_requests.number,
      pull_requests.author_login AS "authorLogin",
      jsonb_path_query_array(contents.main_changes::jsonb, '$[*].changeTypes[*]') AS "changeTypes",
      contents.like_count AS "likeCount", contents.generated_at AS "generatedAt"
    FROM ${joined} WHERE ${matching(filter)}
    ORDER BY contents.generated_at DESC, contents.article_id, contents.language_code LIMIT ${limit} OFFSET ${offset}`);
  const [counted] = await db.query<{ total: number }>(
    sql`SELECT count(*) AS total FROM ${joined} WHERE ${matching(filter)}`,
  );
  return { rows, total: counted?.total ?? 0 };
}

/** Which of some pull requests of a repository on a host have an article that the viewer may see. */
export async function findNumbersWithArticle(
  db: Queries,
  wanted: { host: string; hostRepoId: number; numbers: number[]; viewer: VisibilityViewer },
): Promise<Set<number>> {
  const rows = await db.query<{ number: number }>(sql`
    SELECT pull_requests.number
    FROM articles
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN repositories ON repositories.id = pull_requests.repository_id
    WHERE repositories.host = ${wanted.host} AND repositories.host_repo_id = ${wanted.hostRepoId}
      AND pull_requests.number = ANY(${wanted.numbers}::bigint[]) AND ${visibleTo(wanted.viewer)}`);
  return new Set(rows.map(({ number }) => number));
}
