import { sql } from '../src/db/sql.ts';
import type { TestApp } from './build-app.ts';
import { makeArticles } from './make-articles.ts';

interface Wanted {
  fullName: string;
  count: number;
  mergedAt: Date;
  languages?: string[];
  author?: string;
}

/** Makes articles about pull requests merged at a given time, later ones with more changed lines; returns their ids. */
export async function makeMergedArticles(
  app: Pick<TestApp, 'database'>,
  { mergedAt, ...wanted }: Wanted,
): Promise<string[]> {
  const ids = await makeArticles(app, wanted);
  await app.database.query(sql`
    WITH merged AS (
      UPDATE pull_requests SET merged_at = ${mergedAt} FROM articles
      WHERE articles.pull_request_id = pull_requests.id AND articles.id = ANY(${ids}::uuid[])
      RETURNING pull_requests.id, number)
    INSERT INTO pull_request_contents (pull_request_id, labels, base_ref, head_ref, additions, deletions, files, unread,
      outlines, commits, comments, linked_issues)
    SELECT id, '[]', 'main', 'topic', number, 1, '[]', '[]', '[]', '[]', '[]', '[]' FROM merged`);
  return ids;
}
