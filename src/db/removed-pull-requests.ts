import type { Database, Queries } from './database.ts';
import { cancelJobs } from './given-up-jobs.ts';
import { isCalled, type RemovalTarget } from './removals.ts';
import { sql } from './sql.ts';

interface StoredCounts {
  /** Whether anything is: of a repository, also that it is known without any pull request. */
  isKnown: boolean;
  pullRequests: number;
  articles: number;
  likes: number;
}

/** How much is stored of something that an operator calls by its name, without a check of visibility. */
export async function countStored(db: Queries, { number, ...called }: RemovalTarget): Promise<StoredCounts> {
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

/** So few that their transaction is short, however large they are. */
const mostAtOnce = 5;

/** Deletes some of the pull requests that were removed, and returns how many. */
export async function deleteRemoved(database: Database, now: Date): Promise<number> {
  return database.transaction(async (tx) => {
    const ids = await findRemoved(tx);
    await deletePullRequests(tx, ids, now);
    return ids.length;
  });
}

/**
 * Deletes pull requests, with everything that was made of them and their diffs. The database tells those who keep pages. Locks
 * are taken in the order of those who publish and of those who like: jobs, pull requests, contents, ranking.
 */
export async function deletePullRequests(tx: Queries, ids: string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(sql`
    SELECT FROM writing_jobs WHERE pull_request_id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`);
  await tx.query(sql`SELECT FROM pull_requests WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`);
  const articles = sql`(SELECT id FROM articles WHERE pull_request_id = ANY(${ids}::uuid[]))`;
  await tx.query(sql`
    SELECT FROM article_contents WHERE article_id IN ${articles} ORDER BY article_id, language_code FOR UPDATE`);
  await cancelJobs(tx, ids, now);
  await tx.query(sql`DELETE FROM article_rankings WHERE article_id IN ${articles}`);
  await tx.query(sql`DELETE FROM pull_requests WHERE id = ANY(${ids}::uuid[])`);
  // What was removed is to be nowhere: its diff does not wait for those who are reading it.
  await tx.query(sql`DELETE FROM pull_request_diffs WHERE pull_request_id = ANY(${ids}::uuid[])`);
}

async function findRemoved(db: Queries): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    SELECT pull_requests.id FROM repositories
    JOIN pull_requests ON pull_requests.repository_id = repositories.id WHERE repositories.is_removed
    UNION
    SELECT pull_requests.id FROM removals
    JOIN repositories ON repositories.host = removals.host AND repositories.host_repo_id = removals.host_repo_id
    JOIN pull_requests
      ON pull_requests.repository_id = repositories.id AND pull_requests.number = removals.number
    LIMIT ${mostAtOnce}`);
  return rows.map(({ id }) => id);
}
