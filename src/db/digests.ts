import type { Statement } from '../contract/article-parts.ts';
import {
  type DeliveredPeriod,
  type DigestChoice,
  type DigestPeriod,
  type EndReason,
  paragraphsAwaitedMs,
  postRestsAfter,
  type RestReason,
  restsAfter,
  type Span,
  triedForMs,
  wholeOf,
} from '../domain/digests.ts';
import { botSuffix } from '../domain/pull-requests.ts';
import { type ListedArticle, listedColumns, rowsOfPage } from './articles.ts';
import type { Queries } from './database.ts';
import { isOutdated } from './diffs.ts';
import { isAlive } from './job-queue.ts';
import type { RepositoryName } from './repositories.ts';
import type { Tables } from './schema.ts';
import { type Sql, sql } from './sql.ts';
import { type Repository, type VisibilityScope, visibleTo } from './visibility.ts';

const webhookRecipient = 'webhook';
const postRecipient = 'webhook ';

type DeliveryColumns = Tables['digest_deliveries'];

export interface HeldDelivery
  extends Pick<DeliveryColumns, 'recipient' | 'periodEnd' | 'tries' | 'plannedAt' | 'userId' | 'attempt'> {
  period: DeliveredPeriod;
}

const columns = sql`recipient, period, period_end, user_id, attempt, tries, planned_at`;

interface Ended {
  period: DigestPeriod;
  periodEnd: Date;
  now: Date;
}

/** Plans digests for users who chose this period and confirmed their address before it ended. */
export const planUserDigests = (db: Queries, { period, periodEnd, now }: Ended) =>
  db.run(sql`
    INSERT INTO digest_deliveries (recipient, user_id, period, period_end, planned_at, not_before)
    SELECT digests.user_id::text, digests.user_id, digests.period, ${periodEnd}::timestamptz, ${now}::timestamptz, ${now}::timestamptz FROM digests
    WHERE period = ${period} AND period <> 'off' AND confirmed_at < ${periodEnd} AND chosen_at < ${periodEnd}
      AND NOT EXISTS (
        SELECT FROM digest_deliveries AS planned
        WHERE planned.recipient = digests.user_id::text AND planned.period = digests.period
          AND planned.period_end = ${periodEnd})
    ORDER BY digests.user_id
    ON CONFLICT DO NOTHING`);

export const planWebhookDigests = (db: Queries, { period, periodEnd, now }: Ended) =>
  db.run(sql`
    INSERT INTO digest_deliveries (recipient, period, period_end, planned_at, not_before)
    VALUES (${webhookRecipient}, ${period}, ${periodEnd}, ${now}, ${now}) ON CONFLICT DO NOTHING`);

/** Plans a post for each article about a merge that people have followed, once. */
export const planMergePosts = (
  db: Queries,
  { viewer, language, since }: { viewer: VisibilityScope; language: string; since: Date },
) =>
  db.run(sql`
    INSERT INTO digest_deliveries (recipient, period, period_end, planned_at, not_before)
    SELECT ${postRecipient} || articles.id, ${'merge'}, pull_requests.merged_at, ${viewer.now}, ${viewer.now}
    FROM articles JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN repositories ON repositories.id = articles.repository_id
    JOIN article_contents AS contents ON contents.article_id = articles.id AND contents.language_code = ${language}
    WHERE articles.listed_at >= ${since} AND pull_requests.merged_at >= ${since} AND ${isInDigest({ kind: 'followed' })}
      AND right(pull_requests.author_login, ${botSuffix.length}) <> ${botSuffix} AND ${visibleTo(viewer)}
    ORDER BY pull_requests.merged_at, articles.id
    ON CONFLICT DO NOTHING`);

/** The article of a post; null if it is gone, or not public any more. */
export const findPostedArticle = (
  db: Queries,
  { recipient, viewer, language }: { recipient: string; viewer: VisibilityScope; language: string },
) =>
  db.first<ListedArticle>(sql`
    SELECT ${listedColumns()} FROM articles JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN repositories ON repositories.id = articles.repository_id
    JOIN article_contents AS contents ON contents.article_id = articles.id AND contents.language_code = ${language}
    WHERE articles.id = ${recipient.slice(postRecipient.length)}::uuid AND ${visibleTo(viewer)}`);

