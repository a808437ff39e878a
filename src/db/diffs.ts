import type { DiffRange } from '../domain/pull-requests.ts';
import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { type Sql, separated, sql } from './sql.ts';

/**
 * Whether a text about a diff is outdated: the pull request has another diff now or is gone, or a webhook reported a
 * push since it was fetched. A null base is unknown.
 */
export const isOutdated = (pullRequest: Sql, baseSha: Sql, headSha: Sql): Sql => sql`(
  (${pullRequest}.base_sha, ${pullRequest}.head_sha) IS DISTINCT FROM (${baseSha}, ${headSha})
  OR (${pullRequest}.has_moved AND ${pullRequest}.outdated_at > ${pullRequest}.fetched_at) IS TRUE)`;

export type DiffPart = Pick<Tables['pull_request_diffs'], 'firstFile' | 'lastFile' | 'compressed'>;

export interface StoredDiff
  extends Pick<Tables['pull_requests'], 'id' | 'baseSha' | 'headSha' | 'fetchedAt' | 'cutAtBytes'>,
    Pick<Tables['repositories'], 'isPrivate'> {
  isOutdated: boolean;
  hostVersion: string | null;
  isMerged: boolean;
}

/** Does not check visibility: for deciding what to fetch, not for showing. */
export const findStoredDiff = (
  db: Queries,
  { host, hostRepoId, number }: { host: string; hostRepoId: number; number: number },
) =>
  db.first<StoredDiff>(sql`
    SELECT pull_requests.id, pull_requests.base_sha, pull_requests.head_sha, pull_requests.cut_at_bytes,
      pull_requests.fetched_at, pull_requests.host_version,
      coalesce(pull_requests.outdated_at > pull_requests.fetched_at, false) AS "isOutdated", repositories.is_private,
      pull_requests.state = 'merged' AS "isMerged"
    FROM pull_requests JOIN repositories ON repositories.id = pull_requests.repository_id
    WHERE repositories.host = ${host} AND repositories.host_repo_id = ${hostRepoId}
      AND pull_requests.number = ${number}`);

export type DiffRevision = Pick<Tables['pull_request_diffs'], 'pullRequestId' | 'revision'>;

/**
 * Locks the pull request, so that the result stays true until the transaction ends. With a shared lock, two workers
 * that publish about one pull request would deadlock.
 */
export const isCurrentDiff = async (tx: Queries, { pullRequestId, revision }: DiffRevision) =>
  revision ===
  (await tx.value<number>(sql`
    SELECT diff_revision FROM pull_requests WHERE id = ${pullRequestId} FOR NO KEY UPDATE`));

interface SavedDiff extends DiffRevision {
  parts: DiffPart[];
}

/** Parts of the previous diff stay for clients that are still reading them. */
export async function saveDiffs(tx: Queries, diffs: SavedDiff[], now: Date): Promise<void> {
  const replacing = diffs.flatMap(({ pullRequestId, revision }) => (revision > 1 ? pullRequestId : []));
  if (replacing.length > 0)
    await tx.query(sql`
      UPDATE pull_request_diffs SET replaced_at = ${now}
      WHERE pull_request_id = ANY(${replacing}::uuid[]) AND replaced_at IS NULL`);
  const rows = diffs.flatMap(({ pullRequestId, revision, parts }) =>
    parts.map(
      ({ firstFile, lastFile, compressed }) =>
        sql`(${pullRequestId}, ${revision}, ${firstFile}, ${lastFile}, ${compressed})`,
    ),
  );
  if (rows.length > 0)
    await tx.query(sql`
      INSERT INTO pull_request_diffs (pull_request_id, revision, first_file, last_file, compressed)
      VALUES ${separated(rows)}`);
}

const findPart = <Part>(
  db: Queries,
  { pullRequestId, revision, file }: DiffRevision & { file: number },
  columns: Sql,
) =>
  db.first<Part>(sql`
    SELECT * FROM (
      SELECT first_file, last_file, ${columns} FROM pull_request_diffs
      WHERE pull_request_id = ${pullRequestId} AND revision = ${revision} AND first_file <= ${file}
      ORDER BY first_file DESC LIMIT 1) AS part
    WHERE last_file >= ${file}`);

export const findDiffPart = (db: Queries, wanted: DiffRevision & { file: number }) =>
  findPart<DiffPart>(db, wanted, sql`compressed`);

/** Small slices, because each is held in memory until a slow client has received it. */
const sliceBytes = 32 * 1024;

export interface PartSlice extends Pick<Tables['pull_request_diffs'], 'firstFile' | 'lastFile'> {
  slice: Uint8Array;
  bytes: number;
}

export const findPartSlice = (
  db: Queries,
  { from, ...wanted }: DiffRevision & { file: number; from: number },
) =>
  findPart<PartSlice>(
    db,
    wanted,
    sql`octet_length(compressed) AS bytes,
      substring(compressed FROM ${from + 1}::integer FOR ${sliceBytes}::integer) AS slice`,
  );

