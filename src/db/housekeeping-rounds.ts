import type { Queries } from './database.ts';
import { sql } from './sql.ts';

/** Takes the next round of housekeeping; of any number of processes that try, one gets it. By the clock of the database. */
export async function claimHousekeeping(db: Queries, intervalMs: number): Promise<boolean> {
  const rows = await db.query(
    sql`
      UPDATE housekeeping SET due_at = now() + make_interval(secs => ${intervalMs / 1000}::double precision)
      WHERE due_at <= now() RETURNING 1`,
  );
  return rows.length > 0;
}
