import type { Queries } from './database.ts';
import { json, sql } from './sql.ts';
import type { DiffRevision } from './stored-diffs.ts';

/** What was decided to be said of a diff, for every language that is still to be written. */
export async function findOfflineArticles<Outline>(
  db: Queries,
  { pullRequestId, revision, version }: DiffRevision & { version: number },
): Promise<Outline | null> {
  const [row] = await db.query<{ outline: Outline }>(sql`
    SELECT outline FROM article_outlines
    WHERE pull_request_id = ${pullRequestId} AND diff_revision = ${revision} AND version = ${version}`);
  return row?.outline ?? null;
}

export async function saveOfflineArticles(
  db: Queries,
  { pullRequestId, revision, version, outline }: DiffRevision & { version: number; outline: unknown },
): Promise<void> {
  await db.query(sql`
    INSERT INTO article_outlines (pull_request_id, diff_revision, version, outline)
    VALUES (${pullRequestId}, ${revision}, ${version}, ${json(outline)})
    ON CONFLICT (pull_request_id) DO UPDATE SET
      diff_revision = excluded.diff_revision, version = excluded.version, outline = excluded.outline`);
}
