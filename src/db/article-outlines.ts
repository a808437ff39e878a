import type { Queries } from './database.ts';
import { json, sql } from './sql.ts';

/** What was decided to be said of a pull request, for every language that is still to be written. */
export async function findOutline<Outline>(
  db: Queries,
  { pullRequestId, headSha, version }: { pullRequestId: string; headSha: string; version: number },
): Promise<Outline | null> {
  const [row] = await db.query<{ outline: Outline }>(sql`
    SELECT outline FROM article_outlines
    WHERE pull_request_id = ${pullRequestId} AND head_sha = ${headSha} AND version = ${version}`);
  return row?.outline ?? null;
}

export async function saveOutline(
  db: Queries,
  {
    pullRequestId,
    headSha,
    version,
    outline,
  }: { pullRequestId: string; headSha: string; version: number; outline: unknown },
): Promise<void> {
  await db.query(sql`
    INSERT INTO article_outlines (pull_request_id, head_sha, version, outline)
    VALUES (${pullRequestId}, ${headSha}, ${version}, ${json(outline)})
    ON CONFLICT (pull_request_id) DO UPDATE SET
      head_sha = excluded.head_sha, version = excluded.version, outline = excluded.outline`);
}
