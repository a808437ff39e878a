import type { ChangeType } from '../domain/article.ts';
import { languageCodes } from '../domain/languages.ts';
import type { Section } from '../domain/search/indexed-words.ts';
import { queryInOrder, rankClasses } from '../domain/search/question.ts';
import { type ListedArticle, listedColumns, rowsOfPage } from './articles.ts';
import type { Queries } from './database.ts';
import { andNamed } from './repositories.ts';
import {
  countIn,
  findIndexedShare,
  findSurroundings,
  type ProbedQuestion,
  probeQuestions,
  type Search,
  spanOf,
  wantedOf,
  within,
} from './search-index.ts';
import { hiddenFromPlanner, type Sql, sql } from './sql.ts';
import { visibleTo } from './visibility.ts';

export interface FoundArticle extends ListedArticle {
  sections: Section[];
}

export interface FoundArticles {
  rows: FoundArticle[];
  /** Null above `mostCounted`, for which an estimate may do. */
  total: number | null;
  /** Whether `total` is of the newest that may match alone, because those are too many for all to be looked through. */
  isPartial: boolean;
  /** Empty where they are not counted, largest first. */
  repositories: { host: string; owner: string; repo: string; articles: number }[];
  changeTypes: { changeType: ChangeType; articles: number }[];
  /** Which part of all articles can be found by now, from 0 to 1. */
  indexedShare: number;
}

/** More are not counted. */
export const mostCounted = 1_000;

/** So many of the newest matches are ranked. Where each has to be looked at, because order matters, fewer are. */
const mostRanked = 10_000;
const mostInOrder = 1_000;

export async function searchArticles(db: Queries, search: Search): Promise<FoundArticles> {
  const around = await findSurroundings(db, search);
  const indexedShare = around.isDue ? await findIndexedShare(db, search.viewer) : 1;
  const wanted = wantedOf(search, around);
  if (wanted === null)
    return { rows: [], total: 0, isPartial: false, repositories: [], changeTypes: [], indexedShare };
  const classes = rankClasses(search.terms)
    // The last class is all that matches.
    .slice(search.isNewestFirst ? -1 : 0)
    .map((asked) => [...wanted, ...asked].join(' & '));
  const inOrder = queryInOrder(search.terms);
  const probed = await probeQuestions(db, classes, inOrder, around.top);
  const find = (needed: number) =>
    findPage(db, search, questionsOf(classes, inOrder, probed, needed), needed);
  // As many as the page needs, were each there in two languages, and some more.
  const best = await find(2 * (search.limit + search.offset) + 100);
  // Where much of the best is hidden or said twice, or all of it may be few enough to be counted, all of it is looked through.
  const lacksSome = best.rows.length < search.limit || best.estimated <= mostCounted;
  const found = best.hasMore && lacksSome ? await find(Number.MAX_SAFE_INTEGER) : best;
  const { rows, repositories, changeTypes, matches, isCut, hasMore } = found;
  const total = hasMore || matches > mostCounted ? null : matches;
  return { rows, total, isPartial: isCut && total !== null, repositories, changeTypes, indexedShare };
}

/** What is asked for, the best first. */
interface Questions {
  asked: string[];
  /** What is held against each row that the index finds; null where it knows all that is asked. */
  inOrder: string | null;
  /** Whether that does not find all that matches, and whether only because the page is likely to be full without the rest. */
  isCut: boolean;
  isFull: boolean;
  /** How many match, by estimate, where that does not find them all. */
  estimated: number | null;
}

/** Of a class that is likely to fill the page, only the newest are asked for, and none of those behind it. */
function questionsOf(
  classes: string[],
  inOrder: string | null,
  probed: ProbedQuestion[] | null,
  needed: number,
): Questions {
  const { found: all, matching: allMatching } = probed?.at(-1) ?? {};
  const [few, rankable] = inOrder === null ? [mostLookedAt, mostRanked] : [mostInOrder, mostInOrder];
  if (!probed || !all || !allMatching || countIn(all, all.top) <= few)
    return { asked: classes, inOrder, isCut: false, isFull: false, estimated: null };
  const estimated = countIn(allMatching, all.top);
  const ranked = spanOf(all, rankable);
  const asked: string[] = [];
  let most = 1.5 * needed;
  for (const [index, { matching }] of probed.entries()) {
    const matches = countIn(matching, ranked);
    const isFull = matches > most;
    const span = isFull ? Math.min(ranked, spanOf(matching, most)) : ranked;
    asked.push(within(classes[index] ?? '', all.top, span));
    if (isFull) return { asked, inOrder, isCut: true, isFull, estimated };
    // They are among those of the next class, too.
    most += matches;
  }
  return { asked, inOrder, isCut: ranked < all.top, isFull: false, estimated };
}

