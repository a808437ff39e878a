import type { ArticleContent } from '../contract/articles.ts';
import type { ChangeType } from '../domain/articles.ts';
import {
  byAuthor,
  fileQuestion,
  type Indexed,
  indexedWords,
  inPublic,
  languageFact,
  mostFiles,
  ofRepository,
  ofType,
  sectionsOf,
  shortestStretch,
  stretchAround,
  stretchBits,
  stretchesFrom,
  tsqueryQuoted,
} from '../domain/search/indexed-words.ts';
import type { Term } from '../domain/search/question.ts';
import { visibleText } from '../reading/description/sentences.ts';
import type { Database, Queries } from './database.ts';
import { andRepositoryNamed, type NamedRepositories } from './repositories.ts';
import type { Tables } from './schema.ts';
import { jsonText, opaqueToPlanner, type Sql, separated, sql } from './sql.ts';
import { type ListScope, visibleTo } from './visibility.ts';

export interface IndexedArticle extends Pick<Tables['article_search'], 'articleId' | 'repositoryId'> {
  content: Omit<ArticleContent, 'likeCount' | 'stale'>;
  about: Indexed['about'] & {
    title: string;
    description: string | null;
    comments: string[];
    files: string[];
  };
}

/** Comments of people. */
const commentsInReview = 'strict $.**{1 to 5} ? (@.isBot == false && @.body != "")';
const mostComments = 100;
const longestComment = 1_000;

/** The page of an article shows this much of a description. */
const longestDescription = 8_000;

export const indexedFields = sql`
  json_build_object('host', repositories.host, 'owner', repositories.owner, 'name', repositories.name, 'number',
    pull_requests.number, 'authorLogin', pull_requests.author_login,
    'title', pull_requests.title, 'description', (
      SELECT left(texts.body, ${longestDescription}) FROM pull_request_contents AS texts
      WHERE texts.pull_request_id = pull_requests.id), 'comments', ARRAY(
      SELECT left(comment ->> 'body', ${longestComment})
      FROM pull_request_contents AS texts, jsonb_path_query(texts.discussion, ${commentsInReview}::text::jsonpath) AS comment
      WHERE texts.pull_request_id = pull_requests.id LIMIT ${mostComments}), 'files', ARRAY(
      SELECT file ->> 'fileName' FROM pull_request_contents AS texts, jsonb_array_elements(texts.files) AS file
      WHERE texts.pull_request_id = pull_requests.id LIMIT ${mostFiles}))`;

function indexedWordsOf({ content, about }: Pick<IndexedArticle, 'content' | 'about'>) {
  const { languageCode, changeTypes } = content;
  const { title, description, comments, files } = about;
  const sections = sectionsOf(content, {
    title,
    files,
    description: description === null ? null : visibleText(description),
    comments: comments.map(visibleText),
  });
  return { words: indexedWords({ languageCode, changeTypes, sections, about }), sections };
}

const factsOf = (place: Sql): Sql => sql`
  array_to_tsvector(ARRAY(SELECT '=s' || bits || '.' || (${place} >> bits) FROM unnest(${[...stretchBits]}::integer[]) AS bits)
    || ('=r' || repositories.id) || CASE WHEN repositories.is_private THEN '{}' ELSE ARRAY[${inPublic}::text] END)`;

const indexedFullName = ({ about }: Pick<IndexedArticle, 'about'>): string => `${about.owner}/${about.name}`;

export async function indexArticles(tx: Queries, articles: IndexedArticle[]): Promise<void> {
  const rows = articles.map((article) => {
    const { words, sections } = indexedWordsOf(article);
    return sql`(${article.articleId}::uuid, ${article.content.languageCode}, ${article.repositoryId}::uuid,
      nextval('article_search_places'), ${indexedFullName(article)}, ${words}::text::tsvector, ${jsonText(sections)})`;
  });
  await tx.query(sql`
    INSERT INTO article_search (article_id, language_code, repository_id, place, is_public, repository_name, words, sections)
    SELECT made.article_id, made.language_code, repositories.id, made.place, NOT repositories.is_private,
      made.repository_name, made.words || ${factsOf(sql`made.place`)}, made.sections
    FROM (VALUES ${separated(rows)})
      AS made (article_id, language_code, repository_id, place, repository_name, words, sections)
    JOIN repositories ON repositories.id = made.repository_id
    ON CONFLICT (article_id, language_code) DO UPDATE SET
      place = excluded.place, is_public = excluded.is_public, repository_name = excluded.repository_name,
      words = excluded.words, sections = excluded.sections`);
}

