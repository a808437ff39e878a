import type { ArticleContent } from '../contract/article.ts';
import type { ChangeType } from '../domain/article.ts';
import {
  byAuthor,
  fileQuestion,
  type Indexed,
  indexedWords,
  inLanguage,
  inPublic,
  ofRepository,
  ofType,
  quoted,
  sectionsOf,
  shortestStretch,
  stretchAround,
  stretchBits,
  stretchesFrom,
} from '../domain/search/indexed-words.ts';
import type { Term } from '../domain/search/question.ts';
import { visibleText } from '../reading/description/sentences.ts';
import type { Database, Queries } from './database.ts';
import { andNamed, type NamedRepositories } from './repositories.ts';
import type { Tables } from './schema.ts';
import { hiddenFromPlanner, jsonText, type Sql, sql } from './sql.ts';
import { type ListViewer, visibleTo } from './visibility.ts';

/** What an article in one language is found by is made of. */
export interface IndexedArticle extends Pick<Tables['article_search'], 'articleId' | 'repositoryId'> {
  content: Omit<ArticleContent, 'likeCount' | 'stale'>;
  about: Indexed['about'] & { title: string; description: string | null };
}

/** As much of a description as the page of an article shows. */
const longestDescription = 8_000;

/** What is known about an article beside what it says, from `repositories` and `pull_requests`. */
export const indexedAbout = sql`
  json_build_object('host', repositories.host, 'owner', repositories.owner, 'name', repositories.name,
    'number', pull_requests.number, 'authorLogin', pull_requests.author_login,
    'title', pull_requests.title, 'description', (
      SELECT left(texts.body, ${longestDescription}) FROM pull_request_contents AS texts
      WHERE texts.pull_request_id = pull_requests.id))`;

function wordsOf({ content, about }: Pick<IndexedArticle, 'content' | 'about'>) {
  const { languageCode, changeTypes } = content;
  const { title, description } = about;
  const sections = sectionsOf(content, {
    title,
    description: description === null ? null : visibleText(description),
  });
  return { words: indexedWords({ languageCode, changeTypes, sections, about }), sections };
}

/** What a row is found by beside its words, from `repositories` and its place. */
const factsOf = (place: Sql): Sql => sql`
  array_to_tsvector(ARRAY(SELECT '=s' || bits || '.' || (${place} >> bits) FROM unnest(${[...stretchBits]}::integer[]) AS bits)
    || ('=r' || repositories.id) || CASE WHEN repositories.is_private THEN '{}' ELSE ARRAY[${inPublic}::text] END)`;

/** What its repository is called among the words that it is found by. */
const nameIn = ({ about }: Pick<IndexedArticle, 'about'>): string => `${about.owner}/${about.name}`;

/** Has an article be found by what it says now, as the newest of all. */
export async function indexArticle(tx: Queries, article: IndexedArticle): Promise<void> {
  const { words, sections } = wordsOf(article);
  await tx.query(sql`
    INSERT INTO article_search (article_id, language_code, repository_id, place, is_public, repository_name, words, sections)
    SELECT ${article.articleId}, ${article.content.languageCode}, repositories.id, next.place, NOT repositories.is_private, ${nameIn(article)},
      ${words}::text::tsvector || ${factsOf(sql`next.place`)}, ${jsonText(sections)}
    FROM repositories CROSS JOIN (SELECT nextval('article_search_places') AS place) AS next
    WHERE repositories.id = ${article.repositoryId}
    ON CONFLICT (article_id, language_code) DO UPDATE SET
      place = excluded.place, is_public = excluded.is_public, repository_name = excluded.repository_name,
      words = excluded.words, sections = excluded.sections`);
}

interface DueRow
  extends Omit<IndexedArticle, 'repositoryId'>,
    Pick<Tables['article_search'], 'languageCode'> {}

/**
 * Makes what some of those articles are found by that are not found yet, the newest of them, and leaves those to others that
 * they are at work on. Returns how many they were.
 */
