import type { Queries } from './database.ts';
import { sql } from './sql.ts';

/** Whether the queue has made its own tables, beside ours. */
export async function hasQueueTables(db: Queries): Promise<boolean> {
  const [found] = await db.query<{ is: boolean }>(
    sql`SELECT to_regclass('pgboss.version') IS NOT NULL AS is`,
  );
  return found?.is === true;
}
