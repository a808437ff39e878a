import type { ChangeType } from '../domain/article.ts';
import { type ListedArticle, listedColumns, rowsOfPage } from './articles.ts';
import type { Queries } from './database.ts';
import { partOf } from './likes.ts';
import { andNamed, type NamedRepositories } from './repositories.ts';
import { hiddenFromPlanner, type Sql, sql } from './sql.ts';
import { hiddenFrom, type VisibilityViewer, visibleTo } from './visibility.ts';

export interface ArticleOfRelease extends ListedArticle {
  /** The first sentence about a breaking change. */
  breaks: string | null;
}

export interface ArticlePage extends NamedRepositories {
  viewer: VisibilityViewer;
  /** Distinguishes repositories that had the same name. */
  repositoryId?: string | undefined;
  language?: string | undefined;
  /** Lists each article once: in the first of these languages that it is written in, or in any other. */
  onceIn?: string[] | undefined;
  /** On the given host. */
  author?: string | undefined;
  changeType?: ChangeType | undefined;
  limit: number;
  offset: number;
}

const inOrder = (of: Sql) => sql`${of}.listed_at DESC, ${of}.article_id, ${of}.language_code`;

const isNarrowed = ({ author, changeType }: ArticlePage) => author !== undefined || changeType !== undefined;

/** A row for each article and language, or one for each article, under the language `*`. */
const listedRows = (page: ArticlePage) =>
  isNarrowed(page) ? sql`article_facets AS listed` : rowsOfAll(page);

const rowsOfAll = ({ onceIn }: ArticlePage) =>
  onceIn === undefined
    ? sql`(SELECT article_id, language_code, repository_id, listed_at FROM article_contents) AS listed`
    : sql`(SELECT id AS article_id, '*'::text AS language_code, repository_id, listed_at FROM articles) AS listed`;

/** How many of these rows each repository has, and all together. */
const counts = (page: ArticlePage) =>
  isNarrowed(page)
    ? { totals: sql`facet_totals`, sums: sql`facet_sums` }
    : { totals: sql`article_totals`, sums: sql`article_sums` };

const isWanted = (of: Sql, page: ArticlePage): Sql => sql`${isInLanguage(of, page)} ${andNarrowed(of, page)}`;

function isInLanguage(of: Sql, { language, onceIn }: ArticlePage): Sql {
  if (onceIn !== undefined) return sql`${of}.language_code = '*'`;
  return language === undefined
    ? sql`${of}.language_code <> '*'`
    : sql`${of}.language_code = ${hiddenFromPlanner(language)}`;
}

function andNarrowed(of: Sql, page: ArticlePage): Sql {
  if (!isNarrowed(page)) return sql``;
  const { host, author, changeType = '*' } = page;
  const byAuthor =
    author === undefined ? sql`'*'` : sql`(SELECT author_key(${host ?? ''}::text, ${author}::text))`;
  return sql`AND ${of}.author = ${byAuthor} AND ${of}.change_type = ${hiddenFromPlanner(changeType)}`;
}

/** An index has all rows in order; only those skipped or shown are read. */
const wholeList = {
  from: (page: ArticlePage) => sql`
    hidden AS MATERIALIZED (SELECT id FROM repositories WHERE ${hiddenFrom(page.viewer)}),
    counted AS MATERIALIZED (
      SELECT coalesce((SELECT sum(sums.articles) FROM ${counts(page).sums} AS sums WHERE ${isWanted(sql`sums`, page)}), 0)
        - coalesce((
          SELECT sum(totals.articles) FROM ${counts(page).totals} AS totals
          WHERE ${isWanted(sql`totals`, page)} AND totals.repository_id = ANY (ARRAY(SELECT id FROM hidden))), 0) AS total)`,
  rows: (page: ArticlePage) => sql`
    SELECT listed.* FROM ${listedRows(page)}
    WHERE ${isWanted(sql`listed`, page)} AND listed.repository_id NOT IN (SELECT id FROM hidden)`,
};

