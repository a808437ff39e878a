import { retentionCutoff } from '../domain/time.ts';
import { isSessionEnded } from './accounts.ts';
import { cardsDrawnBefore } from './article-pages.ts';
import type { Queries } from './database.ts';
import { diffsReplacedBefore, unreadableNotedBefore } from './diffs.ts';
import { isAlive, isJobDue, isJobUnheld, jobQueues, jobsInTurn } from './job-queue.ts';
import { jobsFinishedBefore } from './jobs.ts';
import { isPullRequestUnused } from './pull-requests.ts';
import { listAddedClones, type StoredClone } from './repositories-added.ts';
import type { Tables } from './schema.ts';
import { Sql, sql } from './sql.ts';
import { deliveriesReceivedBefore } from './webhooks.ts';

interface QueueFigures {
  kind: 'asked' | 'background' | 'planned';
  waiting: number;
  running: number;
  oldestSeconds: number;
}

/** Counting stops here, to limit the time of each count. */
const mostCounted = 10_000;

const kinds: QueueFigures['kind'][] = ['asked', 'background', 'planned'];

export async function countQueue(db: Queries, now: Date): Promise<QueueFigures[]> {
  const bounded = (queue: Sql) => sql`(
    SELECT work, is_planned, coalesce(not_before, queued_at) AS since, ${isJobUnheld} AS waits FROM jobs
    WHERE ${queue} AND ${isAlive} AND ${isJobDue(now)} ORDER BY ${jobsInTurn} LIMIT ${mostCounted})`;
  const found = await db.query<QueueFigures>(sql`
    SELECT CASE WHEN work = 'planned' THEN 'planned' WHEN is_planned THEN 'background' ELSE 'asked' END AS kind,
      count(*) FILTER (WHERE waits) AS waiting, count(*) FILTER (WHERE NOT waits) AS running,
      coalesce(extract(epoch FROM ${now}::timestamptz - min(since) FILTER (WHERE waits)), 0)::double precision AS oldest_seconds
    FROM (${bounded(jobQueues.writing)} UNION ALL ${bounded(jobQueues.planned)}) AS jobs GROUP BY 1`);
  return kinds.map(
    (kind) => found.find((one) => one.kind === kind) ?? { kind, waiting: 0, running: 0, oldestSeconds: 0 },
  );
}

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

export interface DatabaseLook {
  major: number;
  schema: number;
  bytes: number;
  now: Date;
  isReadOnly: boolean;
  connectionsFromElsewhere: number;
}

export async function readDatabaseFigures(db: Queries): Promise<DatabaseLook> {
  const [found] = await db.query<Omit<DatabaseLook, 'schema'> & { isNew: boolean }>(sql`
    SELECT current_setting('server_version_num')::int / 10000 AS major, pg_database_size(current_database()) AS bytes,
      clock_timestamp() AS now, pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly",
      (SELECT count(*) FROM pg_stat_activity
        WHERE application_name = 'pullquote' AND datname = current_database()
          AND client_addr IS DISTINCT FROM inet_client_addr()) AS "connectionsFromElsewhere",
      to_regclass('schema_migrations') IS NULL AS "isNew"`);
  if (!found) throw new Error('The database answers with nothing.');
  const { isNew, ...look } = found;
  if (isNew) return { ...look, schema: 0 };
  return { ...look, schema: await db.count(sql`SELECT coalesce(max(number), 0) FROM schema_migrations`) };
}

export interface StoredLook {
  lastDelivery: Date | null;
  sealed: { version: number; tokens: number }[];
  asked: Pick<QueueFigures, 'waiting' | 'running' | 'oldestSeconds'> | null;
  added: StoredClone[];
}

export async function readStorageFigures(db: Queries, now: Date): Promise<StoredLook> {
  const lastDelivery = await db.value<Date>(sql`SELECT max(received_at) FROM webhook_deliveries`);
  const sealed = await db.query<{ version: number; tokens: number }>(sql`
    SELECT split_part(sealed, '.', 1)::int AS version, count(*) AS tokens FROM host_tokens GROUP BY 1 ORDER BY 1`);
  const queue = await countQueue(db, now);
  const asked = queue.find(({ kind }) => kind === 'asked') ?? null;
  return { lastDelivery, sealed, asked, added: await listAddedClones(db) };
}

interface Amount {
  rows: number;
  bytes: number;
}

export interface StoredKind extends Amount {
  kind: string;
  diskBytes: number;
  due: Amount | null;
}

interface Kind {
  kind: string;
  tables: [string, ...string[]];
  large?: string[];
  isDue?: Sql;
}

const articleTables: Kind['tables'] = ['article_contents', 'articles', 'article_totals', 'article_sums'];
const listTables = ['article_facets', 'article_search', 'facet_totals', 'facet_sums'];
const textColumns = ['files', 'unread', 'commits', 'comments', 'linked_issues', 'body'];

