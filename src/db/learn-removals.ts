import type { Database, Queries } from './database.ts';
import { findRemoval, learnId, type Removal, type SeenRepository } from './removals.ts';
import { deletePullRequests } from './removed-pull-requests.ts';
import { sql } from './sql.ts';

/**
 * What was removed by the name that a host gives a repository is known by its id from then on, so that further names do not
 * bring it back. What is stored of it, under whichever name, is hidden or goes in the same transaction.
 */
export async function learnRemovals(tx: Queries, seen: SeenRepository, now: Date): Promise<void> {
  if (!(await findRemoval(tx, seen)).isByName) return;
  const { host, hostRepoId } = seen;
  const [stored] = await tx.query<{ id: string }>(
    sql`SELECT id FROM repositories WHERE host = ${host} AND host_repo_id = ${hostRepoId} FOR NO KEY UPDATE`,
  );
  const learned = await learnId(tx, seen);
  if (!stored || learned.length === 0) return;
  const isWhole = learned.includes(null);
  const removed = sql`repository_id = ${stored.id} AND (${isWhole} OR number = ANY(${learned}::bigint[]))`;
  await tx.query(sql`DELETE FROM unreadable_diffs WHERE ${removed}`);
  if (isWhole) {
    await tx.query(sql`UPDATE repositories SET is_removed = true WHERE id = ${stored.id} AND NOT is_removed`);
    return;
  }
  const gone = await tx.query<{ id: string }>(sql`SELECT id FROM pull_requests WHERE ${removed}`);
  await deletePullRequests(
    tx,
    gone.map(({ id }) => id),
    now,
  );
}

/** What was removed of a repository that a host has shown, which is known by its id afterwards. */
export async function findLearnedRemoval(
  database: Database,
  seen: SeenRepository,
  now: Date,
): Promise<Removal> {
  const removal = await findRemoval(database, seen);
  if (removal.isByName) await database.transaction((tx) => learnRemovals(tx, seen, now));
  return removal;
}