/** A delivery claimed again has a higher attempt, so an older claim cannot change it. */
const isDeliveryHeld = ({ recipient, period, periodEnd, attempt }: HeldDelivery): Sql =>
  sql`recipient = ${recipient} AND period = ${period} AND period_end = ${periodEnd} AND attempt = ${attempt}`;

interface Claim {
  now: Date;
  until: Date;
}

/**
 * Claims the digest that has been due longest, including those of processes that died before sending. It waits for first
 * paragraphs that are being written, but not for long.
 */
export const claimDigest = (
  db: Queries,
  { to, ...claim }: Claim & { to: { users: boolean; webhook: boolean } },
) =>
  claimDelivery(
    db,
    claim,
    sql`due.period <> 'merge' AND CASE WHEN user_id IS NULL THEN ${to.webhook}::boolean ELSE ${to.users}::boolean END
      AND NOT EXISTS (
        SELECT FROM jobs
        WHERE jobs.work = 'digest' AND jobs.${isAlive} AND jobs.detail->>'period' = due.period
          AND jobs.created_at > ${new Date(claim.now.getTime() - paragraphsAwaitedMs)})`,
  );

/** Claims the next post. It waits for those of earlier merges, so that they arrive in order. */
export const claimMergePost = (db: Queries, claim: Claim) =>
  claimDelivery(
    db,
    claim,
    sql`due.period = 'merge' AND NOT EXISTS (
      SELECT FROM digest_deliveries AS earlier
      WHERE earlier.period = 'merge' AND earlier.state IN ('waiting', 'claimed', 'sending')
        AND (earlier.period_end, earlier.recipient) < (due.period_end, due.recipient))`,
  );

const claimDelivery = (db: Queries, { now, until }: Claim, isWanted: Sql) =>
  db.first<HeldDelivery>(sql`
    UPDATE digest_deliveries SET state = 'claimed', attempt = attempt + 1, claimed_until = ${until}
    WHERE (recipient, period, period_end) = (
      SELECT recipient, period, period_end FROM digest_deliveries AS due
      WHERE not_before <= ${now} AND (state = 'waiting' OR state = 'claimed' AND claimed_until <= ${now}) AND ${isWanted}
      ORDER BY not_before, recipient, period LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING ${columns}`);

/**
 * Marks a delivery as being sent, so that it is not sent again unless the recipient's server refuses it. False if
 * another process has it, or the user changed the digest.
 */
export function beginSendingDigest(
  db: Queries,
  held: HeldDelivery,
  to: { email: string; secretHash: string } | null,
): Promise<boolean> {
  const isWanted = to
    ? sql`EXISTS (
        SELECT FROM digests WHERE digests.user_id = digest_deliveries.user_id AND digests.period = digest_deliveries.period
          AND digests.email = ${to.email} AND digests.confirmed_at IS NOT NULL)`
    : sql`true`;
  return db.any(sql`
    UPDATE digest_deliveries SET state = 'sending', secret_hash = ${to?.secretHash ?? null}
    WHERE ${isDeliveryHeld(held)} AND state = 'claimed' AND ${isWanted} RETURNING 1`);
}

type DeliveryEnd = 'sent' | 'nothing' | 'unwanted' | 'failed' | 'unknown';

export const endDigestDelivery = (db: Queries, held: HeldDelivery, end: DeliveryEnd) =>
  db.run(
    sql`UPDATE digest_deliveries SET state = ${end}, claimed_until = NULL WHERE ${isDeliveryHeld(held)}`,
  );

export async function deferDigest(db: Queries, held: HeldDelivery, now: Date): Promise<boolean> {
  const isGivenUp = now.getTime() - held.plannedAt.getTime() >= triedForMs;
  if (isGivenUp) await endDigestDelivery(db, held, 'failed');
  else
    await db.query(sql`
      UPDATE digest_deliveries SET state = 'waiting', claimed_until = NULL, tries = tries + 1, secret_hash = NULL,
        not_before = ${new Date(now.getTime() + (held.period === 'merge' ? postRestsAfter : restsAfter)(held.tries))}
      WHERE ${isDeliveryHeld(held)}`);
  return !isGivenUp;
}