interface DueRow
  extends Omit<IndexedArticle, 'repositoryId'>,
    Pick<Tables['article_search'], 'languageCode'> {}

/** Indexes the newest articles that are due, without those that other processes are indexing. Returns how many. */
export const indexDueArticles = (database: Database, most: number): Promise<number> =>
  database.transaction(async (tx) => {
    const due = await tx.query<DueRow>(sql`
      SELECT due.article_id, due.language_code, contents.body AS content, ${indexedFields} AS about
      FROM (
        SELECT article_id, language_code, place FROM article_search WHERE words IS NULL
        ORDER BY place DESC LIMIT ${most} FOR UPDATE SKIP LOCKED) AS due
      JOIN article_contents AS contents USING (article_id, language_code)
      JOIN articles ON articles.id = due.article_id
      JOIN pull_requests ON pull_requests.id = articles.pull_request_id
      JOIN repositories ON repositories.id = pull_requests.repository_id`);
    if (due.length === 0) return 0;
    const made = due.map((article) => indexedWordsOf(article));
    await tx.query(sql`
      UPDATE article_search AS rows SET is_public = NOT repositories.is_private, repository_name = made.repository_name,
        words = made.words::tsvector || ${factsOf(sql`rows.place`)}, sections = made.sections::json
      FROM unnest(${due.map(({ articleId }) => articleId)}::uuid[], ${due.map(({ languageCode }) => languageCode)}::text[],
        ${due.map(indexedFullName)}::text[], ${made.map(({ words }) => words)}::text[],
        ${made.map(({ sections }) => JSON.stringify(sections))}::text[])
          AS made (article_id, language_code, repository_name, words, sections),
        repositories
      WHERE rows.article_id = made.article_id AND rows.language_code = made.language_code AND repositories.id = rows.repository_id`);
    return due.length;
  });

/** Marks articles for indexing that were stored while their repository was renamed or changed visibility. */
export const deleteMisplacedIndexRows = (db: Queries) =>
  db.run(sql`
    UPDATE article_search AS rows SET words = NULL FROM repositories
    WHERE repositories.id = rows.repository_id AND rows.words IS NOT NULL
      AND (rows.is_public = repositories.is_private OR rows.repository_name <> repositories.owner || '/' || repositories.name)`);

export async function findIndexedShare(db: Queries, viewer: ListScope): Promise<number> {
  const [counted] = await db.query<{ due: number; all: number }>(sql`
    WITH due AS (SELECT repository_id, count(*) AS articles FROM article_search WHERE words IS NULL GROUP BY repository_id),
    visible AS (SELECT repositories.id FROM repositories WHERE ${visibleTo(viewer)})
    SELECT
      (SELECT coalesce(sum(articles), 0)::bigint FROM due WHERE repository_id IN (SELECT id FROM visible)) AS due,
      (SELECT coalesce(sum(articles), 0)::bigint FROM article_totals
        WHERE language_code <> '*' AND repository_id IN (SELECT id FROM visible)) AS "all"`);
  const { due = 0, all = 0 } = counted ?? {};
  return due === 0 ? 1 : Math.max(0, Math.floor((1 - due / Math.max(due, all)) * 1000) / 1000);
}

/** The number of newest articles, and of ranges of the others, that are sampled to estimate the number of matches. */
const newestProbed = shortestStretch;
const othersProbed = 3;

interface Density {
  top: number;
  /** The share of matches among the newest articles, and among all others. */
  newest: number;
  others: number;
}

/** The share of articles that the index finds, and of those with the words in order. */
export interface ProbedQuestion {
  found: Density;
  matching: Density;
}

/** Counts matches in a sample. Null if there are so few articles that all are searched. */
export async function probeQuestions(
  db: Queries,
  questions: string[],
  inOrder: string | null,
  top: number,
): Promise<ProbedQuestion[] | null> {
  if (top <= 4 * newestProbed) return null;
  const from = Math.floor((top - newestProbed) / shortestStretch) * shortestStretch;
  const others = new Set(
    Array.from({ length: othersProbed }, (_, index) =>
      stretchAround(((index + 0.5) / othersProbed) * (from - shortestStretch)),
    ),
  );
  const probed = `(${[...new Set([...stretchesFrom(from, top), ...others])].map(tsqueryQuoted).join(' | ')})`;
  const isInOrder = inOrder === null ? sql`true` : sql`words @@ (SELECT ${inOrder}::text::tsquery)`;
  const counted = await db.query<{ found: Counts; matching: Counts }>(sql`
    SELECT counted.* FROM unnest(${questions.map((question) => `${question} & ${probed}`)}::text[])
      WITH ORDINALITY AS queries (question, turn)
    CROSS JOIN LATERAL (
      SELECT ${sectionCountsOf(sql`true`)} AS found, ${sectionCountsOf(sql`is_in_order`)} AS matching
      FROM (
        SELECT place >= ${from} AS is_new, ${isInOrder} AS is_in_order FROM article_search
        WHERE words @@ queries.question::tsquery OFFSET 0) AS probed) AS counted
    ORDER BY queries.turn`);
  const densityOf = (counts: Counts): Density => ({
    top,
    newest: counts.newest / (top - from + 1),
    others: counts.others / (others.size * shortestStretch),
  });
  return counted.map(({ found, matching }) => ({ found: densityOf(found), matching: densityOf(matching) }));
}

