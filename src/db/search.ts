import type { ChangeType } from '../domain/change-types.ts';
import { languageCodes } from '../domain/languages.ts';
import {
  byAuthor,
  fileQuestion,
  inLanguage,
  inPublic,
  ofRepository,
  ofType,
  quoted,
  stretchesFrom,
} from '../domain/search/indexed-words.ts';
import type { Section } from '../domain/search/sections.ts';
import { askedOf, isOrdered, type Term } from '../domain/search/terms.ts';
import type { ListedArticle } from './article-lists.ts';
import { articleSummaryColumns } from './articles.ts';
import type { Queries } from './database.ts';
import { andNamed, type NamedRepositories } from './named-repositories.ts';
import { findIndexedShare } from './search-index.ts';
import { hiddenFromPlanner, type Sql, sql } from './sql.ts';
import { type ListViewer, visibleTo } from './visibility.ts';

/** What is searched for: all of it together. */
export interface Search extends NamedRepositories {
  viewer: ListViewer;
  terms: Term[];
  files: string[];
  /** On the host that is named. */
  author?: string | undefined;
  changeType?: ChangeType | undefined;
  /** Only what the viewer has not read as it stands. */
  isUnread: boolean;
  language?: string | undefined;
  /** Each article is found once: in the first of these languages in which it matches, or in any other. */
  languages: string[];
  limit: number;
  offset: number;
  /** Whether what was written last comes first, however well it matches. */
  isNewestFirst?: boolean;
  /** Whether it is also counted in which repositories and of which types they are. */
  isCounted?: boolean;
}

export interface FoundArticle extends ListedArticle {
  sections: Section[];
}

export interface FoundArticles {
  rows: FoundArticle[];
  /** Null where they are too many to be counted. */
  total: number | null;
  /** Empty where they are not counted, largest first. */
  repositories: { host: string; owner: string; repo: string; articles: number }[];
  changeTypes: { changeType: ChangeType; articles: number }[];
  /** Which part of all articles can be found by now, from 0 to 1. */
  indexedShare: number;
}

/** More are not counted. */
export const mostCounted = 1_000;

/** So many of the newest matches are ranked. Where each has to be looked at, because order matters, fewer are. */
const mostRanked = 5_000;
const mostInOrder = 1_000;

/** How many of the newest articles are looked at to estimate how many match. */
const probed = 4_096;

/** Viewers of more private repositories are searched for among all: the index is not asked about each. */
const mostGrants = 200;
const mostNamed = 500;

interface Surroundings {
  /** The place of the newest article. */
  top: number;
  isDue: boolean;
  /** Private repositories that the viewer was once shown. */
  granted: string[];
  /** Those that are named; null where none is. */
  named: string[] | null;
}

export async function searchArticles(db: Queries, search: Search): Promise<FoundArticles> {
  const around = await findSurroundings(db, search);
  const indexedShare = around.isDue ? await findIndexedShare(db, search.viewer) : 1;
  const wanted = wantedOf(search, around);
  if (wanted === null) return { rows: [], total: 0, repositories: [], changeTypes: [], indexedShare };
  const stretches = await newestStretches(db, search, around.top, wanted);
  const asked = [...wanted, ...askedTerms(search, true), ...(stretches ?? [])].join(' & ');
  const best = await findPage(db, search, asked, { isWhole: false });
  // Where much of the best is hidden or said twice, all of it is looked through.
  const lacksSome = best.isCut && best.rows.length < search.limit;
  const found = lacksSome ? await findPage(db, search, asked, { isWhole: true }) : best;
  return {
    ...found,
    total: stretches || (found.total ?? 0) > mostCounted ? null : found.total,
    indexedShare,
  };
}

