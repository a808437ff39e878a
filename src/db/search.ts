import type { ChangeType } from '../domain/articles.ts';
import { languageCodes } from '../domain/languages.ts';
import type { Section } from '../domain/search/indexed-words.ts';
import { classesByShare, queryInOrder, rankClasses } from '../domain/search/question.ts';
import { type ListedArticle, listedColumns, rowsOfPage } from './articles.ts';
import type { Queries } from './database.ts';
import { andRepositoryNamed } from './repositories.ts';
import {
  countSearchHits,
  findIndexedShare,
  findSurroundingSentences,
  type ProbedQuestion,
  probeQuestions,
  type Search,
  searchSpanOf,
  wantedWordsOf,
  withinSearch,
} from './search-index.ts';
import { opaqueToPlanner, type Sql, sql } from './sql.ts';
import { visibleTo } from './visibility.ts';

interface FoundArticle extends ListedArticle {
  sections: Section[];
}

interface FoundArticles {
  rows: FoundArticle[];
  /** The number of all matches; null if there are more than `mostCounted`. */
  total: number | null;
  /** Whether `total` counts only the newest matches, because there are too many to read all. */
  isPartial: boolean;
  repositories: { host: string; owner: string; repo: string; articles: number }[];
  changeTypes: { changeType: ChangeType; articles: number }[];
  indexedShare: number;
}

const mostCounted = 1_000;

/** The number of newest matches that are ranked; fewer if word order matters, because each must then be read. */
const mostRanked = 10_000;
const mostInOrder = 1_000;

export async function searchArticles(db: Queries, search: Search): Promise<FoundArticles> {
  const around = await findSurroundingSentences(db, search);
  const indexedShare = around.isDue ? await findIndexedShare(db, search.viewer) : 1;
  const wanted = wantedWordsOf(search, around);
  if (wanted === null)
    return { rows: [], total: 0, isPartial: false, repositories: [], changeTypes: [], indexedShare };
  const classes = (search.questionWords ? classesByShare(search.questionWords) : rankClasses(search.terms))
    // The last class contains all matches.
    .slice(search.isNewestFirst ? -1 : 0)
    .map((queries) => [...wanted, ...queries].join(' & '));
  const inOrder = queryInOrder(search.terms);
  const probed = await probeQuestions(db, classes, inOrder, around.top);
  const find = (needed: number) =>
    findMatchingPage(db, search, probedQuestionsOf(classes, inOrder, probed, needed), needed);
  // Enough for a page on which each article matches in two languages.
  const best = await find(2 * (search.limit + search.offset) + 100);
  // All matches are read if too many of the best are hidden or duplicates, or if there may be few enough to count.
  const lacksSome = best.rows.length < search.limit || best.estimated <= mostCounted;
  const found = best.hasMore && lacksSome ? await find(Number.MAX_SAFE_INTEGER) : best;
  const { rows, repositories, changeTypes, matches, isCut, hasMore } = found;
  const total = hasMore || matches > mostCounted ? null : matches;
  return { rows, total, isPartial: isCut && total !== null, repositories, changeTypes, indexedShare };
}

interface Questions {
  queries: string[];
  /** A query that rows found by the index must match; null if the index is exact. */
  inOrder: string | null;
  /** Whether some matches are left out, and whether only because the page is likely full without them. */
  isCut: boolean;
  isFull: boolean;
  estimated: number | null;
}

/** If a class of matches is likely to fill the page, only its newest matches are searched, and no later class. */
function probedQuestionsOf(
  classes: string[],
  inOrder: string | null,
  probed: ProbedQuestion[] | null,
  needed: number,
): Questions {
  const { found: all, matching: allMatching } = probed?.at(-1) ?? {};
  const [few, rankable] = inOrder === null ? [mostLookedAt, mostRanked] : [mostInOrder, mostInOrder];
  if (!probed || !all || !allMatching || countSearchHits(all, all.top) <= few)
    return { queries: classes, inOrder, isCut: false, isFull: false, estimated: null };
  const estimated = countSearchHits(allMatching, all.top);
  const ranked = searchSpanOf(all, rankable);
  const queries: string[] = [];
  let most = 1.5 * needed;
  for (const [index, { matching }] of probed.entries()) {
    const matches = countSearchHits(matching, ranked);
    const isFull = matches > most;
    const span = isFull ? Math.min(ranked, searchSpanOf(matching, most)) : ranked;
    queries.push(withinSearch(classes[index] ?? '', all.top, span));
    if (isFull) return { queries, inOrder, isCut: true, isFull, estimated };
    // Matches of this class also match the next one.
    most += matches;
  }
  return { queries, inOrder, isCut: ranked < all.top, isFull: false, estimated };
}

