import type { ArticleContent } from '../contract/article.ts';
import { type Indexed, indexedWords, inPublic, stretchBits } from '../domain/search/indexed-words.ts';
import { sectionsOf } from '../domain/search/sections.ts';
import { visibleText } from '../reading/description/visible-text.ts';
import type { Database, Queries } from './database.ts';
import { jsonText, type Sql, sql } from './sql.ts';
import { type ListViewer, visibleTo } from './visibility.ts';

/** What an article in one language is found by is made of. */
export interface IndexedArticle {
  articleId: string;
  repositoryId: string;
  content: Omit<ArticleContent, 'likeCount' | 'stale'>;
  about: Indexed['about'] & { description: string | null };
}

/** As much of a description as the page of an article shows. */
const longestDescription = 8_000;

/** What is known about an article beside what it says, from `repositories` and `pull_requests`. */
export const indexedAbout = sql`
  json_build_object('host', repositories.host, 'owner', repositories.owner, 'name', repositories.name,
    'number', pull_requests.number, 'authorLogin', pull_requests.author_login, 'description', (
      SELECT left(texts.body, ${longestDescription}) FROM pull_request_contents AS texts
      WHERE texts.pull_request_id = pull_requests.id))`;

function wordsOf({ content, about }: Pick<IndexedArticle, 'content' | 'about'>) {
  const { languageCode, changeTypes } = content;
  const sections = sectionsOf(content, about.description === null ? null : visibleText(about.description));
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

interface DueRow extends Omit<IndexedArticle, 'repositoryId'> {
  languageCode: string;
}

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