/** Deleting this much takes a few milliseconds. */
const mostRemoved = { rows: 32, bytes: 4 * 1024 * 1024 };

export const diffsReplacedBefore = (before: Date): Sql => sql`pull_request_diffs.replaced_at < ${before}`;

export async function deleteReplacedDiffs(db: Queries, before: Date): Promise<number> {
  const gone = await db.query(sql`
    WITH few AS (
      SELECT pull_request_id, revision, first_file, octet_length(compressed) AS bytes FROM pull_request_diffs
      WHERE ${diffsReplacedBefore(before)} ORDER BY replaced_at LIMIT ${mostRemoved.rows}
      FOR UPDATE SKIP LOCKED),
    summed AS (
      SELECT *, sum(bytes) OVER (ORDER BY pull_request_id, revision, first_file) - bytes AS "bytesBefore" FROM few)
    DELETE FROM pull_request_diffs AS diffs USING summed
    WHERE diffs.pull_request_id = summed.pull_request_id AND diffs.revision = summed.revision
      AND diffs.first_file = summed.first_file AND summed."bytesBefore" < ${mostRemoved.bytes}
    RETURNING 1`);
  return gone.length;
}

interface DiffOnTerms extends DiffRange {
  terms: string;
}

const isUnreadableDiff = ({ baseSha, headSha, terms }: DiffOnTerms): Sql => sql`
  unreadable_diffs.base_sha = ${baseSha} AND unreadable_diffs.head_sha = ${headSha} AND unreadable_diffs.terms = ${terms}`;

export const findUnfetchableDiff = (
  db: Queries,
  { host, hostRepoId, number, ...diff }: DiffOnTerms & { host: string; hostRepoId: number; number: number },
) =>
  db.value<string>(sql`
    SELECT message FROM unreadable_diffs JOIN repositories ON repositories.id = unreadable_diffs.repository_id
    WHERE repositories.host = ${host} AND repositories.host_repo_id = ${hostRepoId}
      AND unreadable_diffs.number = ${number} AND step = 'fetching' AND ${isUnreadableDiff(diff)}`);

export const findUnreadableDiff = (
  db: Queries,
  { pullRequestId, ...diff }: DiffOnTerms & { pullRequestId: string },
) =>
  db.value<string>(sql`
    SELECT message FROM unreadable_diffs
    JOIN pull_requests USING (repository_id, number)
    WHERE pull_requests.id = ${pullRequestId} AND ${isUnreadableDiff(diff)}`);

/** Numbers of pull requests that are stored, or known to be too large to read. */
export const findStoredNumbers = async (
  db: Queries,
  { repositoryId, numbers }: { repositoryId: string; numbers: number[] },
): Promise<Set<number>> =>
  new Set(
    await db.values<number>(sql`
      SELECT number FROM pull_requests WHERE repository_id = ${repositoryId} AND number = ANY(${numbers}::bigint[])
      UNION
      SELECT number FROM unreadable_diffs WHERE repository_id = ${repositoryId} AND number = ANY(${numbers}::bigint[])`),
  );

interface Outcome {
  message: string;
  now: Date;
}

const saveUnreadable = (tx: Queries, rows: Sql) =>
  tx.run(sql`
    INSERT INTO unreadable_diffs (repository_id, number, base_sha, head_sha, step, terms, message, noted_at) ${rows}
    ON CONFLICT (repository_id, number) DO UPDATE SET
      base_sha = excluded.base_sha, head_sha = excluded.head_sha, step = excluded.step, terms = excluded.terms,
      message = excluded.message, noted_at = excluded.noted_at`);

export const noteUnfetchableDiff = (
  tx: Queries,
  { repositoryId, number, ...diff }: DiffOnTerms & { repositoryId: string; number: number },
  { message, now }: Outcome,
) =>
  saveUnreadable(
    tx,
    sql`VALUES (${repositoryId}, ${number}, ${diff.baseSha}, ${diff.headSha}, 'fetching', ${diff.terms}, ${message}, ${now})`,
  );

export const noteUnreadableDiff = (
  tx: Queries,
  { pullRequestId, ...diff }: DiffOnTerms & { pullRequestId: string },
  { message, now }: Outcome,
) =>
  saveUnreadable(
    tx,
    sql`SELECT repository_id, number, ${diff.baseSha}, ${diff.headSha}, 'writing', ${diff.terms}, ${message}, ${now}
      FROM pull_requests WHERE id = ${pullRequestId}`,
  );

export const unreadableNotedBefore = (before: Date): Sql => sql`unreadable_diffs.noted_at < ${before}`;

export const deleteOldUnreadableDiffs = (db: Queries, before: Date) =>
  db.run(sql`DELETE FROM unreadable_diffs WHERE ${unreadableNotedBefore(before)}`);
