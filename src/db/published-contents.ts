import type { PublishedContent } from './articles.ts';
import type { Queries } from './database.ts';
import { sql } from './sql.ts';
import { type VisibilityViewer, visibleTo } from './visibility.ts';

interface Wanted {
  viewer: VisibilityViewer;
  /** Each article in one language. */
  articles: { articleId: string; languageCode: string }[];
}

/** By article, all that some of them say, where the viewer may see them. */
export async function findPublishedContents(
  db: Queries,
  { viewer, articles }: Wanted,
): Promise<Map<string, PublishedContent>> {
  if (articles.length === 0) return new Map();
  const rows = await db.query<{ articleId: string; content: PublishedContent }>(sql`
    SELECT contents.article_id AS "articleId", contents.body AS content
    FROM unnest(${articles.map(({ articleId }) => articleId)}::uuid[],
      ${articles.map(({ languageCode }) => languageCode)}::text[]) AS wanted (article_id, language_code)
    JOIN article_contents AS contents USING (article_id, language_code)
    JOIN repositories ON repositories.id = contents.repository_id
    WHERE ${visibleTo(viewer)}`);
  return new Map(rows.map(({ articleId, content }) => [articleId, content]));
}
