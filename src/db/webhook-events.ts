import { type MergedPullRequest, restsForMs } from '../domain/pull-requests.ts';
import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { json, type Sql, sql } from './sql.ts';
import { announceQueued } from './writing-jobs.ts';

/** A delivery by the name that its host gives it, which is the same when the host sends it again. */
export interface Delivery {
  host: string;
  deliveryId: string;
  /** The pull request that it is about; null where it is about none. */
  about: { hostRepoId: number; number: number } | null;
}

/**
 * Notes deliveries, with what they cause in the same transaction. Returns those that have not caused it before, as host and name
 * with a blank between them.
 */
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

/** Lets what was delivered about a pull request be delivered again: what it caused has failed. */
export const forgetDeliveries = (
  tx: Queries,
  { repositoryId, prNumber }: { repositoryId: string; prNumber: number },
) =>
  tx.run(sql`
    DELETE FROM webhook_deliveries AS deliveries USING repositories
    WHERE repositories.id = ${repositoryId} AND deliveries.host = repositories.host
      AND deliveries.host_repo_id = repositories.host_repo_id AND deliveries.pr_number = ${prNumber}`);

export const receivedBefore = (before: Date): Sql => sql`received_at < ${before}`;

/** Forgets deliveries that their host no longer sends again. */
export const deleteOldDeliveries = (db: Queries, before: Date) =>
  db.run(sql`DELETE FROM webhook_deliveries WHERE ${receivedBefore(before)}`);

/** What is known here of a pull request that a host tells about. */
export interface KnownPullRequest {
  repositoryId: Tables['repositories']['id'];
  number: number;
  isStored: boolean;
  /** Whether any user watches its repository. */
  isWatched: boolean;
  /** Whether it was noted a while ago that webhooks of a repository that is watched arrive, or never. */
  isWebhookDue: boolean;
}

/** That webhooks arrive is noted so often, so that hearing does not become writing. */
const notedEveryMs = 10 * 60_000;

/** Null for those whose repository is not known. Without a check of visibility: for asking, never for showing. */
export async function findTold(
  db: Queries,
  told: { host: string; hostRepoId: number; number: number }[],
  now: Date,
): Promise<(KnownPullRequest | null)[]> {
  const hosts = told.map(({ host }) => host);
  const hostRepoIds = told.map(({ hostRepoId }) => hostRepoId);
  const numbers = told.map(({ number }) => number);
  const rows = await db.query<KnownPullRequest & { place: number }>(sql`
    SELECT place, repositories.id AS "repositoryId", told.number,
      EXISTS (SELECT FROM pull_requests AS stored
        WHERE stored.repository_id = repositories.id AND stored.number = told.number) AS "isStored",
      EXISTS (SELECT FROM watches WHERE watches.repository_id = repositories.id) AS "isWatched",
      EXISTS (SELECT FROM watched_repositories AS watched WHERE watched.repository_id = repositories.id
        AND (webhook_at IS NULL OR webhook_at NOT BETWEEN ${new Date(now.getTime() - notedEveryMs)} AND ${now}))
        AS "isWebhookDue"
    FROM unnest(${hosts}::text[], ${hostRepoIds}::bigint[], ${numbers}::bigint[])
      WITH ORDINALITY AS told (host, host_repo_id, number, place)
    JOIN repositories ON repositories.host = told.host AND repositories.host_repo_id = told.host_repo_id
    WHERE NOT repositories.is_removed`);
  const found = new Map(rows.map(({ place, ...row }) => [place, row]));
  return told.map((_, index) => found.get(index + 1) ?? null);
}

type Which = Pick<KnownPullRequest, 'repositoryId' | 'number'>;

const listed = (told: Which[]): Sql => sql`
  unnest(${told.map(({ repositoryId }) => repositoryId)}::uuid[], ${told.map(({ number }) => number)}::bigint[])
    AS told (repository_id, number)`;

/**
 * Notes that the host told of changes to pull requests: what was fetched until now is no longer taken for the newest, also what
 * a process fetched whose clock is ahead. What is asked for from this moment on has the change, which came before it was told.
 * Those have moved of which the change may be one of what articles tell. Told of in one call, whatever changed, they are locked in
 * one order.
 */
export async function outdatePullRequests(
  tx: Queries,
  { told, moved, now }: { told: Which[]; moved: Which[]; now: Date },
): Promise<void> {
  if (told.length === 0) return;
  const before = new Date(now.getTime() - 1);
  await tx.query(sql`
    UPDATE pull_requests SET fetched_at = LEAST(fetched_at, ${before}), outdated_at = GREATEST(outdated_at, ${now}),
      has_moved = (repository_id, number) IN (SELECT repository_id, number FROM ${listed(moved)})
        OR (has_moved AND fetched_at < outdated_at)
    WHERE id IN (
      SELECT id FROM pull_requests JOIN ${listed(told)} USING (repository_id, number)
      ORDER BY id FOR NO KEY UPDATE OF pull_requests)`);
}

/** Notes that the host tells by itself of what happens in repositories that are watched. */
export const noteWebhooks = (db: Queries, repositoryIds: string[], now: Date) =>
  db.run(sql`
    UPDATE watched_repositories SET webhook_at = ${now}
    WHERE repository_id IN (
      SELECT repository_id FROM watched_repositories WHERE repository_id = ANY (${repositoryIds}::uuid[])
      ORDER BY repository_id FOR UPDATE SKIP LOCKED)`);

