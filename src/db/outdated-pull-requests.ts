import type { Queries } from './database.ts';
import { fromReserve, sql } from './sql.ts';

interface ChangedPullRequest {
  repositoryId: string;
  number: number;
  /** Whether the change may be one of what articles tell. */
  hasMoved: boolean;
  now: Date;
}

/**
 * Notes that the host told of a change to a pull request: what was fetched until now is no longer taken for the newest, also
 * what a process fetched whose clock is ahead.
 */
export async function outdatePullRequest(
  tx: Queries,
  { repositoryId, number, hasMoved, now }: ChangedPullRequest,
): Promise<void> {
  // From the reserve: to let go of what is outdated must not fail on a full disk.
  await tx.query(
    fromReserve(sql`
      UPDATE pull_requests SET fetched_at = LEAST(fetched_at, ${now}), outdated_at = GREATEST(outdated_at, ${now}),
        has_moved = ${hasMoved} OR (has_moved AND fetched_at <= outdated_at)
      WHERE repository_id = ${repositoryId} AND number = ${number}`),
  );
}
