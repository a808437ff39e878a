import type { Queries } from './database.ts';
import { sql } from './sql.ts';

interface OnHost {
  host: string;
  hostRepoId: number;
  number: number;
}

/** Issues of which more than their number is stored. */
const isTold = sql`(issue ->> 'title' <> '' OR issue ->> 'body' <> '')`;

/** The issues of which a stored pull request tells what they say, without a check of visibility: for forgetting them, never for showing. */
export async function findToldIssues(
  db: Queries,
  { host, hostRepoId, number }: OnHost,
): Promise<{ pullRequestId: string; issues: number[] } | null> {
  const rows = await db.query<{ pullRequestId: string; issue: number }>(sql`
    SELECT pull_requests.id AS "pullRequestId", (issue ->> 'number')::bigint AS issue
    FROM repositories
    JOIN pull_requests ON pull_requests.repository_id = repositories.id
    JOIN pull_request_contents AS contents ON contents.pull_request_id = pull_requests.id
    CROSS JOIN jsonb_array_elements(contents.linked_issues) AS issues (issue)
    WHERE repositories.host = ${host} AND repositories.host_repo_id = ${hostRepoId}
      AND pull_requests.number = ${number} AND ${isTold}`);
  const [first] = rows;
  return first ? { pullRequestId: first.pullRequestId, issues: rows.map(({ issue }) => issue) } : null;
}

/** The stored pull requests that tell what an issue says, by their ids. */
export async function findTellingOf(db: Queries, { host, hostRepoId, number }: OnHost): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    SELECT DISTINCT pull_requests.id
    FROM repositories
    JOIN pull_requests ON pull_requests.repository_id = repositories.id
    JOIN pull_request_contents AS contents ON contents.pull_request_id = pull_requests.id
    CROSS JOIN jsonb_array_elements(contents.linked_issues) AS issues (issue)
    WHERE repositories.host = ${host} AND repositories.host_repo_id = ${hostRepoId}
      AND (issue ->> 'number')::bigint = ${number} AND ${isTold}`);
  return rows.map(({ id }) => id);
}
