import { type MergedPullRequest, restsForMs } from '../domain/pull-requests.ts';
import type { Queries } from './database.ts';
import { announceQueuedJobs, isForFollowers, isOnlyWork, nextTurn } from './job-queue.ts';
import type { Tables } from './schema.ts';
import { json, type Sql, sql } from './sql.ts';

/** The host's id of a delivery, which stays the same when it is sent again. */
interface Delivery {
  host: string;
  deliveryId: string;
  about: { hostRepoId: number; number: number } | null;
}

/** Stores deliveries in the transaction of their effects. Returns the new ones, as `host id`. */
export async function insertDeliveries(tx: Queries, deliveries: Delivery[], now: Date): Promise<Set<string>> {
  const inserted = await tx.query<Pick<Tables['webhook_deliveries'], 'host' | 'deliveryId'>>(sql`
    INSERT INTO webhook_deliveries (host, delivery_id, received_at, host_repo_id, pr_number)
    SELECT host, delivery_id, ${now}::timestamptz, host_repo_id, pr_number
    FROM unnest(${deliveries.map(({ host }) => host)}::text[],
      ${deliveries.map(({ deliveryId }) => deliveryId)}::text[],
      ${deliveries.map(({ about }) => about?.hostRepoId ?? null)}::bigint[],
      ${deliveries.map(({ about }) => about?.number ?? null)}::bigint[])
      AS delivered (host, delivery_id, host_repo_id, pr_number)
    ORDER BY host, delivery_id
    ON CONFLICT DO NOTHING RETURNING host, delivery_id`);
  return new Set(inserted.map(({ host, deliveryId }) => `${host} ${deliveryId}`));
}

export const forgetDeliveries = (
  tx: Queries,
  { repositoryId, prNumber }: { repositoryId: string; prNumber: number },
) =>
  tx.run(sql`
    DELETE FROM webhook_deliveries AS deliveries USING repositories
    WHERE repositories.id = ${repositoryId} AND deliveries.host = repositories.host
      AND deliveries.host_repo_id = repositories.host_repo_id AND deliveries.pr_number = ${prNumber}`);

export const deliveriesReceivedBefore = (before: Date): Sql => sql`received_at < ${before}`;

export const deleteOldDeliveries = (db: Queries, before: Date) =>
  db.run(sql`DELETE FROM webhook_deliveries WHERE ${deliveriesReceivedBefore(before)}`);

export interface KnownPullRequest {
  repositoryId: Tables['repositories']['id'];
  number: number;
  isStored: boolean;
  isWatched: boolean;
  isWebhookDue: boolean;
}

/** The time of the last webhook is updated at most this often, to save writes. */
const notedEveryMs = 10 * 60_000;

/** Null if the repository is unknown. Does not check visibility, so do not show it. */
export async function findKnownPullRequests(
  db: Queries,
  changed: { host: string; hostRepoId: number; number: number }[],
  now: Date,
): Promise<(KnownPullRequest | null)[]> {
  const hosts = changed.map(({ host }) => host);
  const hostRepoIds = changed.map(({ hostRepoId }) => hostRepoId);
  const numbers = changed.map(({ number }) => number);
  const rows = await db.query<KnownPullRequest & { place: number }>(sql`
    SELECT place, repositories.id AS "repositoryId", changed.number,
      EXISTS (SELECT FROM pull_requests AS stored
        WHERE stored.repository_id = repositories.id AND stored.number = changed.number) AS "isStored",
      EXISTS (SELECT FROM watches WHERE watches.repository_id = repositories.id) AS "isWatched",
      EXISTS (SELECT FROM watched_repositories AS watched WHERE watched.repository_id = repositories.id
        AND (webhook_at IS NULL OR webhook_at NOT BETWEEN ${new Date(now.getTime() - notedEveryMs)} AND ${now}))
        AS "isWebhookDue"
    FROM unnest(${hosts}::text[], ${hostRepoIds}::bigint[], ${numbers}::bigint[])
      WITH ORDINALITY AS changed (host, host_repo_id, number, place)
    JOIN repositories ON repositories.host = changed.host AND repositories.host_repo_id = changed.host_repo_id
    WHERE NOT repositories.is_removed`);
  const found = new Map(rows.map(({ place, ...row }) => [place, row]));
  return changed.map((_, index) => found.get(index + 1) ?? null);
}

type Which = Pick<KnownPullRequest, 'repositoryId' | 'number'>;

