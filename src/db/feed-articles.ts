import type { PublishedContent } from './articles.ts';
import type { Queries } from './database.ts';
import { sql } from './sql.ts';
import { type ListViewer, visibleTo } from './visibility.ts';

/** An article in one language, as a feed tells it. */
export interface FeedArticle {
  articleId: string;
  languageCode: string;
  host: string;
  owner: string;
  repo: string;
  number: number;
  hostUrl: string | null;
  authorLogin: string;
  /** When the article was first written, in whichever language. */
  createdAt: Date;
  /** When it was last written in this one. */
  generatedAt: Date;
  content: PublishedContent;
}

/** All that is told of articles which a list has found, in its order. What the viewer may not see is left out. */
export async function findFeedArticles(
  db: Queries,
  wanted: Pick<FeedArticle, 'articleId' | 'languageCode'>[],
  viewer: ListViewer,
): Promise<FeedArticle[]> {
  const ids = wanted.map(({ articleId }) => articleId);
  const codes = wanted.map(({ languageCode }) => languageCode);
  return db.query<FeedArticle>(sql`
    SELECT articles.id AS "articleId", contents.language_code AS "languageCode", repositories.host, repositories.owner,
      repositories.name AS repo, pull_requests.number, pull_requests.host_url AS "hostUrl",
      pull_requests.author_login AS "authorLogin", articles.created_at AS "createdAt",
      contents.generated_at AS "generatedAt", contents.body AS content
    FROM unnest((SELECT ${ids}::uuid[]), (SELECT ${codes}::text[])) WITH ORDINALITY AS wanted (article_id, language_code, place)
    JOIN article_contents AS contents
      ON contents.article_id = wanted.article_id AND contents.language_code = wanted.language_code
    JOIN articles ON articles.id = contents.article_id
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN repositories ON repositories.id = pull_requests.repository_id
    WHERE ${visibleTo(viewer)} ORDER BY wanted.place`);
}
