import type { Queries } from './database.ts';
import { countQueue, type QueueFigures } from './figures.ts';
import { sql } from './sql.ts';

/** What an operator wants to know of a database, of whichever schema it is. */
export interface DatabaseLook {
  major: number;
  /** The newest migration that it has seen; 0 where it has seen none. */
  schema: number;
  bytes: number;
  now: Date;
  isReadOnly: boolean;
  /** Connections of this program from other machines. */
  connectionsFromElsewhere: number;
}

export async function lookAtDatabase(db: Queries): Promise<DatabaseLook> {
  const [found] = await db.query<Omit<DatabaseLook, 'schema'> & { isNew: boolean }>(sql`
    SELECT current_setting('server_version_num')::int / 10000 AS major,
      pg_database_size(current_database()) AS bytes, clock_timestamp() AS now,
      pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly",
      (SELECT count(*) FROM pg_stat_activity
        WHERE application_name = 'pullquote' AND datname = current_database()
          AND client_addr IS DISTINCT FROM inet_client_addr()) AS "connectionsFromElsewhere",
      to_regclass('schema_migrations') IS NULL AS "isNew"`);
  if (!found) throw new Error('The database answers with nothing.');
  const { isNew, ...look } = found;
  if (isNew) return { ...look, schema: 0 };
  const [row] = await db.query<{ schema: number }>(
    sql`SELECT coalesce(max(number), 0) AS schema FROM schema_migrations`,
  );
  return { ...look, schema: row?.schema ?? 0 };
}

/** What of the present schema an operator wants to know. */
export interface StoredLook {
  lastDelivery: Date | null;
  /** How many saved tokens each version of a key has sealed. */
  sealed: { version: number; tokens: number }[];
  /** Articles that people wait for. */
  asked: Pick<QueueFigures, 'waiting' | 'running' | 'oldestSeconds'> | null;
}

export async function lookAtStored(db: Queries, now: Date): Promise<StoredLook> {
  const [delivery] = await db.query<{ last: Date | null }>(
    sql`SELECT max(received_at) AS last FROM webhook_deliveries`,
  );
  const sealed = await db.query<{ version: number; tokens: number }>(sql`
    SELECT split_part(sealed, '.', 1)::int AS version, count(*) AS tokens FROM host_tokens GROUP BY 1 ORDER BY 1`);
  const queue = await countQueue(db, now);
  const asked = queue.find(({ kind }) => kind === 'asked') ?? null;
  return { lastDelivery: delivery?.last ?? null, sealed, asked };
}
