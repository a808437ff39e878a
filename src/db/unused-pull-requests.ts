import { useNotedAfterMs } from '../domain/retention.ts';
import type { Database, Queries } from './database.ts';
import { type Sql, sql } from './sql.ts';

/** Since when a pull request has not been used; null while an article is about it, which keeps it. */
export interface Use {
  id: string;
  unusedSince: Date | null;
}

/** Notes that a pull request is being used, where no article keeps it and that was not noted just before. */
export async function noteUse(db: Queries, { id, unusedSince }: Use, now: Date): Promise<void> {
  if (!unusedSince || now.getTime() - unusedSince.getTime() < useNotedAfterMs) return;
  await db.query(
    sql`UPDATE pull_requests SET unused_since = ${now} WHERE id = ${id} AND unused_since < ${now}`,
  );
}

/** Whether a pull request has no article, was not used for long, and no job wants it or is still told of. */
export const isUnused = (before: Date): Sql => sql`
  pull_requests.unused_since < ${before}
  AND NOT EXISTS (SELECT FROM writing_jobs WHERE writing_jobs.pull_request_id = pull_requests.id)`;

/** As many as are removed in a few milliseconds. */
const mostRemoved = 5;

/**
 * Removes some of the pull requests that are unused, with everything that was made of them. Returns how many. An ingest holds
 * the row of the repository, and a request for an article that of the pull request: both are locked here, or passed over.
 */
export async function deleteUnusedPullRequests(database: Database, before: Date): Promise<number> {
  return database.transaction(async (tx) => {
    const found = await tx.query<{ id: string }>(sql`
      SELECT pull_requests.id
      FROM pull_requests JOIN repositories ON repositories.id = pull_requests.repository_id
      WHERE ${isUnused(before)} ORDER BY pull_requests.unused_since LIMIT ${mostRemoved}
      FOR UPDATE OF pull_requests SKIP LOCKED FOR NO KEY UPDATE OF repositories SKIP LOCKED`);
    if (found.length === 0) return 0;
    const ids = found.map(({ id }) => id);
    // A job may have come after they were looked at and before they were locked.
    const gone = await tx.query(
      sql`DELETE FROM pull_requests WHERE id = ANY (${ids}::uuid[]) AND ${isUnused(before)} RETURNING 1`,
    );
    return gone.length;
  });
}
