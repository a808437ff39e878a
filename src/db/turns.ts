import type { Queries } from './database.ts';
import { type Sql, sql } from './sql.ts';

/** Jobs of one kind that wait for a worker. */
interface Queue {
  table: Sql;
  waiting: Sql;
}

/**
 * The turn of a new job in a queue from which the lowest turn is claimed first: that of the job which is claimed next, or, where
 * the user has jobs in the queue, the turn after the last of them. A user with many jobs thus delays those of others by one.
 */
export const nextTurn = ({ table, waiting }: Queue, userId: string | null): Sql => sql`
  (SELECT greatest(0, (SELECT min(turn) FROM ${table} WHERE ${waiting}),
    (SELECT max(turn) + 1 FROM ${table} WHERE ${waiting} AND ${isOf(userId)})))`;

const isOf = (userId: string | null): Sql =>
  userId === null ? sql`user_id IS NULL` : sql`user_id = ${userId}`;

/** Jobs that a user has queued, without what imports have planned. Concurrent requests of one user wait for each other. */
export async function countQueued(tx: Queries, userId: string): Promise<number> {
  await tx.query(sql`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`);
  return tx.count(sql`
    SELECT (SELECT count(*) FROM writing_jobs WHERE user_id = ${userId} AND NOT is_planned AND state = 'queued')
      + (SELECT count(*) FROM added_repositories WHERE user_id = ${userId} AND state = 'queued') AS queued`);
}
