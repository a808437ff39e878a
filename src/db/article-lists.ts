import type { ChangeType } from '../domain/articles.ts';
import { type ListedArticle, listedColumns, rowsOfPage } from './articles.ts';
import type { Queries } from './database.ts';
import { andRepositoryNamed, type NamedRepositories } from './repositories.ts';
import { opaqueToPlanner, type Sql, sql } from './sql.ts';
import { hiddenFrom, type ListScope, type VisibilityScope, visibleTo } from './visibility.ts';

export interface ArticleOfRelease extends ListedArticle {
  /** The first sentence about a breaking change that adds something to the title. */
  breaks: string | null;
}

export interface ArticlePage extends NamedRepositories {
  viewer: VisibilityScope;
  /** Distinguishes repositories that had the same name at different times. */
  repositoryId?: string | undefined;
  language?: string | undefined;
  /** Lists each article once: in the first of these languages in which it exists, or else in any other. */
  onceIn?: string[] | undefined;
  author?: string | undefined;
  /** Leaves out bots, but not where an author is given. */
  isByPeople?: boolean | undefined;
  changeType?: ChangeType | undefined;
  limit: number;
  offset: number;
}

const byListedAt = (of: Sql) => sql`${of}.listed_at DESC, ${of}.article_id, ${of}.language_code`;

const isPageNarrowed = ({ author, isByPeople, changeType }: ArticlePage) =>
  author !== undefined || isByPeople === true || changeType !== undefined;

/** A row per article and language, or a row per article under the language `*`. */
const listedRows = (page: ArticlePage) =>
  isPageNarrowed(page) ? sql`article_facets AS listed` : rowsOfAll(page);

const rowsOfAll = ({ onceIn }: ArticlePage) =>
  onceIn === undefined
    ? sql`(SELECT article_id, language_code, repository_id, listed_at FROM article_contents) AS listed`
    : sql`(SELECT id AS article_id, '*'::text AS language_code, repository_id, listed_at FROM articles) AS listed`;

const facetSums = (page: ArticlePage) =>
  isPageNarrowed(page)
    ? { totals: sql`facet_totals`, sums: sql`facet_sums` }
    : { totals: sql`article_totals`, sums: sql`article_sums` };

const isOnPage = (of: Sql, page: ArticlePage): Sql =>
  sql`${isListedInLanguage(of, page)} ${andNarrowed(of, page)}`;

function isListedInLanguage(of: Sql, { language, onceIn }: ArticlePage): Sql {
  if (onceIn !== undefined) return sql`${of}.language_code = '*'`;
  return language === undefined
    ? sql`${of}.language_code <> '*'`
    : sql`${of}.language_code = ${opaqueToPlanner(language)}`;
}

function andNarrowed(of: Sql, page: ArticlePage): Sql {
  if (!isPageNarrowed(page)) return sql``;
  const { host, author, isByPeople, changeType = '*' } = page;
  const byAuthor =
    author === undefined
      ? isByPeople
        ? sql`'*people'`
        : sql`'*'`
      : sql`(SELECT author_key(${host ?? ''}::text, ${author}::text))`;
  return sql`AND ${of}.author = ${byAuthor} AND ${of}.change_type = ${opaqueToPlanner(changeType)}`;
}

/** An index has all rows in order, so only the rows skipped or shown are read. */
const wholeList = {
  from: (page: ArticlePage) => sql`
    hidden AS MATERIALIZED (SELECT id FROM repositories WHERE ${hiddenFrom(page.viewer)}),
    counted AS MATERIALIZED (
      SELECT coalesce((SELECT sum(sums.articles) FROM ${facetSums(page).sums} AS sums WHERE ${isOnPage(sql`sums`, page)}), 0)
        - coalesce((
          SELECT sum(totals.articles) FROM ${facetSums(page).totals} AS totals
          WHERE ${isOnPage(sql`totals`, page)} AND totals.repository_id = ANY (ARRAY(SELECT id FROM hidden))), 0) AS total)`,
  rows: (page: ArticlePage) => sql`
    SELECT listed.* FROM ${listedRows(page)}
    WHERE ${isOnPage(sql`listed`, page)} AND listed.repository_id NOT IN (SELECT id FROM hidden)`,
};