/**
 * Has hosts asked at once what was merged in repositories, and again where they are being asked. A host that gives no answers, or
 * says to wait, is left alone until it is due.
 */
export async function askAboutMerged(tx: Queries, repositoryIds: string[], now: Date): Promise<void> {
  if (repositoryIds.length === 0) return;
  await tx.query(sql`
    UPDATE watched_repositories SET is_told = true,
      due_at = CASE WHEN failures = 0 THEN LEAST(due_at, ${now}) ELSE due_at END
    WHERE repository_id IN (
      SELECT repository_id FROM watched_repositories WHERE repository_id = ANY (${repositoryIds}::uuid[])
      ORDER BY repository_id FOR UPDATE)`);
}

/**
 * Plans anew what stands about pull requests in a language that a watcher wants, and what was planned and failed. One that is
 * being written is written once more after that; one that waits goes on waiting, and one that was written a moment ago waits a
 * moment: what happens to a pull request happens to it several times in a row.
 */
export async function planAgain(tx: Queries, told: Which[], now: Date): Promise<void> {
  if (told.length === 0) return;
  const planned = await tx.query(sql`
    INSERT INTO planned_articles AS planned (repository_id, pr_number, language_code, not_before, may_be_open)
    SELECT DISTINCT told.repository_id, told.number, wanted.language_code, ${now}::timestamptz, true
    FROM ${listed(told)}
    JOIN (
      SELECT pull_requests.repository_id, pull_requests.number, contents.language_code
      FROM pull_requests
      JOIN articles ON articles.pull_request_id = pull_requests.id
      JOIN article_contents AS contents ON contents.article_id = articles.id
      UNION ALL
      SELECT repository_id, pr_number, language_code FROM planned_articles
      WHERE import_id IS NULL AND state = 'failed'
    ) AS wanted USING (repository_id, number)
    JOIN watches ON watches.repository_id = told.repository_id AND watches.language_code = wanted.language_code
    ORDER BY told.repository_id, told.number, wanted.language_code
    ON CONFLICT (repository_id, pr_number, language_code) WHERE import_id IS NULL DO UPDATE SET
      may_be_open = true, is_due_again = planned.state = 'running',
      state = CASE WHEN planned.state = 'running' THEN 'running' ELSE 'waiting' END,
      job_id = CASE WHEN planned.state = 'running' THEN planned.job_id END,
      not_before = CASE WHEN planned.finished_at IS NULL THEN planned.not_before WHEN planned.state = 'done'
        THEN GREATEST(excluded.not_before, planned.finished_at + ${restsForMs}::float8 * interval '1 ms') ELSE excluded.not_before END,
      deferred = CASE WHEN planned.finished_at IS NULL THEN planned.deferred ELSE 0 END,
      finished_at = NULL, error = NULL
    RETURNING 1`);
  if (planned.length > 0) await tx.query(announceQueued);
}

interface OnHost {
  host: string;
  hostRepoId: number;
  number: number;
}

/** The numbers of those issues of which more than that is told. */
export const numbersOfTold = (
  issues: { number: number; title: string; body: string | null }[],
): Sql => sql`ARRAY(
  SELECT (issue ->> 'number')::bigint FROM jsonb_array_elements(${json(issues)}) AS issues (issue)
  WHERE issue ->> 'title' <> '' OR issue ->> 'body' <> '')`;

/** The issues of which a stored pull request tells or has told what they say, without a check of visibility: for forgetting them, never for showing. */
export async function findToldIssues(
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

/** The stored pull requests that tell or have told what an issue says, by their ids. */
export const findTellingOf = (db: Queries, { host, hostRepoId, number }: OnHost) =>
  db.values<Tables['pull_requests']['id']>(sql`
    SELECT pull_requests.id
    FROM repositories
    JOIN pull_requests ON pull_requests.repository_id = repositories.id
    JOIN pull_request_contents AS contents ON contents.pull_request_id = pull_requests.id
    WHERE repositories.host = ${host} AND repositories.host_repo_id = ${hostRepoId}
      AND ${number}::bigint = ANY(contents.told_issues)`);

/** Notes what a host has told to be merged in a repository, wanted or not. Each is noted once, however often it is told. */
export async function noteMerges(
  tx: Queries,
  repositoryId: string,
  merged: Iterable<MergedPullRequest>,
): Promise<void> {
  const byNumber = new Map([...merged].map((one) => [one.number, one]));
  // In one order, so that of two that note the same neither waits for the other.
  const noted = [...byNumber.values()].sort((one, other) => one.number - other.number);
  if (noted.length === 0) return;
  await tx.query(sql`
    INSERT INTO told_merges (repository_id, pr_number, merged_at, is_bot, is_draft)
    SELECT ${repositoryId}::uuid, * FROM unnest(${noted.map(({ number }) => number)}::bigint[],
      ${noted.map(({ mergedAt }) => mergedAt.toISOString())}::timestamptz[],
      ${noted.map(({ isBot }) => isBot)}::boolean[], ${noted.map(({ isDraft }) => isDraft)}::boolean[])
    ON CONFLICT DO NOTHING`);
}

/** Removes what was merged so long ago that no digest is made of it any more. */
export const deleteOldMerges = (db: Queries, before: Date) =>
  db.run(sql`DELETE FROM told_merges WHERE merged_at < ${before}`);
