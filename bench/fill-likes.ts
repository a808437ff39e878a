import type { Database } from '../src/db/database.ts';
import { rankingPeriodNames, rankingPeriods } from '../src/domain/time.ts';

interface Filling {
  repositories: number;
  articles: number;
  /** The number of users: at least as many as the most liked article has likes. */
  users: number;
}

/** For services that show the generated data. */
export const filledHosts = { CODE_HOST: 'git,github' };

/** Skips foreign keys while a table is filled, because the rows are derived from those tables. */
export const trusting = 'SET session_replication_role = replica;';

/**
 * Makes users, public repositories and articles, seven in ten in English and the others in Japanese. The repositories
 * are fresh, so that no service asks their host about them.
 */
export async function fillArticles(
  database: Database,
  { repositories, articles, users }: Filling,
): Promise<void> {
  await database.runScript(
    `${trusting}

    INSERT INTO identities (host, host_user_id, username, display_name, email)
    SELECT 'github', place, 'user-' || place, 'User', 'user@example.org' FROM generate_series(1, ${users}) AS place;
    INSERT INTO users (identity_id, language, created_at, updated_at)
    SELECT id, 'en', '2024-01-01Z', '2024-01-01Z' FROM identities;
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    SELECT 'github', place, 'owner-' || place % 100, 'repo-' || place, false, '2100-01-01Z'
    FROM generate_series(1, ${repositories}) AS place;
    CREATE TABLE bench_repositories AS SELECT id, row_number() OVER (ORDER BY host_repo_id) - 1 AS place FROM repositories;
    CREATE TABLE bench_users AS SELECT id, row_number() OVER (ORDER BY id) AS place FROM users;
    CREATE UNIQUE INDEX ON bench_users (place);
    INSERT INTO pull_requests
      (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT bench_repositories.id, numbers.place, 'A change', 'rin', 'merged', repeat('a', 40), '2024-01-01Z', '2024-01-01Z'
    FROM generate_series(1, ${articles}) AS numbers (place)
    JOIN bench_repositories ON bench_repositories.place = numbers.place % ${repositories};
    INSERT INTO articles (pull_request_id, repository_id, created_at, updated_at, listed_at)
    SELECT id, repository_id, '2024-01-01Z'::timestamptz + random() * interval '700 days', '2026-01-01Z', host_created_at FROM pull_requests;
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, quote, reading_minutes,
      body, head_sha, generated_at, listed_at)
    SELECT id, repository_id, CASE WHEN random() < 0.7 THEN 'en' ELSE 'ja' END, 'An article about a change', '{FIX,TEST}',
      '{"text":"One client could starve all the others that asked.","from":"description"}', 1,
      json_build_object('backgroundAndPurpose', repeat('Because. ', 60)), repeat('a', 40), created_at, listed_at
    FROM articles;
    CREATE TABLE bench_articles AS
    SELECT articles.id, language_code, created_at, articles.repository_id, number, row_number() OVER (ORDER BY random()) AS place
    FROM articles JOIN article_contents ON article_id = articles.id
    JOIN pull_requests ON pull_requests.id = pull_request_id;
    SET session_replication_role = origin;`,
  );
}

const likeIndexes = `
  ALTER TABLE article_likes ADD PRIMARY KEY (id);
  ALTER TABLE article_likes ADD UNIQUE (article_id, language_code, user_id);
  CREATE INDEX article_likes_of_user ON article_likes (user_id, liked_at DESC, id);
  CREATE INDEX article_likes_by_time ON article_likes (liked_at);`;

const dropLikeIndexes = `
  ALTER TABLE article_likes DROP CONSTRAINT article_likes_pkey;
  ALTER TABLE article_likes DROP CONSTRAINT article_likes_article_id_language_code_user_id_key;
  DROP INDEX article_likes_of_user;
  DROP INDEX article_likes_by_time;`;

/**
 * Replaces all likes by about this many over two years, more of them recent, with a few articles that have very many,
 * and all counters as the service would have them. Returns the number of likes.
 */
export async function fillLikes(database: Database, likes: number, now: Date): Promise<number> {
  const at = `'${now.toISOString()}'::timestamptz`;
  // The share of article i falls with the square root of i; likes that are left are distributed at random.
  await database.runScript(
    `${trusting}

    TRUNCATE article_likes, article_rankings, ranking_totals, ranking_sums;
    ${dropLikeIndexes}
    INSERT INTO article_likes (user_id, article_id, language_code, liked_at)
    SELECT bench_users.id, liked.id, liked.language_code, ${at} - random() ^ 2 * interval '730 days'
    FROM (
      SELECT id, language_code, floor(share + random())::integer AS likes
      FROM (
        SELECT bench_articles.*, ${likes} * (1 / sqrt(place)) / sum(1 / sqrt(place)) OVER () AS share
        FROM bench_articles) AS shared) AS liked
    JOIN bench_users ON bench_users.place <= liked.likes;
    SET maintenance_work_mem = '512MB';
    ${likeIndexes}
    RESET maintenance_work_mem;`,
  );
  for (const period of rankingPeriodNames) {
    const length = rankingPeriods[period];
    const from = length === null ? `'-infinity'` : `${at} - interval '${length} milliseconds'`;
    await database.runScript(
      `${trusting}

      UPDATE ranking_windows SET counted_from = ${from}, as_of = ${at} WHERE period = '${period}';
      INSERT INTO article_rankings (article_id, language_code, period, repository_id, pull_request_number, like_count,
        written_at)
      SELECT id, bench_articles.language_code, '${period}', repository_id, number, counted.likes, created_at
      FROM bench_articles JOIN (
        SELECT article_id, count(*) AS likes FROM article_likes WHERE liked_at > ${from} GROUP BY article_id
      ) AS counted ON counted.article_id = bench_articles.id;`,
    );
  }
  await database.runScript(
    `
    INSERT INTO ranking_totals (repository_id, language_code, period, articles)
    SELECT repository_id, language_code, period, count(*) FROM article_rankings
    GROUP BY repository_id, language_code, period;
    INSERT INTO ranking_sums (language_code, part, period, articles)
    SELECT language_code, get_byte(uuid_send(repository_id), 15) % 16 AS part, period, count(*) FROM article_rankings
    GROUP BY language_code, part, period;
    UPDATE article_contents SET like_count = counted.like_count FROM article_rankings AS counted
    WHERE counted.article_id = article_contents.article_id AND counted.period = 'all';
    SET session_replication_role = origin;`,
  );
  // Vacuums as autovacuum would do in a longer run.
  for (const table of ['article_likes', 'article_rankings', 'ranking_totals', 'article_contents', 'articles'])
    await database.runScript(`VACUUM ANALYZE ${table}`);
  await database.runScript('ANALYZE');
  const [counted] = await database.runScript('SELECT count(*)::integer AS likes FROM article_likes');
  return typeof counted === 'object' && counted && 'likes' in counted ? Number(counted.likes) : 0;
}
