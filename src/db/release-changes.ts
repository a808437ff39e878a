import type { Queries } from './database.ts';
import { type Sql, sql } from './sql.ts';

/** Two tags of which the one leads to the other, and the pull requests that came between them. */
interface NotedRelease {
  host: string;
  hostRepoId: number;
  from: string;
  to: string;
  commits: number;
  numbers: number[];
  /** Whether these are all of them. */
  isWhole: boolean;
}

/** Notes with which release pull requests came. Of several that have one, the narrowest says most. */
export async function noteReleaseChanges(db: Queries, noted: NotedRelease): Promise<void> {
  const { host, hostRepoId, from, to, commits, isWhole } = noted;
  // Rows are locked in one order, those that go among them, so that of two that note the same neither waits for the other.
  const numbers = noted.numbers.toSorted((one, other) => one - other);
  // A tag may have been moved.
  const gone = isWhole
    ? sql`from_tag = ${from} AND to_tag = ${to} AND number <> ALL (${numbers}::bigint[])`
    : sql`false`;
  await db.query(sql`
    WITH known AS (SELECT id FROM repositories WHERE host = ${host} AND host_repo_id = ${hostRepoId}),
    locked AS MATERIALIZED (
      SELECT repository_id, number AS locked_number, ${gone} AS is_gone FROM release_changes
      WHERE repository_id = (SELECT id FROM known) AND (number = ANY (${numbers}::bigint[]) OR ${gone})
      ORDER BY number FOR UPDATE),
    removed AS (
      DELETE FROM release_changes USING locked
      WHERE release_changes.repository_id = locked.repository_id AND number = locked_number AND is_gone)
    INSERT INTO release_changes AS noted (repository_id, number, from_tag, to_tag, commits)
    SELECT known.id, number, ${from}, ${to}, ${commits}::integer FROM known CROSS JOIN unnest(${numbers}::bigint[]) AS number
    WHERE (SELECT count(*) FROM locked) >= 0
    ON CONFLICT (repository_id, number) DO UPDATE
    SET from_tag = excluded.from_tag, to_tag = excluded.to_tag, commits = excluded.commits
    WHERE excluded.commits < noted.commits`);
}

/** The release with which a pull request came, of `repositories` and `pull_requests`; null where that is not known. */
export const releaseOfPullRequest: Sql = sql`(
  SELECT jsonb_build_object('from', noted.from_tag, 'to', noted.to_tag) FROM release_changes AS noted
  WHERE noted.repository_id = repositories.id AND noted.number = pull_requests.number)`;
