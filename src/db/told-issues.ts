import type { Queries } from './database.ts';
import { json, type Sql, sql } from './sql.ts';

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
export async function findTellingOf(db: Queries, { host, hostRepoId, number }: OnHost): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    SELECT pull_requests.id
    FROM repositories
    JOIN pull_requests ON pull_requests.repository_id = repositories.id
    JOIN pull_request_contents AS contents ON contents.pull_request_id = pull_requests.id
    WHERE repositories.host = ${host} AND repositories.host_repo_id = ${hostRepoId}
      AND ${number}::bigint = ANY(contents.told_issues)`);
  return rows.map(({ id }) => id);
}