/** Defers all mails that are due, because while the mail server is down one attempt stands for all. */
export async function deferDigestMails(
  db: Queries,
  { tries, now }: { tries: number; now: Date },
): Promise<{ waiting: number; failed: number }> {
  const states = await db.values<string>(sql`
    UPDATE digest_deliveries SET tries = tries + 1, not_before = ${new Date(now.getTime() + restsAfter(tries))},
      state = CASE WHEN planned_at <= ${new Date(now.getTime() - triedForMs)} THEN 'failed' ELSE 'waiting' END
    WHERE (recipient, period, period_end) IN (
      SELECT recipient, period, period_end FROM digest_deliveries
      WHERE state = 'waiting' AND not_before <= ${now} AND user_id IS NOT NULL
      ORDER BY recipient, period, period_end FOR UPDATE SKIP LOCKED)
    RETURNING state`);
  const failed = states.filter((state) => state === 'failed').length;
  return { waiting: states.length - failed, failed };
}

export const endAbandonedDigests = (db: Queries, now: Date) =>
  db.query<HeldDelivery>(sql`
    UPDATE digest_deliveries SET state = 'unknown', attempt = attempt + 1, claimed_until = NULL
    WHERE state = 'sending' AND claimed_until <= ${now} RETURNING ${columns}`);

export const deleteOldDigests = (db: Queries, before: Date) =>
  db.run(sql`DELETE FROM digest_deliveries WHERE period_end < ${before}`);

export interface StoredDigestSettings extends Pick<Tables['digests'], 'period' | 'email' | 'endedBecause'> {
  isConfirmed: boolean;
}

const settingsColumns = sql`
  digests.period, digests.email, digests.confirmed_at IS NOT NULL AS "isConfirmed", digests.ended_because`;

const unchosen: StoredDigestSettings = { period: 'off', email: null, isConfirmed: false, endedBecause: null };

export async function findDigestSettings(db: Queries, userId: string): Promise<StoredDigestSettings> {
  const [found] = await db.query<StoredDigestSettings>(sql`
    SELECT ${settingsColumns} FROM digests WHERE user_id = ${userId}`);
  return found ?? unchosen;
}

interface Confirmation {
  hash: string;
  until: Date;
}

/** Stores a user's choice. A new address is unconfirmed, and links in mails to the old one stop working. */
export async function saveDigestSettings(
  tx: Queries,
  chosen: {
    userId: string;
    period: DigestChoice;
    email: string | null;
    confirmation: Confirmation | null;
    now: Date;
  },
): Promise<StoredDigestSettings> {
  const { userId, period, email, confirmation, now } = chosen;
  const { hash = null, until = null } = confirmation ?? {};
  const [before] = await tx.query<Pick<Tables['digests'], 'email'>>(sql`
    SELECT email FROM digests WHERE user_id = ${userId} FOR UPDATE`);
  if (before && before.email !== email)
    await tx.query(sql`UPDATE digest_deliveries SET secret_hash = NULL WHERE user_id = ${userId}`);
  const [saved] = await tx.query<StoredDigestSettings>(sql`
    INSERT INTO digests (user_id, period, email, confirm_hash, confirm_until, chosen_at)
    VALUES (${userId}, ${period}, ${email}, ${hash}, ${until}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET period = excluded.period, email = excluded.email, ended_because = NULL,
      confirmed_at = CASE WHEN digests.email = excluded.email AND excluded.confirm_hash IS NULL THEN digests.confirmed_at END,
      confirm_hash = CASE WHEN digests.email = excluded.email THEN coalesce(excluded.confirm_hash, digests.confirm_hash)
        ELSE excluded.confirm_hash END,
      confirm_until = CASE WHEN digests.email = excluded.email THEN coalesce(excluded.confirm_until, digests.confirm_until)
        ELSE excluded.confirm_until END,
      chosen_at = CASE WHEN digests.period = excluded.period THEN digests.chosen_at ELSE excluded.chosen_at END
    RETURNING ${settingsColumns}`);
  if (!saved) throw new Error('The database stored a digest without returning it.');
  return saved;
}

export const isDigestAddressConfirmable = (db: Queries, { hash, now }: { hash: string; now: Date }) =>
  db.any(sql`SELECT FROM digests WHERE confirm_hash = ${hash} AND confirm_until > ${now}`);