const unnestedChanges = (changed: Which[]): Sql => sql`
  unnest(${changed.map(({ repositoryId }) => repositoryId)}::uuid[], ${changed.map(({ number }) => number)}::bigint[])
    AS changed (repository_id, number)`;

/**
 * Marks pull requests as changed on the host, so that everything fetched so far is outdated, even by a process whose
 * clock is ahead. One call for all of them, so that they are locked in one order.
 */
export async function outdatePullRequests(
  tx: Queries,
  { changed, moved, now }: { changed: Which[]; moved: Which[]; now: Date },
): Promise<void> {
  if (changed.length === 0) return;
  const before = new Date(now.getTime() - 1);
  await tx.query(sql`
    UPDATE pull_requests SET fetched_at = LEAST(fetched_at, ${before}), outdated_at = GREATEST(outdated_at, ${now}),
      has_moved = (repository_id, number) IN (SELECT repository_id, number FROM ${unnestedChanges(moved)})
        OR (has_moved AND fetched_at < outdated_at)
    WHERE id IN (
      SELECT id FROM pull_requests JOIN ${unnestedChanges(changed)} USING (repository_id, number)
      ORDER BY id FOR NO KEY UPDATE OF pull_requests)`);
}

export const noteWebhooksReceived = (db: Queries, repositoryIds: string[], now: Date) =>
  db.run(sql`
    UPDATE watched_repositories SET webhook_at = ${now}
    WHERE repository_id IN (
      SELECT repository_id FROM watched_repositories WHERE repository_id = ANY (${repositoryIds}::uuid[])
      ORDER BY repository_id FOR UPDATE SKIP LOCKED)`);

/** Ignores webhooks of a repository until its next event. */
export const forgetWebhooks = (tx: Queries, repositoryId: string) =>
  tx.run(sql`UPDATE watched_repositories SET webhook_at = NULL WHERE repository_id = ${repositoryId}`);

/** Makes repositories due that are polled rarely because of their webhooks. Pauses after failures stay. */
export const makePollsDueAfterOutage = (db: Queries, now: Date) =>
  db.run(sql`
    UPDATE watched_repositories SET due_at = ${now}
    WHERE repository_id IN (
      SELECT repository_id FROM watched_repositories
      WHERE webhook_at IS NOT NULL AND failures = 0 AND due_at > ${now}
      ORDER BY repository_id FOR UPDATE SKIP LOCKED)`);

/** Makes repositories due, even while they are polled. Pauses after failures stay. */
export async function makePollDue(tx: Queries, repositoryIds: string[], now: Date): Promise<void> {
  if (repositoryIds.length === 0) return;
  await tx.query(sql`
    UPDATE watched_repositories SET is_told = true,
      due_at = CASE WHEN failures = 0 THEN LEAST(due_at, ${now}) ELSE due_at END
    WHERE repository_id IN (
      SELECT repository_id FROM watched_repositories WHERE repository_id = ANY (${repositoryIds}::uuid[])
      ORDER BY repository_id FOR UPDATE)`);
}

/**
 * Plans articles again that exist or failed, in the languages of followers. A running one is written again afterwards;
 * one that was just written waits a while, because events come in bursts.
 */
