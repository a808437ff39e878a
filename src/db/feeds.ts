import type { PublishedContent } from './articles.ts';
import type { Queries } from './database.ts';
import type { RepositoryName } from './repositories.ts';
import type { Tables } from './schema.ts';
import { sql } from './sql.ts';
import { findSignedUp } from './users.ts';
import { type ListViewer, visibleTo } from './visibility.ts';

export const saveFeedAddress = (
  db: Queries,
  { userId, secretHash, now }: { userId: string; secretHash: string; now: Date },
) =>
  db.run(sql`
    INSERT INTO feed_addresses (user_id, secret_hash, created_at) VALUES (${userId}, ${secretHash}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET secret_hash = excluded.secret_hash, created_at = excluded.created_at`);

export const findFeedAddress = (db: Queries, userId: string): Promise<{ createdAt: Date } | null> =>
  db.first<Pick<Tables['feed_addresses'], 'createdAt'>>(sql`
    SELECT created_at FROM feed_addresses WHERE user_id = ${userId}`);

export const findFeedReader = (db: Queries, secretHash: string) =>
  findSignedUp(
    db,
    sql`feed_addresses JOIN users ON users.id = feed_addresses.user_id
      JOIN identities ON identities.id = users.identity_id WHERE feed_addresses.secret_hash = ${secretHash}`,
  );

export const deleteFeedAddress = (db: Queries, userId: string) =>
  db.run(sql`DELETE FROM feed_addresses WHERE user_id = ${userId}`);

export interface FeedArticle
  extends RepositoryName,
    Pick<Tables['pull_requests'], 'number' | 'hostUrl' | 'title' | 'authorLogin'>,
    Pick<Tables['articles'], 'createdAt'>,
    Pick<Tables['article_contents'], 'articleId' | 'languageCode' | 'generatedAt'> {
  content: PublishedContent;
}

/** In the given order, without those that the viewer may not see. */
export async function findFeedArticles(
  db: Queries,
  wanted: Pick<FeedArticle, 'articleId' | 'languageCode'>[],
  viewer: ListViewer,
): Promise<FeedArticle[]> {
  const ids = wanted.map(({ articleId }) => articleId);
  const codes = wanted.map(({ languageCode }) => languageCode);
  return db.query<FeedArticle>(sql`
    SELECT articles.id AS "articleId", contents.language_code, repositories.host, repositories.owner,
      repositories.name AS repo, pull_requests.number, pull_requests.host_url, pull_requests.title, pull_requests.author_login,
      articles.created_at, contents.generated_at, contents.body AS content
    FROM unnest((SELECT ${ids}::uuid[]), (SELECT ${codes}::text[])) WITH ORDINALITY AS wanted (article_id, language_code, place)
    JOIN article_contents AS contents
      ON contents.article_id = wanted.article_id AND contents.language_code = wanted.language_code
    JOIN articles ON articles.id = contents.article_id
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN repositories ON repositories.id = pull_requests.repository_id
    WHERE ${visibleTo(viewer)} ORDER BY wanted.place`);
}

interface MappedArticle
  extends RepositoryName,
    Pick<Tables['pull_requests'], 'number'>,
    Pick<Tables['articles'], 'updatedAt'> {
  languages: string[];
}

/** Far more than a part should have. */
const mostInPart = 5_000;

/** Articles whose ids begin with some digits, by the index of ids. */
export async function listArticlesInPart(
  db: Queries,
  { firstDigits, viewer }: { firstDigits: string; viewer: ListViewer },
): Promise<MappedArticle[]> {
  const edge = (digit: string) => firstDigits.padEnd(32, digit);
  return db.query<MappedArticle>(sql`
    SELECT repositories.host, repositories.owner, repositories.name AS repo, pull_requests.number,
      articles.updated_at, ARRAY(
        SELECT contents.language_code FROM article_contents AS contents WHERE contents.article_id = articles.id
        ORDER BY contents.language_code) AS languages
    FROM articles JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN repositories ON repositories.id = pull_requests.repository_id
    WHERE articles.id BETWEEN ${edge('0')}::uuid AND ${edge('f')}::uuid AND ${visibleTo(viewer)}
    ORDER BY articles.id LIMIT ${mostInPart}`);
}
