import type { Database } from '../src/db/database.ts';
import { trusting } from './fill-likes.ts';

interface ListFilling {
  articles: number;
  repositories: number;
  users: number;
}

/** A fifth of all articles are about this repository, whose owner has a hundredth of all repositories. */
export const largest = { owner: 'owner-0', repo: 'repo-0' };

/** One article in ten is by this author, and the others by one of a thousand. */
export const busiest = 'rin';

/** One article in a hundred has this type. */
export const rarest = 'PERF';

/**
 * The data belongs to another host until the service has started, which would otherwise look for its clones and hide
 * it.
 */
const unknownHost = 'bench';

/**
 * Makes repositories and articles, two in five of which exist in two languages and some in German. One repository in
 * twenty is private and one in twenty was confirmed too long ago; the others are fresh.
 */
export async function fillLists(
  database: Database,
  { articles, repositories, users }: ListFilling,
): Promise<void> {
  await database.runScript(
    `${trusting}

    INSERT INTO identities (host, host_user_id, username, display_name, email)
    SELECT '${unknownHost}', place, 'user-' || place, 'User', 'user@example.org' FROM generate_series(1, ${users}) AS place;
    INSERT INTO users (identity_id, language, created_at, updated_at)
    SELECT id, 'en', '2024-01-01Z', '2024-01-01Z' FROM identities;
    CREATE TABLE bench_users AS SELECT id, row_number() OVER (ORDER BY id) AS place FROM users;
    CREATE UNIQUE INDEX ON bench_users (place);
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    SELECT '${unknownHost}', place, 'owner-' || place % 100, 'repo-' || place, place % 20 = 7,
      CASE WHEN place % 20 = 8 THEN '2024-01-01Z' ELSE '2100-01-01Z' END::timestamptz
    FROM generate_series(0, ${repositories} - 1) AS place;
    CREATE TABLE bench_repositories AS SELECT id, host_repo_id AS place FROM repositories;
    INSERT INTO pull_requests
      (repository_id, number, title, author_login, state, head_sha, host_created_at, merged_at, fetched_at)
    SELECT bench_repositories.id, numbers.place, 'A change',
      CASE WHEN numbers.place % 10 = 3 THEN '${busiest}' ELSE 'author-' || numbers.place % 1000 END, 'merged', repeat('a', 40), '2024-01-01Z',
      '2024-01-01Z'::timestamptz + random() * interval '700 days', '2024-01-01Z'
    FROM generate_series(1, ${articles}) AS numbers (place)
    JOIN bench_repositories ON bench_repositories.place
      = CASE WHEN numbers.place % 5 = 0 THEN 0 ELSE 1 + numbers.place % (${repositories} - 1) END;
    INSERT INTO articles (pull_request_id, repository_id, created_at, updated_at, listed_at)
    SELECT id, repository_id, moment, moment, merged_at
    FROM (
      SELECT id, repository_id, merged_at, '2024-01-01Z'::timestamptz + random() * interval '700 days' AS moment FROM pull_requests
      WHERE title = 'A change') AS changes;
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, quote, reading_minutes, body,
      head_sha, generated_at, listed_at)
    SELECT id, repository_id, language, 'An article about a change',
      CASE WHEN kind < 0.01 THEN '{${rarest}}' WHEN kind < 0.5 THEN '{FIX,TEST}' ELSE '{FEAT}' END::text[],
      '{"text":"One client could starve all the others that asked.","from":"description"}', 1,
      json_build_object('languageCode', language, 'aiGeneratedTitle', 'An article about a change',
        'standfirst', NULL, 'changeTypes', '{FIX,TEST}'::text[], 'quote', NULL, 'readingMinutes', 1,
        'counts', '{"files":0,"additions":0,"deletions":0,"commits":0,"parts":[]}'::json, 'also', '{}'::text[],
        'backgroundAndPurpose', 'Because.', 'background', '[{"id":"0123456789ab","text":"Because.","basis":"words","evidence":[]}]'::json,
        'mainChanges', '{}'::text[], 'notablePoints', '{}'::text[], 'summaryGeneratedAt', created_at,
        'headSha', repeat('a', 40), 'baseSha', '', 'writer', '{"kind":"offline"}'::json,
        'coverage', '{"filesRead":0,"filesTotal":0,"linesRead":0,"linesTotal":0,"skipped":[],"skippedTotal":0}'::json,
        'verification', '{"claims":0,"verified":0,"repaired":0,"dropped":0,"judged":0,"unjudged":0}'::json),
      repeat('a', 40), created_at, listed_at
    FROM (SELECT *, random() AS chance, random() AS kind FROM articles) AS articles
    CROSS JOIN LATERAL unnest(CASE
      WHEN chance < 0.4 THEN '{en}' WHEN chance < 0.58 THEN '{ja}' WHEN chance < 0.98 THEN '{en,ja}' ELSE '{de}'
      END::text[]) AS language;
    INSERT INTO article_totals (repository_id, language_code, articles)
    SELECT repository_id, coalesce(language_code, '*'), count(DISTINCT article_id) FROM article_contents
    GROUP BY GROUPING SETS ((repository_id, language_code), (repository_id));
    INSERT INTO article_sums (language_code, part, articles)
    SELECT language_code, get_byte(uuid_send(repository_id), 15) % 16 AS part, sum(articles) FROM article_totals
    GROUP BY language_code, part;
    UPDATE article_totals AS totals
    SET newest_at = (SELECT max(listed_at) FROM articles WHERE articles.repository_id = totals.repository_id)
    WHERE totals.language_code = '*';
    INSERT INTO article_facets
    SELECT article_id, language_code, replace(author, '${unknownHost}:', 'git:'), change_type, repository_id, listed_at
    FROM facets_as_written;
    INSERT INTO facet_totals (repository_id, author, change_type, language_code, articles)
    SELECT repository_id, author, change_type, language_code, count(*) FROM article_facets
    GROUP BY repository_id, author, change_type, language_code;
    INSERT INTO facet_sums (author, change_type, language_code, part, articles)
    SELECT author, change_type, language_code, get_byte(uuid_send(repository_id), 15) % 16 AS part, sum(articles)
    FROM facet_totals GROUP BY author, change_type, language_code, part;
    CREATE TABLE bench_articles AS
    SELECT articles.id, language_code, created_at, articles.repository_id, number,
      row_number() OVER (ORDER BY random()) AS place
    FROM articles JOIN article_contents ON article_id = articles.id
    JOIN pull_requests ON pull_requests.id = pull_request_id;
    SET session_replication_role = origin;`,
  );
}

/** Makes the data visible to a service that has started. */
export async function showLists(database: Database): Promise<void> {
  await database.runScript(
    `UPDATE repositories SET host = 'git', unreachable_since = NULL WHERE host = '${unknownHost}'`,
  );
}

/** Gives a user access to some of the private repositories, and likes of some articles. */
export async function fillViewer(database: Database, name: string, likes: number): Promise<void> {
  await database.runScript(
    `${trusting}

    INSERT INTO repository_grants (repository_id, user_id, confirmed_at)
    SELECT repositories.id, users.id, '2100-01-01Z' FROM repositories CROSS JOIN users
    JOIN identities ON identities.id = users.identity_id
    WHERE identities.username = '${name}' AND is_private AND host_repo_id % 100 = 7;
    INSERT INTO article_likes (user_id, article_id, language_code, liked_at)
    SELECT users.id, bench_articles.id, language_code, now() - place * interval '1 second'
    FROM bench_articles CROSS JOIN users JOIN identities ON identities.id = users.identity_id
    WHERE identities.username = '${name}' AND place <= ${likes};
    SET session_replication_role = origin;`,
  );
}
