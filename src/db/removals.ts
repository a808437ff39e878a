import { type Database, publicChannel, type Queries } from './database.ts';
import { cancelJobsAbout } from './jobs.ts';
import { deleteAnswersFrom } from './questions.ts';
import type { Tables } from './schema.ts';
import { hiding, type Sql, sql } from './sql.ts';

/** Sent to the channel of public changes when something was removed. */
export const removalMessage = 'removal';

type SeenRepository = Pick<Tables['repositories'], 'host' | 'hostRepoId' | 'owner' | 'name'>;

export interface RemovalTarget extends Pick<Tables['repositories'], 'host' | 'owner' | 'name'> {
  number: number | null;
}

interface Removal {
  isWhole: boolean;
  numbers: ReadonlySet<number>;
  isByName: boolean;
}

const isCalled = ({ host, owner, name }: Omit<RemovalTarget, 'number'>): Sql =>
  sql`host = ${host} AND lower(owner) = lower(${owner}) AND lower(name) = lower(${name})`;

const isRemovalOf = (seen: SeenRepository): Sql => sql`
  (host = ${seen.host} AND host_repo_id = ${seen.hostRepoId} OR host_repo_id IS NULL AND ${isCalled(seen)})`;

export const isRepositoryRemoved = (seen: SeenRepository): Sql =>
  sql`EXISTS (SELECT FROM removals WHERE number IS NULL AND ${isRemovalOf(seen)})`;

export async function findRemoval(db: Queries, seen: SeenRepository): Promise<Removal> {
  const rows = await db.query<Pick<Tables['removals'], 'number'> & { isByName: boolean }>(sql`
    SELECT number, host_repo_id IS NULL AS "isByName" FROM removals WHERE ${isRemovalOf(seen)}`);
  const numbers = rows.flatMap(({ number }) => number ?? []);
  return {
    isWhole: numbers.length < rows.length,
    numbers: new Set(numbers),
    isByName: rows.some(({ isByName }) => isByName),
  };
}

/**
 * Adds the host's id to removals that are known by name. Returns their pull requests' numbers; null stands for a whole
 * repository.
 */
const learnId = (tx: Queries, seen: SeenRepository) =>
  tx.values<Tables['removals']['number']>(sql`
    UPDATE removals SET host_repo_id = ${seen.hostRepoId}
    WHERE host_repo_id IS NULL AND ${isCalled(seen)} AND NOT EXISTS (
      SELECT FROM removals AS known
      WHERE known.host = removals.host AND known.host_repo_id = ${seen.hostRepoId}
        AND known.number IS NOT DISTINCT FROM removals.number)
    RETURNING number`);

export const isNameRemoved = (db: Queries, { number, ...called }: RemovalTarget & { number: number }) =>
  db.any(sql`
    SELECT 1 FROM removals WHERE ${isCalled(called)} AND (number IS NULL OR number = ${number}) LIMIT 1`);

/**
 * Removes everything under a name: it is hidden from all viewers and not stored again. The lock waits for transactions
 * that are storing a repository, and makes later ones wait. False if it was removed already.
 */
export async function insertRemoval(tx: Queries, target: RemovalTarget, now: Date): Promise<boolean> {
  const { host, owner, name, number } = target;
  await tx.query(sql`LOCK TABLE repositories IN SHARE ROW EXCLUSIVE MODE`);
  await tx.query(hiding(sql`SELECT pg_notify(${publicChannel}, ${removalMessage})`));
  const inserted = await tx.query(sql`
    WITH called AS (SELECT host_repo_id, owner, name FROM repositories WHERE ${isCalled(target)})
    INSERT INTO removals (host, host_repo_id, owner, name, number, removed_at)
    SELECT ${host}, host_repo_id, owner, name, ${number}::bigint, ${now}::timestamptz FROM called
    UNION ALL
    SELECT ${host}, NULL, ${owner}, ${name}, ${number}::bigint, ${now}::timestamptz WHERE NOT EXISTS (SELECT FROM called)
    ON CONFLICT DO NOTHING RETURNING 1`);
  for (const table of [sql`unreadable_diffs`, sql`release_changes`])
    await tx.query(sql`
      DELETE FROM ${table} AS noted USING repositories WHERE noted.repository_id = repositories.id AND ${isCalled(target)}
        ${number === null ? sql`` : sql`AND noted.number = ${number}`}`);
  if (number === null) {
    await tx.query(sql`
      UPDATE repositories SET is_removed = true WHERE ${isCalled(target)} AND NOT is_removed`);
    await forgetPlans(tx, target);
  }
  return inserted.length > 0;
}

/** Lock order: imports before planned articles, as everywhere. */
async function forgetPlans(tx: Queries, target: RemovalTarget): Promise<void> {
  const plans = [
    sql`jobs WHERE work = 'import'`,
    sql`jobs WHERE work IN ('planned', 'digest')`,
    sql`watches WHERE true`,
  ];
  for (const rows of plans)
    await tx.query(sql`
      DELETE FROM ${rows} AND repository_id IN (SELECT id FROM repositories WHERE ${isCalled(target)})`);
}

/** Accepts the name at the time of removal or the current one; false if it was not removed. */
export async function deleteRemoval(tx: Queries, target: RemovalTarget): Promise<boolean> {
  // Lock order: repositories before removals, as everywhere.
  await tx.query(sql`LOCK TABLE repositories IN SHARE ROW EXCLUSIVE MODE`);
  const gone = await tx.query<Pick<Tables['removals'], 'hostRepoId'>>(sql`
    DELETE FROM removals
    WHERE number IS NOT DISTINCT FROM ${target.number}::bigint AND (${isCalled(target)} OR (host, host_repo_id) IN (
      SELECT host, host_repo_id FROM repositories WHERE ${isCalled(target)}))
    RETURNING host_repo_id`);
  if (target.number === null) {
    const ids = gone.flatMap(({ hostRepoId }) => hostRepoId ?? []);
    await tx.query(sql`
      UPDATE repositories SET is_removed = false
      WHERE is_removed AND (${isCalled(target)} OR host = ${target.host} AND host_repo_id = ANY(${ids}::bigint[]))`);
  }
  return gone.length > 0;
}