function kindsAt(now: Date): Kind[] {
  const before = (what: Parameters<typeof retentionCutoff>[0]) => retentionCutoff(what, now);
  const isOfUnused = sql`pull_request_id IN (
    SELECT id FROM pull_requests WHERE ${isPullRequestUnused(before('unusedPullRequests'))})`;
  const isDue = isOfUnused;
  const isReplaced = sql`${diffsReplacedBefore(before('replacedDiffs'))} OR ${isOfUnused}`;
  return [
    { kind: 'diffs', tables: ['pull_request_diffs'], large: ['compressed'], isDue: isReplaced },
    { kind: 'pull requests', tables: ['pull_request_contents', 'pull_requests'], large: textColumns, isDue },
    { kind: 'articles', tables: [...articleTables, ...listTables], large: ['body'] },
    { kind: 'answers', tables: ['answers'], large: ['body'] },
    { kind: 'offline articles', tables: ['offline_articles'], large: ['articles'], isDue },
    { kind: 'drafts of models', tables: ['ai_drafts'], large: ['draft'], isDue },
    { kind: 'notes of models', tables: ['ai_notes', 'ai_part_plans'], large: ['notes'], isDue },
    { kind: 'cards', tables: ['article_cards'], large: ['png'], isDue: cardsDrawnBefore(before('cards')) },
    { kind: 'answers of models', tables: ['ai_answers'], large: ['answer'] },
    {
      kind: 'jobs',
      tables: ['jobs', 'job_requesters'],
      isDue: jobsFinishedBefore(before('finishedJobs')),
    },
    {
      kind: 'likes and rankings',
      tables: ['article_likes', 'article_rankings', 'ranking_totals', 'ranking_sums', 'ranking_windows'],
    },
    {
      kind: 'repositories',
      tables: ['repositories', 'repository_grants', 'favorite_repositories', 'removals', 'release_changes'],
    },
    {
      kind: 'users',
      tables: ['users', 'identities', 'host_tokens', 'feed_addresses', 'digests', 'model_drafts'],
    },
    { kind: 'sessions', tables: ['sessions', 'refused_tokens'], isDue: isSessionEnded(now) },
    {
      kind: 'unreadable diffs',
      tables: ['unreadable_diffs'],
      isDue: unreadableNotedBefore(before('unreadableDiffs')),
    },
    {
      kind: 'deliveries of webhooks',
      tables: ['webhook_deliveries'],
      isDue: deliveriesReceivedBefore(before('webhookDeliveries')),
    },
    {
      kind: 'deliveries of digests',
      tables: ['digest_deliveries'],
      isDue: sql`period_end < ${before('digests')}`,
    },
    {
      kind: 'paragraphs of digests',
      tables: ['digest_paragraphs'],
      large: ['body'],
      isDue: sql`period_end < ${before('digests')}`,
    },
    { kind: 'merges for digests', tables: ['told_merges'], isDue: sql`merged_at < ${before('digests')}` },
    { kind: 'quotas and usage of models', tables: ['daily_counts', 'model_usage'] },
  ];
}

export async function measureStorage(
  db: Queries,
  now: Date,
): Promise<{ kinds: StoredKind[]; diskBytes: number }> {
  const kinds: StoredKind[] = [];
  for (const { kind, tables, large, isDue } of kindsAt(now)) {
    const sizes = large?.map((column) => `coalesce(pg_column_size(${column}), 0)`);
    const bytes = new Sql([sizes?.join(' + ') ?? `pg_column_size(${tables[0]}.*)`], []);
    const measure = async (which: Sql) =>
      (await db.first<Amount>(sql`
        SELECT count(*) AS rows, coalesce(sum(${bytes}), 0)::bigint AS bytes FROM ${new Sql([tables[0]], [])} WHERE ${which}`)) ?? {
        rows: 0,
        bytes: 0,
      };
    const diskBytes = await db.count(sql`
      SELECT sum(pg_total_relation_size(name::regclass))::bigint FROM unnest(${tables}::text[]) AS name`);
    const due = isDue ? await measure(isDue) : null;
    kinds.push({ kind, ...(await measure(sql`true`)), diskBytes, due });
  }
  return { kinds, diskBytes: await db.count(sql`SELECT pg_database_size(current_database())`) };
}

/** Claims the next round of housekeeping, so that only one process runs it. Uses the clock of the database. */
export const claimHousekeepingRound = (db: Queries, intervalMs: number) =>
  db.any(sql`
    UPDATE housekeeping SET due_at = now() + make_interval(secs => ${intervalMs / 1000}::double precision)
    WHERE due_at <= now() RETURNING 1`);
