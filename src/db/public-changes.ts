import type { Queries } from './database.ts';
import { sql } from './sql.ts';

/** The channel on which the database tells of changes to what public pages show. */
export const publicChannel = 'public_changed';

export async function notifyPublicChange(db: Queries, message: string): Promise<void> {
  await db.query(sql`SELECT pg_notify(${publicChannel}, ${message})`);
}
