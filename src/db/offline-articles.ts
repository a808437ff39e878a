import type { Queries } from './database.ts';
import { json, sql } from './sql.ts';
import type { DiffRevision } from './stored-diffs.ts';
import { withoutSync } from './writing-jobs.ts';

/** What was written about a diff without a model, in every language, so that the next one asked for is there. */
export async function findOfflineArticles<Written>(
  db: Queries,
  { pullRequestId, revision, version }: DiffRevision & { version: number },
): Promise<Written | null> {
  const [row] = await db.query<{ written: Written }>(sql`
    SELECT articles AS written FROM offline_articles
    WHERE pull_request_id = ${pullRequestId} AND diff_revision = ${revision} AND version = ${version}`);
  return row?.written ?? null;
}

export async function saveOfflineArticles(
  db: Queries,
  { pullRequestId, revision, version, written }: DiffRevision & { version: number; written: unknown },
): Promise<void> {
  await db.query(sql`
    INSERT INTO offline_articles (pull_request_id, diff_revision, version, articles)
    VALUES (${pullRequestId}, ${revision}, ${version}, ${json(written)})
    ON CONFLICT (pull_request_id) DO UPDATE SET
      diff_revision = excluded.diff_revision, version = excluded.version, articles = excluded.articles
    RETURNING ${withoutSync}`);
}
