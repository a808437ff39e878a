import type { Queries } from './database.ts';
import { sql } from './sql.ts';
import { type ListViewer, visibleTo } from './visibility.ts';

/** An article that everybody may find. */
export interface MappedArticle {
  host: string;
  owner: string;
  repo: string;
  number: number;
  updatedAt: Date;
  /** In which it is written. */
  languages: string[];
}

/** Protocol and readers take more; this is far beyond what a part is meant to have. */
const mostInPart = 5_000;

/** Those articles whose ids begin with some digits, by the index of the ids, however many there are in all. */
export async function listArticlesInPart(
  db: Queries,
  { firstDigits, viewer }: { firstDigits: string; viewer: ListViewer },
): Promise<MappedArticle[]> {
  const edge = (digit: string) => firstDigits.padEnd(32, digit);
  return db.query<MappedArticle>(sql`
    SELECT repositories.host, repositories.owner, repositories.name AS repo, pull_requests.number,
      articles.updated_at AS "updatedAt", ARRAY(
        SELECT contents.language_code FROM article_contents AS contents WHERE contents.article_id = articles.id
        ORDER BY contents.language_code) AS languages
    FROM articles JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN repositories ON repositories.id = pull_requests.repository_id
    WHERE articles.id BETWEEN ${edge('0')}::uuid AND ${edge('f')}::uuid AND ${visibleTo(viewer)}
    ORDER BY articles.id LIMIT ${mostInPart}`);
}