interface PageRow extends FoundArticle {
  matchedRows: number;
  lookedAt: number;
  matches: number;
  /** Whether some matches were not read, and whether reading more is possible. */
  isCut: boolean;
  hasMore: boolean;
  repositories: FoundArticles['repositories'] | null;
  foundTypes: FoundArticles['changeTypes'] | null;
}

const countColumns = [
  'matchedRows',
  'lookedAt',
  'matches',
  'isCut',
  'hasMore',
  'repositories',
  'foundTypes',
] as const satisfies (keyof PageRow)[];

interface FoundPage extends Pick<FoundArticles, 'rows' | 'repositories' | 'changeTypes'> {
  matches: number;
  isCut: boolean;
  hasMore: boolean;
  estimated: number;
}

/** Up to this many matches are all read, so that they can be counted. */
const mostLookedAt = 2 * mostCounted;

/**
 * Finds a page of matches in one statement: the index finds matches, visibility filters them, and only the page is
 * read. If there are many, only the best are read. Equal ranks are ordered by merge date if all matches are read, and
 * otherwise by the time of writing.
 */
async function findMatchingPage(
  db: Queries,
  search: Search,
  questions: Questions,
  needed: number,
): Promise<FoundPage> {
  const { viewer, limit, offset } = search;
  const rows = await db.query<PageRow>(sql`
    WITH matched AS MATERIALIZED (${matchedBy(questions, needed)}),
    size AS MATERIALIZED (
      SELECT *, is_cut AND (matches > ${needed}::bigint OR ${questions.isFull}) AS has_more FROM (
        SELECT count(*) AS matches, ${questions.isCut} OR count(*) > greatest(${mostLookedAt}, ${needed}::bigint) AS is_cut,
          NOT ${questions.isCut} AND count(*) <= ${mostLookedAt} AS is_by_date
        FROM matched) AS counted),
    best AS MATERIALIZED (
      SELECT *, CASE WHEN (SELECT is_by_date FROM size) THEN listed_at END AS moment FROM matched ORDER BY rank DESC, place DESC
      LIMIT (SELECT CASE WHEN is_cut THEN ${needed}::bigint END FROM size)),
    seen AS MATERIALIZED (
      SELECT repositories.id, repositories.host, repositories.owner, repositories.name AS repo FROM repositories
      WHERE repositories.id IN (SELECT DISTINCT repository_id FROM best) AND ${visibleTo(viewer)} ${andRepositoryNamed(search)}),
    found AS MATERIALIZED (${onceEachArticle(search)}),
    counted AS MATERIALIZED (
      SELECT (SELECT count(*) FROM found) AS matches, (SELECT count(*) FROM best) AS looked_at, size.matches AS matched_rows,
        is_cut, has_more FROM size),
    page AS MATERIALIZED (
      SELECT * FROM found ORDER BY rank DESC, moment DESC, place DESC
      LIMIT ${opaqueToPlanner(limit)} OFFSET ${opaqueToPlanner(offset)})
    SELECT counted.matches, counted.looked_at, counted.matched_rows, counted.is_cut, counted.has_more, ${matchCountsOf(search)},
      ${listedColumns()}, rows.sections
    FROM counted LEFT JOIN (
      page JOIN repositories ON repositories.id = page.repository_id
      JOIN article_search AS rows ON rows.article_id = page.article_id AND rows.language_code = page.language_code
      JOIN article_contents AS contents
        ON contents.article_id = page.article_id AND contents.language_code = page.language_code
      JOIN articles ON articles.id = page.article_id
      JOIN pull_requests ON pull_requests.id = articles.pull_request_id) ON true
    ORDER BY page.rank DESC, page.moment DESC, page.place DESC`);
  return pageOf(rows, questions);
}

