import type { DiffRange } from '../domain/diff-range.ts';
import type { Queries } from './database.ts';
import { type Sql, sql } from './sql.ts';

/** A diff, and the terms on which it is read: the program and its limits. */
interface DiffOnTerms extends DiffRange {
  terms: string;
}

const isOf = ({ baseSha, headSha, terms }: DiffOnTerms): Sql => sql`
  unreadable_diffs.base_sha = ${baseSha} AND unreadable_diffs.head_sha = ${headSha} AND unreadable_diffs.terms = ${terms}`;

/** Why a diff could not be read while it was fetched, if it has been tried on these terms. */
export async function findUnfetchable(
  db: Queries,
  { host, hostRepoId, number, ...diff }: DiffOnTerms & { host: string; hostRepoId: number; number: number },
): Promise<string | null> {
  const [row] = await db.query<{ message: string }>(sql`
    SELECT message FROM unreadable_diffs JOIN repositories ON repositories.id = unreadable_diffs.repository_id
    WHERE repositories.host = ${host} AND repositories.host_repo_id = ${hostRepoId}
      AND unreadable_diffs.number = ${number} AND step = 'fetching' AND ${isOf(diff)}`);
  return row?.message ?? null;
}

/** Why a stored diff could not be written about, if it has been tried on these terms. */
export async function findUnreadable(
  db: Queries,
  { pullRequestId, ...diff }: DiffOnTerms & { pullRequestId: string },
): Promise<string | null> {
  const [row] = await db.query<{ message: string }>(sql`
    SELECT message FROM unreadable_diffs
    JOIN pull_requests USING (repository_id, number)
    WHERE pull_requests.id = ${pullRequestId} AND ${isOf(diff)}`);
  return row?.message ?? null;
}

interface Outcome {
  message: string;
  now: Date;
}

const replaceEarlier = sql`
  ON CONFLICT (repository_id, number) DO UPDATE SET
    base_sha = excluded.base_sha, head_sha = excluded.head_sha, step = excluded.step, terms = excluded.terms,
    message = excluded.message, noted_at = excluded.noted_at`;

export async function noteUnfetchable(
  tx: Queries,
  { repositoryId, number, ...diff }: DiffOnTerms & { repositoryId: string; number: number },
  { message, now }: Outcome,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO unreadable_diffs (repository_id, number, base_sha, head_sha, step, terms, message, noted_at)
    VALUES (${repositoryId}, ${number}, ${diff.baseSha}, ${diff.headSha}, 'fetching', ${diff.terms}, ${message}, ${now})
    ${replaceEarlier}`);
}

export async function noteUnreadable(
  tx: Queries,
  { pullRequestId, ...diff }: DiffOnTerms & { pullRequestId: string },
  { message, now }: Outcome,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO unreadable_diffs (repository_id, number, base_sha, head_sha, step, terms, message, noted_at)
    SELECT repository_id, number, ${diff.baseSha}, ${diff.headSha}, 'writing', ${diff.terms}, ${message}, ${now}
    FROM pull_requests WHERE id = ${pullRequestId}
    ${replaceEarlier}`);
}

export const notedBefore = (before: Date): Sql => sql`unreadable_diffs.noted_at < ${before}`;

/** Forgets what could not be read so long ago that it may be tried once more. */
export async function deleteOldUnreadable(db: Queries, before: Date): Promise<void> {
  await db.query(sql`DELETE FROM unreadable_diffs WHERE ${notedBefore(before)}`);
}
