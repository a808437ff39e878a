import type { Queries } from './connect.ts';
import { sql } from './sql.ts';

/** Settles when the database has answered something. */
export async function answers(db: Queries): Promise<void> {
  await db.query(sql`SELECT 1`);
}