/** Filtered by author or type: for each language, at most a page of rows is read from an index. */
const narrowedList = {
  from: wholeList.from,
  rows: (page: ArticlePage) => sql`
    SELECT listed.* FROM (
      SELECT DISTINCT sums.language_code FROM facet_sums AS sums WHERE ${isOnPage(sql`sums`, page)}) AS spoken
    CROSS JOIN LATERAL (
      SELECT listed.* FROM ${listedRows(page)}
      WHERE listed.language_code = spoken.language_code ${andNarrowed(sql`listed`, page)}
        AND listed.repository_id NOT IN (SELECT id FROM hidden)
      ORDER BY ${byListedAt(sql`listed`)} LIMIT ${opaqueToPlanner(page.limit + page.offset)}) AS listed`,
};

const andWithId = ({ repositoryId }: ArticlePage) =>
  repositoryId === undefined ? sql`` : sql`AND repositories.id = ${repositoryId}`;

const newestOfNamed = (
  page: ArticlePage,
  { columns, andWhere, limit }: Record<'columns' | 'andWhere' | 'limit', Sql>,
) => sql`
  SELECT ${columns} FROM ${listedRows(page)}
  WHERE listed.repository_id = named.repository_id AND listed.language_code = named.language_code
    ${andNarrowed(sql`listed`, page)} ${andWhere}
  ORDER BY ${byListedAt(sql`listed`)} LIMIT ${limit}`;

/**
 * Filtered by repository: for each repository and language, at most a page of rows is read. Once a page of repositories
 * has rows since `since`, older rows cannot be on it.
 */
const listOfRepositories = {
  from: (page: ArticlePage) => sql`
    named AS MATERIALIZED (
      SELECT totals.* FROM repositories JOIN ${facetSums(page).totals} AS totals ON totals.repository_id = repositories.id
      WHERE ${visibleTo(page.viewer)} ${andRepositoryNamed(page)} ${andWithId(page)} AND ${isOnPage(sql`totals`, page)}),
    since AS MATERIALIZED (
      SELECT newest.listed_at FROM named CROSS JOIN LATERAL (
        ${newestOfNamed(page, { columns: sql`listed.listed_at`, andWhere: sql``, limit: sql`1` })}) AS newest
      WHERE (SELECT count(*) FROM named) >= ${opaqueToPlanner(page.limit + page.offset)}
      ORDER BY newest.listed_at DESC LIMIT 1 OFFSET ${opaqueToPlanner(page.limit + page.offset - 1)}),
    counted AS MATERIALIZED (SELECT coalesce(sum(articles), 0) AS total FROM named)`,
  rows: (page: ArticlePage) => sql`
    SELECT listed.* FROM named CROSS JOIN LATERAL (
      ${newestOfNamed(page, {
        columns: sql`listed.*`,
        andWhere: sql`AND listed.listed_at >= coalesce((SELECT listed_at FROM since), '-infinity')`,
        limit: opaqueToPlanner(page.limit + page.offset),
      })}) AS listed`,
};

const contentsOf = ({ onceIn, changeType }: ArticlePage) =>
  onceIn === undefined
    ? sql`JOIN article_contents AS contents
        ON contents.article_id = page.article_id AND contents.language_code = page.language_code`
    : sql`CROSS JOIN LATERAL (
        SELECT * FROM article_contents AS written WHERE written.article_id = page.article_id
          ${changeType === undefined ? sql`` : sql`AND ${changeType}::text = ANY (written.change_types)`}
        ORDER BY array_position((SELECT ${onceIn}::text[]), written.language_code), written.language_code
        LIMIT 1) AS contents`;

function pageKind(page: ArticlePage) {
  const { host, owner, repo, repositoryId, author } = page;
  // An author belongs to one host, so a list by author need not go through the repositories of the host.
  const names = [author === undefined ? host : undefined, owner, repo, repositoryId];
  if (names.some((one) => one !== undefined)) return listOfRepositories;
  return isPageNarrowed(page) ? narrowedList : wholeList;
}

/**
 * A page of articles by merge date, newest first, in one statement whose cost does not depend on the number of
 * articles. Open pull requests count by creation. Offsets beyond the end read nothing.
 */