interface Counts {
  newest: number;
  others: number;
}

const sectionCountsOf = (isMeant: Sql): Sql => sql`
  json_build_object('newest', count(*) FILTER (WHERE is_new AND ${isMeant}), 'others', count(*) FILTER (WHERE NOT is_new AND ${isMeant}))`;

export const countSearchHits = ({ newest, others }: Density, span: number): number =>
  Math.min(span, newestProbed) * newest + Math.max(0, span - newestProbed) * others;

export function searchSpanOf({ top, newest, others }: Density, count: number): number {
  const inNewest = newestProbed * newest;
  const span = count <= inNewest ? count / newest : newestProbed + (count - inNewest) / others;
  return Math.min(top, Math.ceil(span));
}

export const withinSearch = (question: string, top: number, span: number): string =>
  span >= top
    ? question
    : `${question} & (${stretchesFrom(top - span, top)
        .map(tsqueryQuoted)
        .join(' | ')})`;

export interface Search extends NamedRepositories {
  viewer: ListScope;
  terms: Term[];
  files: string[];
  author?: string | undefined;
  changeType?: ChangeType | undefined;
  isUnread: boolean;
  language?: string | undefined;
  /** Each article is found once: in the first of these languages that matches, or else in any other. */
  languages: string[];
  limit: number;
  offset: number;
  isNewestFirst?: boolean;
  questionWords?: string[];
  isCounted?: boolean;
}

/** With more grants or repositories than these, the index is not queried for each. */
const mostGrants = 200;
const mostNamed = 500;

interface Surroundings {
  top: number;
  isDue: boolean;
  granted: string[];
  named: string[] | null;
}

export async function findSurroundingSentences(db: Queries, search: Search): Promise<Surroundings> {
  const { viewer, owner, repo } = search;
  // A host has too many repositories to query the index for each.
  const isNamed = [owner, repo].some((name) => name !== undefined);
  const named = isNamed
    ? sql`ARRAY(SELECT id FROM repositories WHERE ${visibleTo(viewer)} ${andRepositoryNamed(search)} LIMIT ${opaqueToPlanner(mostNamed + 1)})`
    : sql`NULL::uuid[]`;
  const granted =
    viewer.userId === null
      ? sql`'{}'::uuid[]`
      : sql`ARRAY(
          SELECT repository_id FROM repository_grants WHERE user_id = ${viewer.userId} AND NOT withdrawn LIMIT ${opaqueToPlanner(mostGrants + 1)})`;
  const [found] = await db.query<Surroundings>(sql`
    SELECT coalesce((SELECT max(place) FROM article_search), 0) AS top,
      EXISTS (SELECT FROM article_search WHERE words IS NULL) AS "isDue", ${granted} AS granted, ${named} AS named`);
  return found ?? { top: 0, isDue: false, granted: [], named: null };
}

export function wantedWordsOf(search: Search, { granted, named }: Surroundings): string[] | null {
  const { host, author, changeType, language, files } = search;
  if (named?.length === 0) return null;
  const among = [inPublic, ...granted.map(ofRepository)];
  const scope =
    named && named.length <= mostNamed
      ? [anyOfFacts(named.map(ofRepository))]
      : granted.length <= mostGrants
        ? [anyOfFacts(among)]
        : [];
  const narrowed = [
    ...(language === undefined ? [] : [languageFact(language)]),
    ...(changeType === undefined ? [] : [ofType(changeType)]),
    ...(author === undefined ? [] : [byAuthor(host ?? '', author)]),
  ];
  const inFiles = files.map((path) => {
    const { file, folder } = fileQuestion(path);
    return `(${tsqueryQuoted(file)} | ${tsqueryQuoted(folder)}:*)`;
  });
  return [...scope, ...narrowed.map(tsqueryQuoted), ...inFiles];
}

const anyOfFacts = (facts: string[]): string => `(${facts.map(tsqueryQuoted).join(' | ')})`;
