import type { PublishedContent } from '../../src/db/articles.ts';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { indexedWords } from '../../src/domain/search/indexed-words.ts';
import { type Section, sectionsOf } from '../../src/domain/search/sections.ts';
import { fill, trusting } from '../fill-likes.ts';
import type { RealArticle } from './corpus.ts';

export interface SearchFilling {
  articles: number;
  /** Of how many repositories; one in twenty is as large as all others. */
  repositories: number;
  /** Of ten, so many are private. */
  hiddenOfTen: number;
}

const atOnce = 500;

interface Sentences {
  articles: { kept: PublishedContent; sections: Section[] }[];
  byKind: Map<Section['kind'], Section[]>;
}

function sentencesIn(articles: RealArticle[], language: string): Sentences {
  const read = articles.flatMap(({ contents: { [language]: kept } }) =>
    kept ? [{ kept, sections: sectionsOf(kept) }] : [],
  );
  return {
    articles: read,
    byKind: Map.groupBy(
      read.flatMap(({ sections }) => sections),
      ({ kind }) => kind,
    ),
  };
}

/** Made of the sentences of real articles, each with a name that no other has. */
function mixed({ articles, byKind }: Sentences, place: number, random: () => number) {
  const any = <One>(of: One[]): One => of[Math.floor(random() * of.length)] as One;
  const { kept, sections: those } = any(articles);
  const sections = those.map(({ kind }) => any(byKind.get(kind) ?? []));
  const own: Section = { kind: 'change', text: `Only this one names \`uniqueName${place}\`.`, number: 1 };
  return { kept, sections: [...sections, own] };
}

/** As many articles as are asked for, alternately in English and Japanese, the newest last. */
export async function fillSearch(
  database: Database,
  articles: RealArticle[],
  { articles: count, repositories, hiddenOfTen }: SearchFilling,
  random: () => number,
): Promise<void> {
  await fill(
    database,
    `${trusting}

    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    SELECT 'bench', place, 'owner-' || place % 100, 'repo-' || place, place % 10 < ${hiddenOfTen}, '2100-01-01Z'
    FROM generate_series(0, ${repositories} - 1) AS place;
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT repositories.id, numbers.place, 'A change', 'author-' || numbers.place % 1000, 'merged', repeat('a', 40), '2024-01-01Z',
      '2024-01-01Z'
    FROM generate_series(1, ${count}) AS numbers (place)
    JOIN repositories ON host_repo_id = numbers.place % ${repositories};
    INSERT INTO articles (pull_request_id, repository_id, created_at, updated_at)
    SELECT id, repository_id, moment, moment FROM (
      SELECT id, repository_id, '2024-01-01Z'::timestamptz + number * interval '1 second' AS moment FROM pull_requests) AS changes;
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, reading_minutes, body, head_sha,
      generated_at)
    SELECT articles.id, articles.repository_id, CASE number % 2 WHEN 0 THEN 'en' ELSE 'ja' END, 'An article about a change', '{FIX,TEST}', 1,
      '{}', repeat('a', 40), created_at
    FROM articles JOIN pull_requests ON pull_requests.id = pull_request_id;
    DROP INDEX article_search_words;
    CREATE TABLE bench_articles AS
    SELECT articles.id, articles.repository_id, number, CASE number % 2 WHEN 0 THEN 'en' ELSE 'ja' END AS language_code
    FROM articles JOIN pull_requests ON pull_requests.id = pull_request_id;
    CREATE UNIQUE INDEX ON bench_articles (number)`,
  );
  const sentences = { en: sentencesIn(articles, 'en'), ja: sentencesIn(articles, 'ja') };
  for (let from = 1; from <= count; from += atOnce) {
    const made = Array.from({ length: Math.min(atOnce, count - from + 1) }, (_, index) => {
      const number = from + index;
      const languageCode = number % 2 === 0 ? 'en' : 'ja';
      const { kept, sections } = mixed(sentences[languageCode], number, random);
      const repository = number % repositories;
      const about = {
        host: 'git',
        owner: `owner-${repository % 100}`,
        name: `repo-${repository}`,
        number,
        authorLogin: `author-${number % 1000}`,
      };
      return {
        number,
        sections: JSON.stringify(sections),
        ...indexedWords({ languageCode, changeTypes: kept.changeTypes, sections, about }),
      };
    });
    await database.query(sql`
      INSERT INTO article_search (article_id, language_code, repository_id, place, is_public, head, words, sections)
      SELECT articles.id, articles.language_code, articles.repository_id, made.number, NOT repositories.is_private, made.head::tsvector,
        made.words::tsvector || array_to_tsvector(ARRAY(SELECT '=s' || bits || '.' || (made.number >> bits) FROM unnest('{11,13,15,17,19}'::integer[]) AS bits)
          || ('=r' || repositories.id) || CASE WHEN is_private THEN '{}' ELSE '{=pub}'::text[] END), made.sections::json
      FROM unnest(${made.map(({ number }) => number)}::bigint[], ${made.map(({ head }) => head)}::text[], ${made.map(({ words }) => words)}::text[],
        ${made.map(({ sections }) => sections)}::text[]) AS made (number, head, words, sections)
      JOIN bench_articles AS articles ON articles.number = made.number
      JOIN repositories ON repositories.id = articles.repository_id`);
  }
  await fill(
    database,
    `SELECT setval('article_search_places', ${count});
    CREATE INDEX article_search_words ON article_search USING gin (words) WITH (gin_pending_list_limit = 256)
      WHERE words IS NOT NULL;
    SET session_replication_role = origin`,
  );
}
