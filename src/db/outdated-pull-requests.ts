import type { Queries } from './database.ts';
import { fromReserve, sql } from './sql.ts';

interface ChangedPullRequest {
  host: string;
  hostRepoId: number;
  number: number;
  /** Whether the change may be one of what articles tell. */
  hasMoved: boolean;
  now: Date;
}

/** Whether a pull request is stored. */
export async function isStored(
  db: Queries,
  { host, hostRepoId, number }: Pick<ChangedPullRequest, 'host' | 'hostRepoId' | 'number'>,
): Promise<boolean> {
  const rows = await db.query(sql`
    SELECT 1 FROM pull_requests JOIN repositories ON repositories.id = pull_requests.repository_id
    WHERE repositories.host = ${host} AND repositories.host_repo_id = ${hostRepoId}
      AND pull_requests.number = ${number}`);
  return rows.length > 0;
}

/**
 * Notes that the host told of a change to a pull request: what was fetched until now is no longer taken for the newest, also
 * what a process fetched whose clock is ahead.
 */
export async function outdatePullRequest(
  tx: Queries,
  { host, hostRepoId, number, hasMoved, now }: ChangedPullRequest,
): Promise<void> {
  // From the reserve: to let go of what is outdated must not fail on a full disk.
  await tx.query(
    fromReserve(sql`
      UPDATE pull_requests SET fetched_at = LEAST(fetched_at, ${now}), outdated_at = GREATEST(outdated_at, ${now}),
        has_moved = ${hasMoved} OR (has_moved AND fetched_at <= outdated_at)
      FROM repositories
      WHERE repositories.id = pull_requests.repository_id AND repositories.host = ${host}
        AND repositories.host_repo_id = ${hostRepoId} AND pull_requests.number = ${number}`),
  );
}