export async function listArticles(
  db: Queries,
  page: ArticlePage,
): Promise<{ rows: ListedArticle[]; total: number }> {
  const { viewer, limit, offset } = page;
  const list = pageKind(page);
  // The limits of 100 and 1 do not change the result: they tell the planner how few rows to expect.
  const rows = await db.query<ListedArticle & { total: number }>(sql`
    WITH ${list.from(page)},
    page AS MATERIALIZED (
      SELECT * FROM (
        ${list.rows(page)} ORDER BY ${byListedAt(sql`listed`)}
        LIMIT (SELECT CASE WHEN ${offset}::bigint < total THEN ${limit}::bigint ELSE 0 END FROM counted)
        OFFSET ${opaqueToPlanner(offset)}) AS wanted
      LIMIT 100)
    SELECT counted.total::bigint AS total, ${listedColumns({ repositories: sql`about`, pullRequests: sql`about` })}
    FROM counted
    LEFT JOIN (
      page
      CROSS JOIN LATERAL (
        SELECT repositories.host, repositories.owner, repositories.name, pull_requests.number,
          pull_requests.host_url, pull_requests.title, pull_requests.author_login, pull_requests.state, pull_requests.merged_at
        FROM articles JOIN pull_requests ON pull_requests.id = articles.pull_request_id
        JOIN repositories ON repositories.id = pull_requests.repository_id
        WHERE articles.id = page.article_id AND ${visibleTo(viewer)} LIMIT 1) AS about
      ${contentsOf(page)}) ON true
    ORDER BY ${byListedAt(sql`page`)}`);
  return { rows: rowsOfPage(rows, 'total'), total: rows[0]?.total ?? 0 };
}

export async function countByBots(
  db: Queries,
  listed: Omit<ArticlePage, 'isByPeople' | 'limit' | 'offset'>,
): Promise<number> {
  const count = async (isByPeople: boolean) =>
    (await listArticles(db, { ...listed, isByPeople, limit: 1, offset: 0 })).total;
  const [all, byPeople] = await Promise.all([count(false), count(true)]);
  return Math.max(0, all - byPeople);
}

const mostArticlesForFiles = 300;
const mostFilesOfArticle = 200;
const mostFilesListed = 100;

interface FileOfArticles {
  fileName: string;
  articles: number;
  lastMonth: number;
  newestAt: Date;
}

export const listFilesOfRepository = (
  db: Queries,
  { viewer, ...named }: NamedRepositories & { viewer: ListScope },
) =>
  db.query<FileOfArticles>(sql`
    WITH newest AS MATERIALIZED (
      SELECT articles.pull_request_id, articles.listed_at
      FROM articles JOIN repositories ON repositories.id = articles.repository_id
      WHERE ${visibleTo(viewer)} ${andRepositoryNamed(named)}
      ORDER BY articles.listed_at DESC LIMIT ${mostArticlesForFiles})
    SELECT file ->> 'fileName' AS "fileName", count(*) AS articles, max(newest.listed_at) AS "newestAt",
      count(*) FILTER (WHERE newest.listed_at > ${viewer.now}::timestamptz - interval '30 days') AS "lastMonth"
    FROM newest JOIN pull_request_contents AS contents ON contents.pull_request_id = newest.pull_request_id
    CROSS JOIN LATERAL (
      SELECT file FROM jsonb_array_elements(contents.files) AS listed (file) LIMIT ${mostFilesOfArticle}) AS listed
    GROUP BY 1 ORDER BY "lastMonth" DESC, articles DESC, "newestAt" DESC, 1 LIMIT ${mostFilesListed}`);

export async function listArticlesAbout(
  db: Queries,
  wanted: Required<Pick<ArticlePage, 'viewer'>> & {
    host: string;
    hostRepoId: number;
    numbers: number[];
    onceIn: string[];
  },
): Promise<ArticleOfRelease[]> {
  const { host, hostRepoId, numbers, onceIn, viewer } = wanted;
  if (numbers.length === 0) return [];
  return db.query<ArticleOfRelease>(sql`
    SELECT ${listedColumns()},
      CASE WHEN contents.is_breaking THEN (
        SELECT said ->> 'text' FROM json_array_elements(contents.body -> 'notablePoints') AS point
        CROSS JOIN LATERAL (SELECT point -> 'statements' -> 0 AS said) AS first
        WHERE point ->> 'label' = 'breaking' AND said ->> 'source' IS DISTINCT FROM 'title'
          AND position(lower(rtrim(said ->> 'text', '.')) IN lower(contents.title)) = 0 LIMIT 1) END AS breaks
    FROM repositories
    JOIN pull_requests ON pull_requests.repository_id = repositories.id
    JOIN articles ON articles.pull_request_id = pull_requests.id
    CROSS JOIN LATERAL (
      SELECT * FROM article_contents AS written WHERE written.article_id = articles.id
      ORDER BY array_position((SELECT ${onceIn}::text[]), written.language_code), written.language_code
      LIMIT 1) AS contents
    WHERE repositories.host = ${host} AND repositories.host_repo_id = ${hostRepoId}
      AND pull_requests.number = ANY(${numbers}::bigint[]) AND ${visibleTo(viewer)}`);
}