async function findSurroundings(db: Queries, search: Search): Promise<Surroundings> {
  const { viewer, owner, repo } = search;
  // A host has any number of repositories: the index is not asked about each.
  const isNamed = [owner, repo].some((name) => name !== undefined);
  const named = isNamed
    ? sql`ARRAY(SELECT id FROM repositories WHERE ${visibleTo(viewer)} ${andNamed(search)} LIMIT ${hiddenFromPlanner(mostNamed + 1)})`
    : sql`NULL::uuid[]`;
  const granted =
    viewer.userId === null
      ? sql`'{}'::uuid[]`
      : sql`ARRAY(
          SELECT repository_id FROM repository_grants WHERE user_id = ${viewer.userId} AND NOT withdrawn LIMIT ${hiddenFromPlanner(mostGrants + 1)})`;
  const [found] = await db.query<Surroundings>(sql`
    SELECT coalesce((SELECT max(place) FROM article_search), 0) AS top,
      EXISTS (SELECT FROM article_search WHERE words IS NULL) AS "isDue", ${granted} AS granted, ${named} AS named`);
  return found ?? { top: 0, isDue: false, granted: [], named: null };
}

/** What narrows a search, as the index is asked for it; null where no repository is meant that the viewer may see. */
function wantedOf(search: Search, { granted, named }: Surroundings): string[] | null {
  const { host, author, changeType, language, files } = search;
  if (named?.length === 0) return null;
  const among = [inPublic, ...granted.map(ofRepository)];
  const scope =
    named && named.length <= mostNamed
      ? [oneOf(named.map(ofRepository))]
      : granted.length <= mostGrants
        ? [oneOf(among)]
        : [];
  const narrowed = [
    ...(language === undefined ? [] : [inLanguage(language)]),
    ...(changeType === undefined ? [] : [ofType(changeType)]),
    ...(author === undefined ? [] : [byAuthor(host ?? '', author)]),
  ];
  const inFiles = files.map((path) => {
    const { file, folder } = fileQuestion(path);
    return `(${quoted(file)} | ${quoted(folder)}:*)`;
  });
  return [...scope, ...narrowed.map(quoted), ...inFiles];
}

const oneOf = (facts: string[]): string => `(${facts.map(quoted).join(' | ')})`;

const askedTerms = ({ terms }: Search, isInOrder: boolean): string[] =>
  terms.map((term) => askedOf(term, { isInOrder }));

/** Stretches of places that have as many of the newest matches as are ranked; null where these are all. */
async function newestStretches(
  db: Queries,
  search: Search,
  top: number,
  wanted: string[],
): Promise<string[] | null> {
  if (top <= 2 * probed) return null;
  const asked = [...wanted, ...askedTerms(search, false), oneOf(stretchesFrom(top - probed, top))].join(
    ' & ',
  );
  const [counted] = await db.query<{ matches: number }>(sql`
    SELECT count(*) AS matches FROM article_search WHERE words @@ (SELECT ${asked}::text::tsquery)`);
  const share = (counted?.matches ?? 0) / probed;
  const most = search.terms.some(isOrdered) ? mostInOrder : mostRanked;
  const span = Math.max(probed, Math.ceil(most / share));
  return span >= top ? null : [oneOf(stretchesFrom(top - span, top))];
}

interface PageRow extends FoundArticle {
  matches: number;
  /** Whether not all that match were looked at. */
  isCut: boolean;
  repositories: FoundArticles['repositories'] | null;
  changeTypes_: FoundArticles['changeTypes'] | null;
}

type FoundPage = Pick<FoundArticles, 'rows' | 'total' | 'repositories' | 'changeTypes'> & { isCut: boolean };

/** As many are all looked at, so that they can be counted. */
const mostLookedAt = 2 * mostCounted;

/**
 * One statement: the index finds what matches, the predicate what of it shows, and only what is on the page is read. Of many, only
 * the best are looked at: as many as the page needs, were each there in two languages, and some more.
 */
