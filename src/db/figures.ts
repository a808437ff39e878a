import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { sql } from './sql.ts';
import { isAlive, isUnheld } from './writing-jobs.ts';

/** How much of some kind is to be done. */
interface QueueFigures {
  kind: 'asked' | 'background' | 'planned';
  waiting: number;
  running: number;
  /** How long the one has waited that has waited longest. */
  oldestSeconds: number;
}

/** However much there is, no look at it takes long. */
const mostCounted = 10_000;

const noJobs = { waiting: 0, running: 0, oldestSeconds: 0 };

/** Articles to write: those that people wait for, and those that were planned. */
export async function countQueue(db: Queries, now: Date): Promise<QueueFigures[]> {
  const found = await db.query<Omit<QueueFigures, 'kind'> & Pick<Tables['writing_jobs'], 'isPlanned'>>(sql`
    SELECT is_planned, count(*) FILTER (WHERE waits) AS waiting, count(*) FILTER (WHERE NOT waits) AS running,
      coalesce(extract(epoch FROM ${now}::timestamptz - min(queued_at) FILTER (WHERE waits)), 0)::double precision
        AS "oldestSeconds"
    FROM (SELECT is_planned, queued_at, ${isUnheld} AS waits FROM writing_jobs WHERE ${isAlive}
      ORDER BY is_planned, queued_at, id LIMIT ${mostCounted}) AS jobs
    GROUP BY is_planned`);
  return ([false, true] as const).map((planned) => {
    const { waiting, running, oldestSeconds } =
      found.find(({ isPlanned }) => isPlanned === planned) ?? noJobs;
    return { kind: planned ? 'background' : 'asked', waiting, running, oldestSeconds };
  });
}

/** Articles that were planned, by imports and by watching, and are due to be asked for. */
export async function countPlanned(db: Queries, now: Date): Promise<QueueFigures> {
  const [found = noJobs] = await db.query<Omit<QueueFigures, 'kind'>>(sql`
    SELECT count(*) FILTER (WHERE waits) AS waiting, count(*) FILTER (WHERE NOT waits) AS running,
      coalesce(extract(epoch FROM ${now}::timestamptz - min(not_before) FILTER (WHERE waits)), 0)::double precision
        AS "oldestSeconds"
    FROM (SELECT not_before, ${isUnheld} AS waits FROM planned_articles
      WHERE state IN ('waiting', 'running') AND not_before <= ${now}
      ORDER BY not_before, id LIMIT ${mostCounted}) AS plans`);
  return { kind: 'planned', ...found };
}

/** Watches by why they are paused, null where they are not, and for how long the host of one is due to be asked. */
export async function countWatches(
  db: Queries,
  now: Date,
): Promise<{ pauses: { pause: string | null; count: number }[]; lagSeconds: number }> {
  const rows = await db.query<Pick<Tables['watches'], 'pause'> & { count: number; dueAt: Date | null }>(sql`
    SELECT pause, count(*) AS count, (
      SELECT due_at FROM watched_repositories WHERE claimed_until IS NULL OR claimed_until <= ${now}
      ORDER BY due_at LIMIT 1) AS "dueAt"
    FROM (SELECT pause FROM watches LIMIT ${mostCounted}) AS counted GROUP BY pause`);
  const [{ dueAt = null } = {}] = rows;
  const lagSeconds = dueAt ? Math.max(0, now.getTime() - dueAt.getTime()) / 1000 : 0;
  return { pauses: rows.map(({ pause, count }) => ({ pause, count })), lagSeconds };
}

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
  const [row] = await db.query<{ schema: number }>(sql`
    SELECT coalesce(max(number), 0) AS schema FROM schema_migrations`);
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
  const [delivery] = await db.query<{ last: Date | null }>(sql`
    SELECT max(received_at) AS last FROM webhook_deliveries`);
  const sealed = await db.query<{ version: number; tokens: number }>(sql`
    SELECT split_part(sealed, '.', 1)::int AS version, count(*) AS tokens FROM host_tokens GROUP BY 1 ORDER BY 1`);
  const queue = await countQueue(db, now);
  const asked = queue.find(({ kind }) => kind === 'asked') ?? null;
  return { lastDelivery: delivery?.last ?? null, sealed, asked };
}