export async function replanPolls(tx: Queries, changed: Which[], now: Date): Promise<void> {
  if (changed.length === 0) return;
  const planned = await tx.query(sql`
    INSERT INTO jobs AS planned (work, subject, is_planned, repository_id, pr_number, language_code, not_before, may_be_open,
      queued_at, created_at, turn)
    SELECT 'planned', concat_ws(' ', changed.repository_id, changed.number, wanted.language_code), true, changed.repository_id,
      changed.number, wanted.language_code, ${now}::timestamptz, true, ${now}::timestamptz, ${now}::timestamptz,
      ${nextTurn('planned', isForFollowers, now)}
        + row_number() OVER (ORDER BY changed.repository_id, changed.number, wanted.language_code) - 1
    FROM ${unnestedChanges(changed)}
    JOIN (
      SELECT pull_requests.repository_id, pull_requests.number, contents.language_code
      FROM pull_requests
      JOIN articles ON articles.pull_request_id = pull_requests.id
      JOIN article_contents AS contents ON contents.article_id = articles.id
      UNION ALL
      SELECT repository_id, pr_number, language_code FROM jobs
      WHERE work = 'planned' AND parent_id IS NULL AND state = 'failed'
    ) AS wanted USING (repository_id, number)
    JOIN watches ON watches.repository_id = changed.repository_id AND watches.language_code = wanted.language_code
    GROUP BY changed.repository_id, changed.number, wanted.language_code
    ORDER BY changed.repository_id, changed.number, wanted.language_code
    ON CONFLICT (work, subject) WHERE ${isOnlyWork} DO UPDATE SET
      may_be_open = true, is_due_again = planned.state = 'running',
      state = CASE WHEN planned.state = 'running' THEN 'running' ELSE 'queued' END,
      turn = CASE WHEN planned.finished_at IS NULL THEN planned.turn ELSE excluded.turn END,
      waits_for = CASE WHEN planned.state = 'running' THEN planned.waits_for END,
      not_before = CASE WHEN planned.finished_at IS NULL THEN planned.not_before WHEN planned.state = 'done'
        THEN GREATEST(excluded.not_before, planned.finished_at + ${restsForMs}::float8 * interval '1 ms') ELSE excluded.not_before END,
      deferred = CASE WHEN planned.finished_at IS NULL THEN planned.deferred ELSE 0 END, finished_at = NULL,
      error = NULL
    RETURNING 1`);
  if (planned.length > 0) await tx.query(announceQueuedJobs);
}

interface OnHost {
  host: string;
  hostRepoId: number;
  number: number;
}

/** Issues that are stored with more than their number. */
export const numbersOfQuoted = (
  issues: { number: number; title: string; body: string | null }[],
): Sql => sql`ARRAY(
  SELECT (issue ->> 'number')::bigint FROM jsonb_array_elements(${json(issues)}) AS issues (issue)
  WHERE issue ->> 'title' <> '' OR issue ->> 'body' <> '')`;

/** Issues that a stored pull request quotes. Does not check visibility: for deleting them, not for showing. */
export async function findQuotedIssues(
  db: Queries,
  { host, hostRepoId, number }: OnHost,
): Promise<{ pullRequestId: string; issues: number[] } | null> {
  const rows = await db.query<{ pullRequestId: string; issue: number }>(sql`
    SELECT pull_requests.id AS "pullRequestId", issue
    FROM repositories
    JOIN pull_requests ON pull_requests.repository_id = repositories.id
    JOIN pull_request_contents AS contents ON contents.pull_request_id = pull_requests.id
    CROSS JOIN unnest(contents.told_issues) AS issue
    WHERE repositories.host = ${host} AND repositories.host_repo_id = ${hostRepoId}
      AND pull_requests.number = ${number}`);
  const [first] = rows;
  return first ? { pullRequestId: first.pullRequestId, issues: rows.map(({ issue }) => issue) } : null;
}

export const findPullRequestsQuoting = (db: Queries, { host, hostRepoId, number }: OnHost) =>
  db.values<Tables['pull_requests']['id']>(sql`
    SELECT pull_requests.id
    FROM repositories
    JOIN pull_requests ON pull_requests.repository_id = repositories.id
    JOIN pull_request_contents AS contents ON contents.pull_request_id = pull_requests.id
    WHERE repositories.host = ${host} AND repositories.host_repo_id = ${hostRepoId}
      AND ${number}::bigint = ANY(contents.told_issues)`);

export async function saveMerges(
  tx: Queries,
  repositoryId: string,
  merged: Iterable<MergedPullRequest>,
): Promise<number> {
  const byNumber = new Map([...merged].map((one) => [one.number, one]));
  // Rows are locked in one order, so that two processes cannot deadlock.
  const noted = [...byNumber.values()].sort((one, other) => one.number - other.number);
  if (noted.length === 0) return 0;
  const added = await tx.query(sql`
    INSERT INTO told_merges (repository_id, pr_number, merged_at, is_bot, is_draft)
    SELECT ${repositoryId}::uuid, * FROM unnest(${noted.map(({ number }) => number)}::bigint[],
      ${noted.map(({ mergedAt }) => mergedAt.toISOString())}::timestamptz[],
      ${noted.map(({ isBot }) => isBot)}::boolean[], ${noted.map(({ isDraft }) => isDraft)}::boolean[])
    ON CONFLICT DO NOTHING RETURNING 1`);
  return added.length;
}

export const deleteOldMerges = (db: Queries, before: Date) =>
  db.run(sql`DELETE FROM told_merges WHERE merged_at < ${before}`);
