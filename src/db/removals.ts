import type { Queries } from './database.ts';
import { type Sql, sql } from './sql.ts';

/** A repository as its host describes it. */
export interface SeenRepository {
  host: string;
  hostRepoId: number;
  owner: string;
  name: string;
}

/** What an operator calls by its name: a repository, or one of its pull requests. */
export interface RemovalTarget {
  host: string;
  owner: string;
  name: string;
  /** Null for all of them. */
  number: number | null;
}

/** What was removed of a repository. */
export interface Removal {
  isWhole: boolean;
  numbers: ReadonlySet<number>;
  /** Whether some of it is known by the name alone. */
  isByName: boolean;
}

export const isCalled = ({ host, owner, name }: Omit<RemovalTarget, 'number'>): Sql =>
  sql`host = ${host} AND lower(owner) = lower(${owner}) AND lower(name) = lower(${name})`;

const isOf = (seen: SeenRepository): Sql => sql`
  (host = ${seen.host} AND host_repo_id = ${seen.hostRepoId} OR host_repo_id IS NULL AND ${isCalled(seen)})`;

/** Whether a repository was removed as a whole, as a value of a statement that stores it. */
export const isRemovedAsWhole = (seen: SeenRepository): Sql =>
  sql`EXISTS (SELECT FROM removals WHERE number IS NULL AND ${isOf(seen)})`;

/** What was removed of a repository that a host has shown. */
export async function findRemoval(db: Queries, seen: SeenRepository): Promise<Removal> {
  const rows = await db.query<{ number: number | null; isByName: boolean }>(
    sql`SELECT number, host_repo_id IS NULL AS "isByName" FROM removals WHERE ${isOf(seen)}`,
  );
  const numbers = rows.flatMap(({ number }) => number ?? []);
  return {
    isWhole: numbers.length < rows.length,
    numbers: new Set(numbers),
    isByName: rows.some(({ isByName }) => isByName),
  };
}

/** Gives what was removed by the name of a repository its id, and returns the numbers; null stands for all of them. */
export async function learnId(tx: Queries, seen: SeenRepository): Promise<(number | null)[]> {
  const learned = await tx.query<{ number: number | null }>(
    sql`
      UPDATE removals SET host_repo_id = ${seen.hostRepoId}
      WHERE host_repo_id IS NULL AND ${isCalled(seen)} AND NOT EXISTS (
        SELECT FROM removals AS known
        WHERE known.host = removals.host AND known.host_repo_id = ${seen.hostRepoId}
          AND known.number IS NOT DISTINCT FROM removals.number)
      RETURNING number`,
  );
  return learned.map(({ number }) => number);
}

/** Whether a pull request was removed that is known by name alone. */
export async function isRemovedByName(
  db: Queries,
  { number, ...called }: RemovalTarget & { number: number },
): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT 1 FROM removals WHERE ${isCalled(called)} AND (number IS NULL OR number = ${number}) LIMIT 1`,
  );
  return rows.length > 0;
}

/**
 * Notes that everything of a name is removed: from the end of the transaction on none of it is stored, and a repository
 * is hidden from every viewer. The lock waits for transactions that are storing one and has later ones wait, so that none
 * stores what a host has shown before. False when it had been removed already.
 */
export async function insertRemoval(tx: Queries, target: RemovalTarget, now: Date): Promise<boolean> {
  const { host, owner, name, number } = target;
  await tx.query(sql`LOCK TABLE repositories IN SHARE ROW EXCLUSIVE MODE`);
  const inserted = await tx.query(
    sql`
      WITH called AS (SELECT host_repo_id, owner, name FROM repositories WHERE ${isCalled(target)})
      INSERT INTO removals (host, host_repo_id, owner, name, number, removed_at)
      SELECT ${host}, host_repo_id, owner, name, ${number}::bigint, ${now}::timestamptz FROM called
      UNION ALL
      SELECT ${host}, NULL, ${owner}, ${name}, ${number}::bigint, ${now}::timestamptz WHERE NOT EXISTS (SELECT FROM called)
      ON CONFLICT DO NOTHING RETURNING 1`,
  );
  for (const table of [sql`unreadable_diffs`, sql`release_changes`])
    await tx.query(
      sql`
        DELETE FROM ${table} AS noted USING repositories WHERE noted.repository_id = repositories.id AND ${isCalled(target)}
          ${number === null ? sql`` : sql`AND noted.number = ${number}`}`,
    );
  if (number === null) {
    await tx.query(
      sql`UPDATE repositories SET is_removed = true WHERE ${isCalled(target)} AND NOT is_removed`,
    );
    await forgetPlans(tx, target);
  }
  return inserted.length > 0;
}

/** Imports first, because those who lock an import and what it planned do so too. */
async function forgetPlans(tx: Queries, target: RemovalTarget): Promise<void> {
  for (const table of [sql`imports`, sql`planned_articles`, sql`watches`])
    await tx.query(
      sql`DELETE FROM ${table} WHERE repository_id IN (SELECT id FROM repositories WHERE ${isCalled(target)})`,
    );
}

/** Lets something be fetched again, by the name under which it was removed or is known now; false when it was not removed. */
export async function deleteRemoval(tx: Queries, target: RemovalTarget): Promise<boolean> {
  // Those who store a repository lock it before what was removed of it.
  await tx.query(sql`LOCK TABLE repositories IN SHARE ROW EXCLUSIVE MODE`);
  const gone = await tx.query<{ hostRepoId: number | null }>(
    sql`
      DELETE FROM removals
      WHERE number IS NOT DISTINCT FROM ${target.number}::bigint AND (${isCalled(target)} OR (host, host_repo_id) IN (
        SELECT host, host_repo_id FROM repositories WHERE ${isCalled(target)}))
      RETURNING host_repo_id AS "hostRepoId"`,
  );
  if (target.number === null) {
    const ids = gone.flatMap(({ hostRepoId }) => hostRepoId ?? []);
    await tx.query(
      sql`
        UPDATE repositories SET is_removed = false
        WHERE is_removed AND (${isCalled(target)} OR host = ${target.host} AND host_repo_id = ANY(${ids}::bigint[]))`,
    );
  }
  return gone.length > 0;
}