async function findPage(
  db: Queries,
  search: Search,
  asked: string,
  { isWhole }: { isWhole: boolean },
): Promise<FoundPage> {
  const { viewer, limit, offset } = search;
  const most = isWhole ? Number.MAX_SAFE_INTEGER : 2 * (limit + offset) + 100;
  const rows = await db.query<PageRow>(sql`
    WITH matched AS MATERIALIZED (
      SELECT article_id, language_code, repository_id, place, ${rankOf(search)} AS rank
      FROM article_search WHERE words @@ (SELECT ${asked}::text::tsquery)),
    size AS MATERIALIZED (SELECT count(*) > greatest(${mostLookedAt}, ${most}::bigint) AS is_cut FROM matched),
    best AS MATERIALIZED (
      SELECT * FROM matched ORDER BY rank DESC, place DESC
      LIMIT (SELECT CASE WHEN is_cut THEN ${most}::bigint END FROM size)),
    seen AS MATERIALIZED (
      SELECT repositories.id, repositories.host, repositories.owner, repositories.name AS repo FROM repositories
      WHERE repositories.id IN (SELECT DISTINCT repository_id FROM best) AND ${visibleTo(viewer)} ${andNamed(search)}),
    found AS MATERIALIZED (${onceEach(search)}),
    counted AS MATERIALIZED (SELECT count(*) AS matches, (SELECT is_cut FROM size) AS is_cut FROM found),
    page AS MATERIALIZED (
      SELECT * FROM found ORDER BY rank DESC, place DESC LIMIT ${hiddenFromPlanner(limit)} OFFSET ${hiddenFromPlanner(offset)})
    SELECT counted.matches, counted.is_cut AS "isCut", ${countsOf(search)}, page.article_id AS "articleId",
      contents.language_code AS "languageCode", contents.title AS "writtenTitle", repositories.host, repositories.owner,
      repositories.name AS repo, pull_requests.number,
      pull_requests.author_login AS "authorLogin", pull_requests.state, pull_requests.merged_at AS "mergedAt",
      ${articleSummaryColumns}, contents.like_count AS "likeCount", contents.generated_at AS "generatedAt", rows.sections
    FROM counted LEFT JOIN (
      page JOIN repositories ON repositories.id = page.repository_id
      JOIN article_search AS rows ON rows.article_id = page.article_id AND rows.language_code = page.language_code
      JOIN article_contents AS contents
        ON contents.article_id = page.article_id AND contents.language_code = page.language_code
      JOIN articles ON articles.id = page.article_id
      JOIN pull_requests ON pull_requests.id = articles.pull_request_id) ON true
    ORDER BY page.rank DESC, page.place DESC`);
  return pageOf(rows);
}

function pageOf(rows: PageRow[]): FoundPage {
  const { matches = 0, isCut = false, repositories, changeTypes_: changeTypes } = rows[0] ?? {};
  return {
    rows: rows
      .filter(({ articleId }) => articleId !== null)
      .map(({ matches: _, isCut: __, repositories: ___, changeTypes_: ____, ...row }) => row),
    total: isCut ? null : matches,
    isCut,
    repositories: repositories ?? [],
    changeTypes: changeTypes ?? [],
  };
}

/** Words in titles count most, then those below them. */
function rankOf({ terms, isNewestFirst }: Search): Sql {
  if (terms.length === 0 || isNewestFirst) return sql`0::real`;
  const any = terms.map((term) => askedOf(term, { isInOrder: false })).join(' | ');
  return sql`ts_rank(head, (SELECT ${any}::text::tsquery))`;
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
      matched.repository_id, max(matched.place) AS place, max(matched.rank) AS rank
    ${visible} GROUP BY matched.article_id, matched.repository_id`;
}

/** Of what is counted: the repositories that have most of it, and the types. */
function countsOf({ isCounted }: Search): Sql {
  if (!isCounted) return sql`NULL AS repositories, NULL AS "changeTypes_"`;
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
        WHERE ${isFew} GROUP BY type ORDER BY count(*) DESC, type) AS told) AS "changeTypes_"`;
}
