import type { Queries } from './database.ts';
import { json, sql } from './sql.ts';
import type { DiffRevision } from './stored-diffs.ts';

/** What a model wrote about this diff, and in which language. */
export async function findAiDraft<Draft>(
  db: Queries,
  { pullRequestId, revision }: DiffRevision,
): Promise<{ languageCode: string; draft: Draft } | null> {
  const [row] = await db.query<{ languageCode: string; draft: Draft }>(sql`
    SELECT language_code AS "languageCode", draft FROM ai_drafts
    WHERE pull_request_id = ${pullRequestId} AND diff_revision = ${revision}`);
  return row ?? null;
}

export async function saveAiDraft(
  db: Queries,
  { pullRequestId, revision, languageCode, draft }: DiffRevision & { languageCode: string; draft: unknown },
): Promise<void> {
  await db.query(sql`
    INSERT INTO ai_drafts (pull_request_id, diff_revision, language_code, draft)
    VALUES (${pullRequestId}, ${revision}, ${languageCode}, ${json(draft)})
    ON CONFLICT (pull_request_id) DO UPDATE SET
      diff_revision = excluded.diff_revision, language_code = excluded.language_code, draft = excluded.draft`);
}