function matchedBy({ queries, inOrder, isCut }: Questions, needed: number): Sql {
  const found = sql`
    FROM unnest(${queries}::text[]) WITH ORDINALITY AS queries (question, turn)
    JOIN article_search AS rows ON rows.words @@ queries.question::tsquery`;
  if (inOrder === null)
    return sql`
      SELECT rows.article_id, rows.language_code, rows.repository_id, rows.place, rows.listed_at, max(-queries.turn) AS rank ${found}
      GROUP BY rows.place, rows.article_id, rows.language_code, rows.repository_id, rows.listed_at`;
  // Reading the words of a row is slower than finding it, so the best rows are read first, and no more than needed.
  return sql`
    SELECT article_id, language_code, repository_id, place, listed_at, rank FROM (
      SELECT * FROM (
        SELECT DISTINCT ON (rows.place) rows.article_id, rows.language_code, rows.repository_id, rows.place, rows.listed_at, rows.words,
          -queries.turn AS rank ${found}
        ORDER BY rows.place, queries.turn) AS ranked
      ORDER BY rank DESC, place DESC OFFSET 0) AS sorted
    WHERE words @@ (SELECT ${inOrder}::text::tsquery)
    LIMIT ${isCut ? needed + 1 : null}::bigint`;
}

function pageOf(rows: PageRow[], questions: Questions): FoundPage {
  const {
    matchedRows = 0,
    lookedAt = 0,
    matches = 0,
    isCut = false,
    hasMore = false,
    repositories,
    foundTypes: changeTypes,
  } = rows[0] ?? {};
  return {
    rows: rowsOfPage(rows, ...countColumns),
    matches,
    isCut,
    hasMore,
    estimated: ((questions.estimated ?? matchedRows) * matches) / Math.max(1, lookedAt),
    repositories: repositories ?? [],
    changeTypes: changeTypes ?? [],
  };
}

function onceEachArticle({ viewer, isUnread, language, languages }: Search): Sql {
  const unread = isUnread
    ? sql`AND matched.article_id NOT IN (
        SELECT marks.article_id FROM read_marks AS marks JOIN article_contents AS contents USING (article_id, language_code)
        WHERE marks.user_id = ${viewer.userId} AND marks.revision = contents.revision)`
    : sql``;
  // Written with IN, so that the planner uses a hash table: it cannot know how many rows there are.
  const visible = sql`FROM best AS matched WHERE (matched.repository_id IN (SELECT id FROM seen)) IS TRUE ${unread}`;
  if (language !== undefined) return sql`SELECT matched.* ${visible}`;
  // Sorting by language would take longer than the rest of the query.
  const codes = sql`(SELECT ${[...new Set([...languages, 'en', 'ja', ...languageCodes])]}::text[])`;
  return sql`
    SELECT matched.article_id, (${codes})[min(array_position(${codes}, matched.language_code))] AS language_code,
      matched.repository_id, max(matched.place) AS place, max(matched.moment) AS moment, max(matched.rank) AS rank
    ${visible} GROUP BY matched.article_id, matched.repository_id`;
}

function matchCountsOf({ isCounted }: Search): Sql {
  if (!isCounted) return sql`NULL AS repositories, NULL AS found_types`;
  const isFew = sql`(SELECT NOT is_cut AND matches <= ${mostCounted} FROM counted)`;
  return sql`(
      SELECT json_agg(counts) FROM (
        SELECT repositories.host, repositories.owner, repositories.name AS repo, most.articles FROM (
          SELECT repository_id, count(*) AS articles FROM found WHERE ${isFew}
          GROUP BY repository_id ORDER BY count(*) DESC, repository_id LIMIT 6) AS most
        JOIN repositories ON repositories.id = most.repository_id
        ORDER BY most.articles DESC, repositories.owner, repositories.name) AS counts) AS repositories,
    (
      SELECT json_agg(counts) FROM (
        SELECT type AS "changeType", count(*) AS articles
        FROM found JOIN article_contents AS contents USING (article_id, language_code)
        CROSS JOIN unnest(contents.change_types) AS type
        WHERE ${isFew} GROUP BY type ORDER BY count(*) DESC, type) AS counts) AS found_types`;
}
