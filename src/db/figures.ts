import type { Queries } from './database.ts';
import { sql } from './sql.ts';
import { isAlive, isUnheld } from './writing-jobs.ts';

/** How much of some kind is to be done. */
export interface QueueFigures {
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
  const found = await db.query<Omit<QueueFigures, 'kind'> & { isPlanned: boolean }>(sql`
    SELECT is_planned AS "isPlanned", count(*) FILTER (WHERE waits) AS waiting, count(*) FILTER (WHERE NOT waits) AS running,
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
  const rows = await db.query<{ pause: string | null; count: number; dueAt: Date | null }>(sql`
    SELECT pause, count(*) AS count, (
      SELECT due_at FROM watched_repositories WHERE claimed_until IS NULL OR claimed_until <= ${now}
      ORDER BY due_at LIMIT 1) AS "dueAt"
    FROM (SELECT pause FROM watches LIMIT ${mostCounted}) AS counted GROUP BY pause`);
  const [{ dueAt = null } = {}] = rows;
  const lagSeconds = dueAt ? Math.max(0, now.getTime() - dueAt.getTime()) / 1000 : 0;
  return { pauses: rows.map(({ pause, count }) => ({ pause, count })), lagSeconds };
}