export const indexDueArticles = (database: Database, most: number): Promise<number> =>
  database.transaction(async (tx) => {
    const due = await tx.query<DueRow>(sql`
      SELECT due.article_id AS "articleId", due.language_code AS "languageCode", contents.body AS content, ${indexedAbout} AS about
      FROM (
        SELECT article_id, language_code, place FROM article_search WHERE words IS NULL
        ORDER BY place DESC LIMIT ${most} FOR UPDATE SKIP LOCKED) AS due
      JOIN article_contents AS contents USING (article_id, language_code)
      JOIN articles ON articles.id = due.article_id
      JOIN pull_requests ON pull_requests.id = articles.pull_request_id
      JOIN repositories ON repositories.id = pull_requests.repository_id`);
    if (due.length === 0) return 0;
    const made = due.map((article) => wordsOf(article));
    await tx.query(sql`
      UPDATE article_search AS rows SET is_public = NOT repositories.is_private, repository_name = made.repository_name,
        words = made.words::tsvector || ${factsOf(sql`rows.place`)}, sections = made.sections::json
      FROM unnest(${due.map(({ articleId }) => articleId)}::uuid[], ${due.map(({ languageCode }) => languageCode)}::text[],
        ${due.map(nameIn)}::text[], ${made.map(({ words }) => words)}::text[],
        ${made.map(({ sections }) => JSON.stringify(sections))}::text[])
          AS made (article_id, language_code, repository_name, words, sections),
        repositories
      WHERE rows.article_id = made.article_id AND rows.language_code = made.language_code AND repositories.id = rows.repository_id`);
    return due.length;
  });

/** An article that was stored while its repository was turned or renamed is noted under what that was before: this finds them. */
export async function forgetMisplaced(db: Queries): Promise<void> {
  await db.query(sql`
    UPDATE article_search AS rows SET words = NULL FROM repositories
    WHERE repositories.id = rows.repository_id AND rows.words IS NOT NULL
      AND (rows.is_public = repositories.is_private OR rows.repository_name <> repositories.owner || '/' || repositories.name)`);
}

/** Which part of what a viewer may see can be found by now. It is asked for where something is due. */
export async function findIndexedShare(db: Queries, viewer: ListViewer): Promise<number> {
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

/** How many of the newest articles are looked at to estimate how many match, and how many stretches of all others. */
const newestProbed = shortestStretch;
const othersProbed = 3;

/** Where what matches lies, as far as some of the articles tell. */
interface Density {
  /** The place of the newest article. */
  top: number;
  /** Of the newest, and of all others, which part matches. */
  newest: number;
  others: number;
}

/** Of one question: where the index finds something, and where of that is what has its words in order. */
export interface ProbedQuestion {
  found: Density;
  matching: Density;
}

/** Counts what matches each question among some of the articles. Null where they are so few that all are searched. */
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
  const probed = `(${[...new Set([...stretchesFrom(from, top), ...others])].map(quoted).join(' | ')})`;
  const isInOrder = inOrder === null ? sql`true` : sql`words @@ (SELECT ${inOrder}::text::tsquery)`;
  const counted = await db.query<{ found: Counts; matching: Counts }>(sql`
    SELECT counted.* FROM unnest(${questions.map((question) => `${question} & ${probed}`)}::text[])
      WITH ORDINALITY AS asked (question, turn)
    CROSS JOIN LATERAL (
      SELECT ${countsOf(sql`true`)} AS found, ${countsOf(sql`is_in_order`)} AS matching
      FROM (
        SELECT place >= ${from} AS is_new, ${isInOrder} AS is_in_order FROM article_search
        WHERE words @@ asked.question::tsquery OFFSET 0) AS probed) AS counted
    ORDER BY asked.turn`);
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

const countsOf = (isMeant: Sql): Sql => sql`
  json_build_object('newest', count(*) FILTER (WHERE is_new AND ${isMeant}), 'others', count(*) FILTER (WHERE NOT is_new AND ${isMeant}))`;

/** How many match among as many of the newest articles, by estimate. */
export const countIn = ({ newest, others }: Density, span: number): number =>
  Math.min(span, newestProbed) * newest + Math.max(0, span - newestProbed) * others;

/** How many of the newest articles have so many matches. */
export function spanOf({ top, newest, others }: Density, count: number): number {
  const inNewest = newestProbed * newest;
  const span = count <= inNewest ? count / newest : newestProbed + (count - inNewest) / others;
  return Math.min(top, Math.ceil(span));
}

/** Narrows a question to as many of the newest articles, and a few more. */
export const within = (question: string, top: number, span: number): string =>
  span >= top
    ? question
    : `${question} & (${stretchesFrom(top - span, top)
        .map(quoted)
        .join(' | ')})`;

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
  /** Whether the newest comes first, however well it matches. */
  isNewestFirst?: boolean;
  /** Whether it is also counted in which repositories and of which types they are. */
  isCounted?: boolean;
}

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

export async function findSurroundings(db: Queries, search: Search): Promise<Surroundings> {
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
export function wantedOf(search: Search, { granted, named }: Surroundings): string[] | null {
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
