import { retentionCutoff } from '../domain/time.ts';
import { drawnBefore } from './article-pages.ts';
import type { Queries } from './database.ts';
import { notedBefore, replacedBefore } from './diffs.ts';
import { isUnused } from './pull-requests.ts';
import { isEnded } from './sessions.ts';
import { Sql, sql } from './sql.ts';
import { receivedBefore } from './webhook-events.ts';
import { finishedBefore } from './writing-jobs.ts';

/** How much there is of something: its rows, and the bytes of what is large in them. */
interface Amount {
  rows: number;
  bytes: number;
}

export interface StoredKind extends Amount {
  kind: string;
  /** How much room it takes on the disk: with indexes, and with what has gone and not been used again. */
  diskBytes: number;
  /** How much of it the next housekeeping removes; null where it removes none of it. */
  due: Amount | null;
}

interface Kind {
  kind: string;
  /** What it lies in. The first is the one whose rows are counted. */
  tables: [string, ...string[]];
  /** The bytes of a row; those of the whole row, unless it holds what lies beside it because it is large. */
  bytes?: Sql;
  isDue?: Sql;
}

const kindsOfPullRequests = (now: Date): Kind[] => {
  const unused = isUnused(retentionCutoff('unusedPullRequests', now));
  const isOfUnused = sql`pull_request_id IN (SELECT id FROM pull_requests WHERE ${unused})`;
  return [
    {
      kind: 'diffs',
      tables: ['pull_request_diffs'],
      bytes: sql`pg_column_size(compressed)`,
      isDue: sql`${replacedBefore(retentionCutoff('replacedDiffs', now))} OR ${isOfUnused}`,
    },
    {
      kind: 'pull requests',
      tables: ['pull_request_contents', 'pull_requests'],
      bytes: sql`pg_column_size(files) + pg_column_size(unread) + pg_column_size(commits) + pg_column_size(comments)
        + pg_column_size(linked_issues) + coalesce(pg_column_size(body), 0)`,
      isDue: isOfUnused,
    },
    {
      kind: 'articles',
      tables: [
        'article_contents',
        'articles',
        'article_totals',
        'article_sums',
        'article_facets',
        'article_search',
        'facet_totals',
        'facet_sums',
      ],
      bytes: sql`pg_column_size(body)`,
    },
    {
      kind: 'offline articles',
      tables: ['offline_articles'],
      bytes: sql`pg_column_size(articles)`,
      isDue: isOfUnused,
    },
    {
      kind: 'drafts of models',
      tables: ['ai_drafts'],
      bytes: sql`pg_column_size(draft)`,
      isDue: isOfUnused,
    },
    {
      kind: 'notes of models',
      tables: ['ai_notes', 'ai_part_plans'],
      bytes: sql`pg_column_size(notes)`,
      isDue: isOfUnused,
    },
  ];
};

const otherKinds = (now: Date): Kind[] => [
  {
    kind: 'cards',
    tables: ['article_cards'],
    bytes: sql`octet_length(png)`,
    isDue: drawnBefore(retentionCutoff('cards', now)),
  },
  { kind: 'answers of models', tables: ['ai_answers'], bytes: sql`pg_column_size(answer)` },
  {
    kind: 'jobs',
    tables: ['writing_jobs', 'writing_job_askers'],
    isDue: finishedBefore(retentionCutoff('finishedJobs', now)),
  },
  {
    kind: 'likes and rankings',
    tables: ['article_likes', 'article_rankings', 'ranking_totals', 'ranking_sums', 'ranking_windows'],
  },
  {
    kind: 'repositories',
    tables: ['repositories', 'repository_grants', 'favorite_repositories', 'removals', 'release_changes'],
  },
  { kind: 'users', tables: ['users', 'identities', 'host_tokens', 'feed_addresses', 'digests'] },
  { kind: 'sessions', tables: ['sessions', 'refused_tokens'], isDue: isEnded(now) },
  {
    kind: 'unreadable diffs',
    tables: ['unreadable_diffs'],
    isDue: notedBefore(retentionCutoff('unreadableDiffs', now)),
  },
  {
    kind: 'deliveries of webhooks',
    tables: ['webhook_deliveries'],
    isDue: receivedBefore(retentionCutoff('webhookDeliveries', now)),
  },
  {
    kind: 'deliveries of digests',
    tables: ['digest_deliveries'],
    isDue: sql`period_end < ${retentionCutoff('digests', now)}`,
  },
  {
    kind: 'merges for digests',
    tables: ['told_merges'],
    isDue: sql`merged_at < ${retentionCutoff('digests', now)}`,
  },
  { kind: 'quotas', tables: ['ingest_quotas', 'ai_quotas', 'ai_tokens', 'confirmation_mails'] },
];

/** What lies where in the database, and how much of it is due to go. */
export async function measureStorage(
  db: Queries,
  now: Date,
): Promise<{ kinds: StoredKind[]; diskBytes: number }> {
  const kinds: StoredKind[] = [];
  for (const one of [...kindsOfPullRequests(now), ...otherKinds(now)]) {
    const { kind, tables, isDue } = one;
    const [disk] = await db.query<{ bytes: number }>(sql`
      SELECT sum(pg_total_relation_size(name::regclass))::bigint AS bytes FROM unnest(${tables}::text[]) AS name`);
    const due = isDue ? await measure(db, one, isDue) : null;
    kinds.push({ kind, ...(await measure(db, one, sql`true`)), diskBytes: disk?.bytes ?? 0, due });
  }
  const [whole] = await db.query<{ bytes: number }>(sql`
    SELECT pg_database_size(current_database()) AS bytes`);
  return { kinds, diskBytes: whole?.bytes ?? 0 };
}

async function measure(
  db: Queries,
  { tables: [table], bytes = new Sql([`pg_column_size(${table}.*)`], []) }: Pick<Kind, 'tables' | 'bytes'>,
  which: Sql,
): Promise<Amount> {
  const from = new Sql([table], []);
  const [amount] = await db.query<Amount>(sql`
    SELECT count(*) AS rows, coalesce(sum(${bytes}), 0)::bigint AS bytes FROM ${from} WHERE ${which}`);
  return amount ?? { rows: 0, bytes: 0 };
}

/** Takes the next round of housekeeping; of any number of processes that try, one gets it. By the clock of the database. */
export const claimHousekeeping = (db: Queries, intervalMs: number) =>
  db.any(sql`
    UPDATE housekeeping SET due_at = now() + make_interval(secs => ${intervalMs / 1000}::double precision)
    WHERE due_at <= now() RETURNING 1`);
