import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import {
  addSection,
  indexedWords,
  type Section,
  sectionsOf,
  stretchBits,
  vectorOf,
} from '../../src/domain/search/indexed-words.ts';
import type { Places } from '../../src/domain/search/words.ts';
import { trusting } from '../fill-likes.ts';
import type { RealArticle } from './corpus.ts';

interface SearchFilling {
  articles: number;
  repositories: number;
  /** This many of ten articles are private. */
  hiddenOfTen: number;
  seed: number;
}

/** Sentences are as far apart as in articles that are stored one by one. */
const gap = 10;

/** The index words of a sentence, from which the database composes those of articles. */
function wordsOfSection(section: Section): string {
  const words: Places = new Map();
  addSection(words, section, gap);
  return vectorOf(words);
}

/** A placeholder for the number of each article in text that is made once for all of them. */
const stand = { number: 777_000_111, repository: 777_000_222, owner: 777_000_333, author: 777_000_444 };

/** The index words of an article beside its sentences, with a unique name. */
function ownSection(): Section {
  return { kind: 'change', text: `Only this one names \`uniqueName${stand.number}\`.`, number: 1 };
}

function ownWords(languageCode: string): string {
  const about = {
    host: 'git',
    owner: `owner-${stand.owner}`,
    name: `repo-${stand.repository}`,
    number: stand.number,
    authorLogin: `author-${stand.author}`,
  };
  return indexedWords({ languageCode, changeTypes: [], sections: [ownSection()], about });
}

/** Stores the sentences of real articles by kind and language, and the kinds of sentences of each article. */
async function storeSentences(database: Database, articles: RealArticle[]): Promise<void> {
  await database.runScript(`
    CREATE TABLE bench_sentences (id integer PRIMARY KEY, words tsvector, section text);
    CREATE TABLE bench_shapes (language_code text, place integer, types text[], firsts integer[], counts integer[], own text,
      PRIMARY KEY (language_code, place));
    CREATE AGGREGATE bench_concat(tsvector) (SFUNC = tsvector_concat, STYPE = tsvector, INITCOND = '')`);
  let next = 0;
  for (const languageCode of ['en', 'ja']) {
    const read = articles.flatMap(({ contents: { [languageCode]: kept } }) =>
      kept ? [{ types: kept.changeTypes, sections: sectionsOf(kept) }] : [],
    );
    const byKind = Map.groupBy(
      read.flatMap(({ sections }) => sections),
      ({ kind }) => kind,
    );
    const ranges = new Map<Section['kind'], { first: number; count: number }>();
    for (const [kind, sections] of byKind) {
      ranges.set(kind, { first: next, count: sections.length });
      await database.query(sql`
        INSERT INTO bench_sentences
        SELECT ${next}::integer + place::integer - 1, words::tsvector, section
        FROM unnest(${sections.map(wordsOfSection)}::text[],
          ${sections.map((section) => JSON.stringify(section))}::text[]) WITH ORDINALITY AS told (words, section, place)`);
      next += sections.length;
    }
    const own = ownWords(languageCode);
    for (const [place, { types, sections }] of read.entries()) {
      const kinds = sections.map(({ kind }) => ranges.get(kind) ?? { first: 0, count: 1 });
      await database.query(sql`
        INSERT INTO bench_shapes VALUES (${languageCode}, ${place}, ${types.map((type) => `=t${type}`)},
          ${kinds.map(({ first }) => first)}::integer[], ${kinds.map(({ count }) => count)}::integer[], ${own})`);
    }
  }
}

/** Generates articles from the sentences of real ones, alternately in English and Japanese, newest last. */
export async function fillSearch(
  database: Database,
  articles: RealArticle[],
  { articles: count, repositories, hiddenOfTen, seed }: SearchFilling,
): Promise<void> {
  await storeSentences(database, articles);
  const chance = (turn: string, among: string): string =>
    `((hashint8extended(number * 1000 + ${turn}, ${seed}) & 2147483647) % ${among})::integer`;
  await database.runScript(
    `${trusting}

    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    SELECT 'bench', place, 'owner-' || place % 100, 'repo-' || place, place % 10 < ${hiddenOfTen}, '2100-01-01Z'
    FROM generate_series(0, ${repositories} - 1) AS place;
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT repositories.id, numbers.place, 'A change', 'author-' || numbers.place % 1000, 'merged', repeat('a', 40), '2024-01-01Z',
      '2024-01-01Z'
    FROM generate_series(1, ${count}) AS numbers (place)
    JOIN repositories ON host_repo_id = numbers.place % ${repositories};
    INSERT INTO articles (pull_request_id, repository_id, created_at, updated_at, listed_at)
    SELECT id, repository_id, moment, moment, moment FROM (
      SELECT id, repository_id, '2024-01-01Z'::timestamptz + number * interval '1 second' AS moment FROM pull_requests) AS changes;
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, reading_minutes, body, head_sha,
      generated_at, listed_at)
    SELECT articles.id, articles.repository_id, CASE number % 2 WHEN 0 THEN 'en' ELSE 'ja' END, 'An article about a change', '{FIX,TEST}', 1,
      '{}', repeat('a', 40), created_at, listed_at
    FROM articles JOIN pull_requests ON pull_requests.id = pull_request_id;
    DROP INDEX article_search_words;
    CREATE TABLE bench_articles AS
    SELECT articles.id, articles.repository_id, number, CASE number % 2 WHEN 0 THEN 'en' ELSE 'ja' END AS language_code,
      ${chance('0', '(SELECT count(*) FROM bench_shapes) / 2')} AS shape, is_private, host_repo_id, listed_at
    FROM articles JOIN pull_requests ON pull_requests.id = pull_request_id JOIN repositories ON repositories.id = articles.repository_id
    ORDER BY number;
    INSERT INTO article_search (article_id, language_code, repository_id, place, is_public, listed_at, words, sections)
    SELECT articles.id, articles.language_code, articles.repository_id, articles.number, NOT is_private, listed_at,
      replace(replace(replace(replace(shapes.own, '${stand.number}', articles.number::text), '${stand.repository}', host_repo_id::text),
        '${stand.owner}', (host_repo_id % 100)::text), '${stand.author}', (articles.number % 1000)::text)::tsvector
      || made.words || array_to_tsvector(
        ARRAY(SELECT '=s' || bits || '.' || (articles.number >> bits) FROM unnest('{${stretchBits}}'::integer[]) AS bits)
        || shapes.types || ('=r' || articles.repository_id) || CASE WHEN is_private THEN '{}' ELSE '{=pub}'::text[] END),
      ('[' || made.sections || ',' || replace('${JSON.stringify(ownSection())}', '${stand.number}', articles.number::text) || ']')::json
    FROM bench_articles AS articles
    JOIN bench_shapes AS shapes ON shapes.language_code = articles.language_code AND shapes.place = articles.shape
    CROSS JOIN LATERAL (
      SELECT bench_concat(words) AS words, string_agg(section, ',') AS sections
      FROM (
        SELECT sentences.* FROM unnest(shapes.firsts, shapes.counts) WITH ORDINALITY AS wanted (first, count, turn)
        JOIN bench_sentences AS sentences ON sentences.id = wanted.first + ${chance('wanted.turn', 'wanted.count')}
        ORDER BY wanted.turn) AS told) AS made;
    SELECT setval('article_search_places', ${count});
    SET maintenance_work_mem = '768MB';
    CREATE INDEX article_search_words ON article_search USING gin (words) WITH (gin_pending_list_limit = 256)
      WHERE words IS NOT NULL;
    RESET maintenance_work_mem;
    SET session_replication_role = origin`,
  );
}