interface StoredCounts {
  /** Whether the repository is stored, even if it has no pull requests. */
  isKnown: boolean;
  pullRequests: number;
  articles: number;
  likes: number;
}

/** Does not check visibility: for the operator. */
export async function countStoredForRemoval(
  db: Queries,
  { number, ...called }: RemovalTarget,
): Promise<StoredCounts> {
  const [counted] = await db.query<StoredCounts>(sql`
    SELECT count(${number === null ? sql`called.id` : sql`pull_requests.id`}) > 0 AS "isKnown",
      count(DISTINCT pull_requests.id) AS "pullRequests", count(DISTINCT articles.id) AS articles,
      coalesce(sum(contents.like_count), 0)::bigint AS likes
    FROM (SELECT id FROM repositories WHERE ${isCalled(called)}) AS called
    LEFT JOIN pull_requests ON pull_requests.repository_id = called.id
      ${number === null ? sql`` : sql`AND pull_requests.number = ${number}`}
    LEFT JOIN articles ON articles.pull_request_id = pull_requests.id
    LEFT JOIN article_contents AS contents ON contents.article_id = articles.id`);
  return counted ?? { isKnown: false, pullRequests: 0, articles: 0, likes: 0 };
}

/** The pull requests removed in one transaction: few, so that it is short even if they are large. */
const mostAtOnce = 5;

export const deleteRemovedRepository = (database: Database, now: Date) =>
  database.transaction(async (tx) => {
    const ids = await findRemoved(tx);
    await deletePullRequests(tx, ids, now);
    return ids.length;
  });

/** Deletes pull requests with all their data. Lock order: jobs, pull requests, contents, ranking. */
export async function deletePullRequests(tx: Queries, ids: string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(sql`
    SELECT FROM jobs WHERE pull_request_id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`);
  await tx.query(sql`SELECT FROM pull_requests WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`);
  const articles = sql`(SELECT id FROM articles WHERE pull_request_id = ANY(${ids}::uuid[]))`;
  await tx.query(sql`
    SELECT FROM article_contents WHERE article_id IN ${articles} ORDER BY article_id, language_code FOR UPDATE`);
  await cancelJobsAbout(tx, ids, now);
  await deleteAnswersFrom(tx, ids);
  await deleteParagraphsFrom(tx, ids);
  await tx.query(sql`DELETE FROM article_rankings WHERE article_id IN ${articles}`);
  await tx.query(sql`DELETE FROM pull_requests WHERE id = ANY(${ids}::uuid[])`);
  await tx.query(sql`DELETE FROM pull_request_diffs WHERE pull_request_id = ANY(${ids}::uuid[])`);
}

/** A paragraph is written again, without these pull requests, if its period is the last one. */
const deleteParagraphsFrom = (tx: Queries, pullRequestIds: string[]) =>
  tx.run(sql`
    DELETE FROM digest_paragraphs USING pull_requests
    WHERE pull_requests.id = ANY(${pullRequestIds}::uuid[]) AND digest_paragraphs.repository_id = pull_requests.repository_id
      AND digest_paragraphs.sources @> jsonb_build_array(jsonb_build_object('pullRequestId', pull_requests.id))`);

const findRemoved = (db: Queries) =>
  db.values<string>(sql`
    SELECT pull_requests.id FROM repositories
    JOIN pull_requests ON pull_requests.repository_id = repositories.id WHERE repositories.is_removed
    UNION
    SELECT pull_requests.id FROM removals
    JOIN repositories ON repositories.host = removals.host AND repositories.host_repo_id = removals.host_repo_id
    JOIN pull_requests
      ON pull_requests.repository_id = repositories.id AND pull_requests.number = removals.number
    LIMIT ${mostAtOnce}`);

/**
 * Adds the host's id to removals by name, so that the repository stays removed under other names, and hides or deletes
 * its stored data.
 */
export async function learnRemovals(tx: Queries, seen: SeenRepository, now: Date): Promise<void> {
  if (!(await findRemoval(tx, seen)).isByName) return;
  const { host, hostRepoId } = seen;
  const id = await tx.value<string>(sql`
    SELECT id FROM repositories WHERE host = ${host} AND host_repo_id = ${hostRepoId} FOR NO KEY UPDATE`);
  const learned = await learnId(tx, seen);
  if (!id || learned.length === 0) return;
  const isWhole = learned.includes(null);
  const removed = sql`repository_id = ${id} AND (${isWhole} OR number = ANY(${learned}::bigint[]))`;
  await tx.query(sql`DELETE FROM unreadable_diffs WHERE ${removed}`);
  if (isWhole) {
    await tx.run(sql`UPDATE repositories SET is_removed = true WHERE id = ${id} AND NOT is_removed`);
    return;
  }
  const gone = await tx.values<string>(sql`SELECT id FROM pull_requests WHERE ${removed}`);
  await deletePullRequests(tx, gone, now);
}

export async function findLearnedRemoval(
  database: Database,
  seen: SeenRepository,
  now: Date,
): Promise<Removal> {
  const removal = await findRemoval(database, seen);
  if (removal.isByName) await database.transaction((tx) => learnRemovals(tx, seen, now));
  return removal;
}