/** Returns null if the link is unknown or too old. Confirming twice is allowed. */
export const confirmDigestAddress = (db: Queries, { hash, now }: { hash: string; now: Date }) =>
  db.first<StoredDigestSettings>(sql`
    UPDATE digests SET confirmed_at = coalesce(confirmed_at, ${now})
    WHERE confirm_hash = ${hash} AND confirm_until > ${now} RETURNING ${settingsColumns}`);

export const findDigestBySecret = (
  db: Queries,
  hash: string,
): Promise<{ userId: string; isOn: boolean } | null> =>
  db.first<Pick<Tables['digests'], 'userId'> & { isOn: boolean }>(sql`
    SELECT digests.user_id, digests.period <> 'off' AS "isOn"
    FROM digest_deliveries AS deliveries JOIN digests ON digests.user_id = deliveries.user_id
    WHERE deliveries.secret_hash = ${hash}`);

export const stopDigest = (db: Queries, { userId, now }: { userId: string; now: Date }) =>
  db.run(sql`
    UPDATE digests SET period = 'off', chosen_at = ${now}, ended_because = NULL
    WHERE user_id = ${userId} AND period <> 'off'`);

/** Ends a digest whose address rejects mail, unless its user has changed it in the meantime. */
export async function stopRefusedDigest(
  db: Queries,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<void> {
  const because: EndReason = 'refused';
  await db.query(sql`
    UPDATE digests SET period = 'off', chosen_at = ${now}, ended_because = ${because}, confirmed_at = NULL
    WHERE user_id = ${userId} AND email = ${email} AND period <> 'off'`);
}

export type DigestScope =
  | { kind: 'favorites'; userId: string }
  | { kind: 'repository'; repositoryId: string }
  | { kind: 'followed' };

/** The repositories of a digest that list their merges themselves, as clones do, and these merges. */
export interface ListedMerges {
  repositoryIds: string[];
  merged: { repositoryId: string; number: number; mergedAt: Date; isBot: boolean }[];
}

interface Wanted {
  scope: DigestScope;
  viewer: VisibilityScope;
  language: string;
  span: Span;
  most: number;
  listed: ListedMerges;
}

/** The number of merged pull requests that are shown, and for each reason the number left out. */
type Fates = Partial<Record<'shown' | RestReason, number>>;

export interface RepositoryFates extends RepositoryName {
  repositoryId: Tables['repositories']['id'];
  isComplete: boolean;
  fates: Fates;
}

/** The sentence that an article begins with, that about what breaks, and the lines that its first section is about. */
interface ShownGround {
  lead: Statement | null;
  breaking: Statement | null;
  lines: Statement['evidence'] | null;
  /** Whether the article is about an older diff. */
  isOutdated: boolean;
}

interface DigestContents {
  repositories: RepositoryFates[];
  items: ListedArticle[];
  groundOf: (articleId: string) => ShownGround;
}

interface Row extends RepositoryFates, ShownGround, Omit<ListedArticle, keyof RepositoryFates> {
  place: number;
  /** Null, like all columns of the article, if the digest shows no article. */
  articleId: string;
}

export function isInDigest(scope: DigestScope): Sql {
  const isFollowedBy = (andWhere: Sql) => sql`EXISTS (
    SELECT FROM favorite_repositories AS favorites WHERE favorites.repository_id = repositories.id ${andWhere})`;
  if (scope.kind === 'repository') return sql`repositories.id = ${scope.repositoryId}`;
  return isFollowedBy(scope.kind === 'favorites' ? sql`AND favorites.user_id = ${scope.userId}` : sql``);
}

const shownRepositories = (scope: DigestScope, viewer: VisibilityScope): Sql => sql`
  SELECT repositories.id, repositories.host, repositories.host_repo_id
  FROM repositories WHERE ${isInDigest(scope)} AND ${visibleTo(viewer)}`;

/** The repositories of a digest that are on one of these hosts. */
export const listDigestRepositories = (
  db: Queries,
  { scope, viewer, hosts }: Pick<Wanted, 'scope' | 'viewer'> & { hosts: string[] },
) =>
  db.query<Pick<Repository, 'id' | 'host' | 'hostRepoId' | 'owner' | 'name'>>(sql`
    SELECT repositories.id, repositories.host, repositories.host_repo_id, repositories.owner, repositories.name
    FROM repositories
    WHERE repositories.host = ANY(${hosts}::text[]) AND ${isInDigest(scope)} AND ${visibleTo(viewer)}`);

/** Merges that hosts reported, or list themselves. */
const notedMerges = ({ from, to }: Span, { repositoryIds, merged }: ListedMerges): Sql => sql`
  SELECT told.repository_id, told.pr_number, told.merged_at, told.is_bot, told.is_draft FROM told_merges AS told
  WHERE told.repository_id = ANY (ARRAY(SELECT id FROM followed)) AND told.merged_at >= ${from} AND told.merged_at < ${to}
    AND told.repository_id <> ALL (${repositoryIds}::uuid[])
  UNION ALL
  SELECT listed.*, false FROM unnest(${merged.map((one) => one.repositoryId)}::uuid[],
    ${merged.map(({ number }) => number)}::bigint[], ${merged.map(({ mergedAt }) => mergedAt.toISOString())}::timestamptz[],
    ${merged.map(({ isBot }) => isBot)}::boolean[]) AS listed`;

/**
 * Merges by the fetched state of the pull requests, and by the host's list for those that were open when fetched or
 * never fetched.
 */
const mergedWithin = (span: Span, listed: ListedMerges): Sql => sql`
  SELECT stored.repository_id, stored.id, stored.number, stored.merged_at, coalesce(noted.is_draft, false) AS is_draft,
    coalesce(noted.is_bot, false) OR right(stored.author_login, ${botSuffix.length}) = ${botSuffix} AS is_bot
  FROM pull_requests AS stored
  LEFT JOIN told_merges AS noted ON noted.repository_id = stored.repository_id AND noted.pr_number = stored.number
  WHERE stored.repository_id = ANY (ARRAY(SELECT id FROM followed)) AND stored.state = 'merged'
    AND stored.merged_at >= ${span.from} AND stored.merged_at < ${span.to}
  UNION ALL
  SELECT noted.repository_id, stored.id, noted.pr_number, noted.merged_at, noted.is_draft, noted.is_bot
  FROM (${notedMerges(span, listed)}) AS noted JOIN followed ON followed.id = noted.repository_id
  LEFT JOIN pull_requests AS stored ON stored.repository_id = noted.repository_id AND stored.number = noted.pr_number
  WHERE stored.merged_at IS NULL
    AND NOT EXISTS (
      SELECT FROM removals WHERE removals.host = followed.host AND removals.host_repo_id = followed.host_repo_id
        AND removals.number = noted.pr_number)`;

/**
 * Counts the merges of a period, and returns the articles to show: what breaks first, then what users notice, each by
 * likes and size. One statement, so that the numbers add up.
 */
export async function readDigest(
  db: Queries,
  { scope, viewer, language, span, most, listed }: Wanted,
): Promise<DigestContents> {
  const rows = await db.query<Row>(sql`
    WITH followed AS MATERIALIZED (
      SELECT repositories.id, repositories.host, repositories.host_repo_id, repositories.owner, repositories.name,
        repositories.id = ANY (${listed.repositoryIds}::uuid[]) OR EXISTS (
        SELECT FROM watches WHERE watches.repository_id = repositories.id
          AND watches.since <= ${span.from} AND watches.last_seen_at >= ${span.to}) AS is_complete
      FROM repositories WHERE ${isInDigest(scope)} AND ${visibleTo(viewer)}),
    merged AS MATERIALIZED (${mergedWithin(span, listed)}),
    judged AS MATERIALIZED (
      SELECT merged.*, articles.id AS article_id, contents.article_id IS NOT NULL AS is_written,
        row_number() OVER (PARTITION BY contents.article_id IS NULL ORDER BY contents.is_breaking DESC,
          contents.change_types && ARRAY['FEAT', 'FIX', 'PERF'] DESC, contents.like_count DESC,
          sizes.additions + sizes.deletions DESC NULLS LAST, merged.merged_at DESC, articles.id) AS place
      FROM merged
      LEFT JOIN articles ON articles.pull_request_id = merged.id
      LEFT JOIN article_contents AS contents ON contents.article_id = articles.id AND contents.language_code = ${language}
      LEFT JOIN pull_request_contents AS sizes ON sizes.pull_request_id = merged.id),
    decided AS MATERIALIZED (
      SELECT *, CASE
        WHEN is_written AND place <= ${most}::integer THEN 'shown' WHEN is_written THEN 'beyond'
        WHEN article_id IS NOT NULL THEN 'otherLanguage' WHEN is_draft THEN 'draft' WHEN is_bot THEN 'bot'
        ELSE 'notWritten' END AS fate
      FROM judged),
    counted AS (
      SELECT repository_id, jsonb_object_agg(fate, times) AS fates, sum(times) AS merged FROM (
        SELECT repository_id, fate, count(*) AS times FROM decided GROUP BY repository_id, fate) AS fates
      GROUP BY repository_id)
    SELECT followed.id AS repository_id, followed.is_complete, coalesce(counted.fates, '{}') AS fates, decided.place,
      contents.body->'standfirst' AS lead, contents.body #> '{mainChanges,0,evidence}' AS lines, (
        SELECT point #> '{statements,0}' FROM json_array_elements(contents.body->'notablePoints') AS point
        WHERE point->>'label' = 'breaking' LIMIT 1) AS breaking,
      ${isOutdated(sql`pull_requests`, sql`contents.base_sha`, sql`contents.head_sha`)} AS "isOutdated",
      ${listedColumns({ repositories: sql`followed` })}
    FROM followed LEFT JOIN counted ON counted.repository_id = followed.id
    LEFT JOIN (decided
      JOIN article_contents AS contents ON contents.article_id = decided.article_id AND contents.language_code = ${language}
      JOIN pull_requests ON pull_requests.id = decided.id)
      ON decided.repository_id = followed.id AND decided.fate = 'shown'
    ORDER BY coalesce(counted.merged, 0) DESC, lower(followed.owner), lower(followed.name), followed.id, decided.place`);
  const repositories = new Map<string, RepositoryFates>();
  for (const { repositoryId, host, owner, repo, isComplete, fates } of rows)
    repositories.set(repositoryId, { repositoryId, host, owner, repo, isComplete, fates });
  const grounds = new Map(rows.map(({ articleId, ...row }) => [articleId, groundIn(row)]));
  return {
    groundOf: (articleId) => grounds.get(articleId) ?? noGround,
    repositories: [...repositories.values()],
    items: rowsOfPage(
      rows.toSorted((one, other) => one.place - other.place),
      ...([
        'repositoryId',
        'fates',
        'place',
        'isComplete',
        'lead',
        'breaking',
        'lines',
        'isOutdated',
      ] as const),
    ),
  };
}

const noGround: ShownGround = { lead: null, breaking: null, lines: null, isOutdated: false };

const groundIn = ({ lead, breaking, lines, isOutdated }: ShownGround): ShownGround => ({
  ...{ lead, breaking, lines, isOutdated },
});

export const findTimeOfLastMerge = (
  db: Queries,
  { scope, viewer, listed }: Pick<Wanted, 'scope' | 'viewer' | 'listed'>,
  before: Date,
) =>
  db.value<Date>(sql`
    WITH followed AS MATERIALIZED (${shownRepositories(scope, viewer)})
    SELECT merged_at FROM (${mergedWithin({ from: new Date(0), to: before }, listed)}) AS merged
    ORDER BY merged_at DESC LIMIT 1`);

export async function findPeriodsWithMerges(
  db: Queries,
  { scope, viewer, listed }: Pick<Wanted, 'scope' | 'viewer' | 'listed'>,
  spans: [Span, ...Span[]],
): Promise<Span[]> {
  const whole = wholeOf(spans);
  const begins = spans.map(({ from }) => from.toISOString());
  const ends = spans.map(({ to }) => to.toISOString());
  const rows = await db.query<{ place: number }>(sql`
    WITH followed AS MATERIALIZED (${shownRepositories(scope, viewer)}),
    merged AS MATERIALIZED (${mergedWithin(whole, listed)})
    SELECT wanted.place
    FROM unnest((SELECT ${begins}::timestamptz[]), (SELECT ${ends}::timestamptz[]))
      WITH ORDINALITY AS wanted (begins, ends, place)
    WHERE EXISTS (SELECT FROM merged WHERE merged.merged_at >= wanted.begins AND merged.merged_at < wanted.ends)
    ORDER BY wanted.place`);
  return rows.flatMap(({ place }) => spans[Number(place) - 1] ?? []);
}