/** By author or type: of each language, at most a page of rows is read, in the order of an index. */
const narrowedList = {
  from: wholeList.from,
  rows: (page: ArticlePage) => sql`
    SELECT listed.* FROM (
      SELECT DISTINCT sums.language_code FROM facet_sums AS sums WHERE ${isWanted(sql`sums`, page)}) AS spoken
    CROSS JOIN LATERAL (
      SELECT listed.* FROM ${listedRows(page)}
      WHERE listed.language_code = spoken.language_code ${andNarrowed(sql`listed`, page)}
        AND listed.repository_id NOT IN (SELECT id FROM hidden)
      ORDER BY ${inOrder(sql`listed`)} LIMIT ${hiddenFromPlanner(page.limit + page.offset)}) AS listed`,
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
  ORDER BY ${inOrder(sql`listed`)} LIMIT ${limit}`;

/**
 * Some repositories: of each, in each language, at most a page of rows is read. Once as many repositories as the page has
 * rows have a row since `since`, older rows cannot be on it.
 */
const listOfRepositories = {
  from: (page: ArticlePage) => sql`
    named AS MATERIALIZED (
      SELECT totals.* FROM repositories JOIN ${counts(page).totals} AS totals ON totals.repository_id = repositories.id
      WHERE ${visibleTo(page.viewer)} ${andNamed(page)} ${andWithId(page)} AND ${isWanted(sql`totals`, page)}),
    since AS MATERIALIZED (
      SELECT newest.listed_at FROM named CROSS JOIN LATERAL (
        ${newestOfNamed(page, { columns: sql`listed.listed_at`, andWhere: sql``, limit: sql`1` })}) AS newest
      WHERE (SELECT count(*) FROM named) >= ${hiddenFromPlanner(page.limit + page.offset)}
      ORDER BY newest.listed_at DESC LIMIT 1 OFFSET ${hiddenFromPlanner(page.limit + page.offset - 1)}),
    counted AS MATERIALIZED (SELECT coalesce(sum(articles), 0) AS total FROM named)`,
  rows: (page: ArticlePage) => sql`
    SELECT listed.* FROM named CROSS JOIN LATERAL (
      ${newestOfNamed(page, {
        columns: sql`listed.*`,
        andWhere: sql`AND listed.listed_at >= coalesce((SELECT listed_at FROM since), '-infinity')`,
        limit: hiddenFromPlanner(page.limit + page.offset),
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

function kindOf(page: ArticlePage) {
  const { host, owner, repo, repositoryId, author } = page;
  // An author belongs to a host, so that its repositories need not be read one by one.
  const names = [author === undefined ? host : undefined, owner, repo, repositoryId];
  if (names.some((one) => one !== undefined)) return listOfRepositories;
  return isNarrowed(page) ? narrowedList : wholeList;
}

/**
 * A page of articles, newest merge first, in one statement whose cost does not depend on how many there are. An open pull
 * request counts by its creation. Beyond the end of the list nothing is read.
 */
export async function listArticles(
  db: Queries,
  page: ArticlePage,
): Promise<{ rows: ListedArticle[]; total: number }> {
  const { viewer, limit, offset } = page;
  const list = kindOf(page);
  // The limits of 100 and 1 have no effect on the result: they tell the planner how few rows there are.
  const rows = await db.query<ListedArticle & { total: number }>(sql`
    WITH ${list.from(page)},
    page AS MATERIALIZED (
      SELECT * FROM (
        ${list.rows(page)} ORDER BY ${inOrder(sql`listed`)}
        LIMIT (SELECT CASE WHEN ${offset}::bigint < total THEN ${limit}::bigint ELSE 0 END FROM counted)
        OFFSET ${hiddenFromPlanner(offset)}) AS wanted
      LIMIT 100)
    SELECT counted.total::bigint AS total, ${listedColumns({ repositories: sql`about`, pullRequests: sql`about` })}
    FROM counted
    LEFT JOIN (
      page
      CROSS JOIN LATERAL (
        SELECT repositories.host, repositories.owner, repositories.name, pull_requests.number,
          pull_requests.author_login, pull_requests.state, pull_requests.merged_at
        FROM articles JOIN pull_requests ON pull_requests.id = articles.pull_request_id
        JOIN repositories ON repositories.id = pull_requests.repository_id
        WHERE articles.id = page.article_id AND ${visibleTo(viewer)} LIMIT 1) AS about
      ${contentsOf(page)}) ON true
    ORDER BY ${inOrder(sql`page`)}`);
  return { rows: rowsOfPage(rows, 'total'), total: rows[0]?.total ?? 0 };
}

/** The articles about some pull requests of a repository, each once. */
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
        SELECT point -> 'statements' -> 0 ->> 'text' FROM json_array_elements(contents.body -> 'notablePoints') AS point
        WHERE point ->> 'label' = 'breaking' LIMIT 1) END AS breaks
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

export interface WrongArticleCount {
  /** One of the two: a repository, or one of the parts into which all of them are divided. */
  repositoryId: string | null;
  part: number | null;
  /** `*` where each article counts once, whatever its languages. */
  languageCode: string;
  is: number;
  shouldBe: number;
}

/** Compares the counts with the stored articles, in one statement, which sees one state. */
export const findWrongArticleCounts = (db: Queries) =>
  db.query<WrongArticleCount>(sql`
    WITH counted AS MATERIALIZED (
      SELECT repository_id, coalesce(language_code, '*') AS language_code, count(DISTINCT article_id) AS articles
      FROM article_contents GROUP BY GROUPING SETS ((repository_id, language_code), (repository_id))),
    summed AS (
      SELECT ${partOf(sql`repository_id`)} AS part, language_code, sum(articles) AS articles FROM counted
      GROUP BY part, language_code),
    compared AS (
      SELECT repository_id, NULL::integer AS part, language_code, totals.articles AS kept, counted.articles
      FROM article_totals AS totals FULL JOIN counted USING (repository_id, language_code)
      UNION ALL
      SELECT NULL, part, language_code, sums.articles, summed.articles
      FROM article_sums AS sums FULL JOIN summed USING (part, language_code))
    SELECT repository_id, part, language_code, coalesce(kept, 0) AS is, coalesce(articles, 0)::integer AS "shouldBe"
    FROM compared WHERE coalesce(kept, 0) <> coalesce(articles, 0)
    ORDER BY repository_id, part, language_code`);

/** Counts anew under a lock. A transaction that adds an article meanwhile adds to the count when it gets the lock. */
export async function repairArticleCount(tx: Queries, wrong: WrongArticleCount): Promise<void> {
  const { repositoryId, part, languageCode } = wrong;
  const [table, key, value] =
    repositoryId === null
      ? [sql`article_sums`, sql`part`, part]
      : [sql`article_totals`, sql`repository_id`, repositoryId];
  const isCounted: Sql =
    repositoryId === null
      ? sql`${partOf(sql`contents.repository_id`)} = ${part}`
      : sql`contents.repository_id = ${repositoryId}`;
  await tx.query(sql`
    INSERT INTO ${table} AS counts (${key}, language_code, articles) VALUES (${value}, ${languageCode}, 0)
    ON CONFLICT (${key}, language_code) DO UPDATE SET articles = counts.articles`);
  await tx.query(sql`
    UPDATE ${table} SET articles = (
      SELECT count(DISTINCT contents.article_id) FROM article_contents AS contents
      WHERE ${isCounted} AND (contents.language_code = ${languageCode} OR ${languageCode} = '*'))
    WHERE ${key} = ${value} AND language_code = ${languageCode}`);
}

export interface WrongFacets {
  repositoryId: string | null;
  part: number | null;
  differ: number;
}

/** Compares the rows and counts of authors and types with the stored articles, in one statement, which sees one state. */
export const findWrongFacets = (db: Queries) =>
  db.query<WrongFacets>(sql`
    WITH wanted AS MATERIALIZED (SELECT * FROM facets_as_written),
    counted AS MATERIALIZED (
      SELECT repository_id, author, change_type, language_code, count(*) AS articles FROM wanted
      GROUP BY repository_id, author, change_type, language_code),
    summed AS (
      SELECT ${partOf(sql`repository_id`)} AS part, author, change_type, language_code, sum(articles) AS articles FROM counted
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

/** A transaction that adds an article meanwhile counts it when it gets the lock. */
export async function repairFacets(tx: Queries, { repositoryId, part }: WrongFacets): Promise<void> {
  await tx.query(sql`LOCK TABLE facet_totals IN SHARE ROW EXCLUSIVE MODE`);
  if (repositoryId !== null) await listAnew(tx, repositoryId);
  const whole = repositoryId === null ? sql`${part}::integer` : partOf(sql`${repositoryId}::uuid`);
  await tx.query(sql`DELETE FROM facet_sums WHERE part = ${whole}`);
  await tx.query(sql`
    INSERT INTO facet_sums (author, change_type, language_code, part, articles)
    SELECT author, change_type, language_code, ${whole}, sum(articles) FROM facet_totals
    WHERE ${partOf(sql`repository_id`)} = ${whole} GROUP BY author, change_type, language_code`);
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