interface PageRow extends FoundArticle {
  /** Of how many rows that match how many were looked at, and how many articles were found in these. */
  matchedRows: number;
  lookedAt: number;
  matches: number;
  /** Whether not all that match were looked at, and whether more can be. */
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
  /** How many would be found in all that matches. */
  estimated: number;
}

/** As many are all looked at, so that they can be counted. */
const mostLookedAt = 2 * mostCounted;

/**
 * One statement: the index finds what matches, the predicate what of it shows, and only what is on the page is read. Of many, only
 * the best are looked at. Equally good ones are ordered by merge date where all are looked at; of more, the index knows only in which
 * order they were written.
 */
async function findPage(
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
      WHERE repositories.id IN (SELECT DISTINCT repository_id FROM best) AND ${visibleTo(viewer)} ${andNamed(search)}),
    found AS MATERIALIZED (${onceEach(search)}),
    counted AS MATERIALIZED (
      SELECT (SELECT count(*) FROM found) AS matches, (SELECT count(*) FROM best) AS looked_at, size.matches AS matched_rows,
        is_cut, has_more FROM size),
    page AS MATERIALIZED (
      SELECT * FROM found ORDER BY rank DESC, moment DESC, place DESC
      LIMIT ${hiddenFromPlanner(limit)} OFFSET ${hiddenFromPlanner(offset)})
    SELECT counted.matches, counted.looked_at, counted.matched_rows, counted.is_cut, counted.has_more, ${countsOf(search)},
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

/** Each row once, with the best of the classes that it is in. */
function matchedBy({ asked, inOrder, isCut }: Questions, needed: number): Sql {
  const found = sql`
    FROM unnest(${asked}::text[]) WITH ORDINALITY AS asked (question, turn)
    JOIN article_search AS rows ON rows.words @@ asked.question::tsquery`;
  if (inOrder === null)
    return sql`
      SELECT rows.article_id, rows.language_code, rows.repository_id, rows.place, rows.listed_at, max(-asked.turn) AS rank ${found}
      GROUP BY rows.place, rows.article_id, rows.language_code, rows.repository_id, rows.listed_at`;
  // Reading the words of a row takes longer than finding it: those of the best are read first, each once, and no more than have to be.
  return sql`
    SELECT article_id, language_code, repository_id, place, listed_at, rank FROM (
      SELECT * FROM (
        SELECT DISTINCT ON (rows.place) rows.article_id, rows.language_code, rows.repository_id, rows.place, rows.listed_at, rows.words,
          -asked.turn AS rank ${found}
        ORDER BY rows.place, asked.turn) AS ranked
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

function onceEach({ viewer, isUnread, language, languages }: Search): Sql {
  const unread = isUnread
    ? sql`AND matched.article_id NOT IN (
        SELECT marks.article_id FROM read_marks AS marks JOIN article_contents AS contents USING (article_id, language_code)
        WHERE marks.user_id = ${viewer.userId} AND marks.revision = contents.revision)`
    : sql``;
  // Said so, the planner looks repositories up in a table of hashes; it cannot know that there are many.
  const visible = sql`FROM best AS matched WHERE (matched.repository_id IN (SELECT id FROM seen)) IS TRUE ${unread}`;
  if (language !== undefined) return sql`SELECT matched.* ${visible}`;
  // Sorting them by language would take longer than all the rest.
  const codes = sql`(SELECT ${[...new Set([...languages, 'en', 'ja', ...languageCodes])]}::text[])`;
  return sql`
    SELECT matched.article_id, (${codes})[min(array_position(${codes}, matched.language_code))] AS language_code,
      matched.repository_id, max(matched.place) AS place, max(matched.moment) AS moment, max(matched.rank) AS rank
    ${visible} GROUP BY matched.article_id, matched.repository_id`;
}

/** Of what is counted: the repositories that have most of it, and the types. */
function countsOf({ isCounted }: Search): Sql {
  if (!isCounted) return sql`NULL AS repositories, NULL AS found_types`;
  const isFew = sql`(SELECT NOT is_cut AND matches <= ${mostCounted} FROM counted)`;
  return sql`(
      SELECT json_agg(told) FROM (
        SELECT repositories.host, repositories.owner, repositories.name AS repo, most.articles FROM (
          SELECT repository_id, count(*) AS articles FROM found WHERE ${isFew}
          GROUP BY repository_id ORDER BY count(*) DESC, repository_id LIMIT 6) AS most
        JOIN repositories ON repositories.id = most.repository_id
        ORDER BY most.articles DESC, repositories.owner, repositories.name) AS told) AS repositories,
    (
      SELECT json_agg(told) FROM (
        SELECT type AS "changeType", count(*) AS articles
        FROM found JOIN article_contents AS contents USING (article_id, language_code)
        CROSS JOIN unnest(contents.change_types) AS type
        WHERE ${isFew} GROUP BY type ORDER BY count(*) DESC, type) AS told) AS found_types`;
}
