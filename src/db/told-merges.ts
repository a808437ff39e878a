import type { MergedPullRequest } from '../domain/watching.ts';
import type { Queries } from './database.ts';
import { sql } from './sql.ts';

/** Notes what a host has told to be merged in a repository, wanted or not. Each is noted once, however often it is told. */
export async function noteMerges(
  tx: Queries,
  repositoryId: string,
  merged: Iterable<MergedPullRequest>,
): Promise<void> {
  const byNumber = new Map([...merged].map((one) => [one.number, one]));
  // In one order, so that of two that note the same neither waits for the other.
  const noted = [...byNumber.values()].sort((one, other) => one.number - other.number);
  if (noted.length === 0) return;
  await tx.query(sql`
    INSERT INTO told_merges (repository_id, pr_number, merged_at, is_bot, is_draft)
    SELECT ${repositoryId}::uuid, * FROM unnest(${noted.map(({ number }) => number)}::bigint[],
      ${noted.map(({ mergedAt }) => mergedAt.toISOString())}::timestamptz[],
      ${noted.map(({ isBot }) => isBot)}::boolean[], ${noted.map(({ isDraft }) => isDraft)}::boolean[])
    ON CONFLICT DO NOTHING`);
}

/** Removes what was merged so long ago that no digest is made of it any more. */
export async function deleteOldMerges(db: Queries, before: Date): Promise<void> {
  await db.query(sql`DELETE FROM told_merges WHERE merged_at < ${before}`);
}
