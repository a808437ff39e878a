import type { Identity } from '../domain/accounts.ts';
import type { JobError } from '../domain/jobs.ts';
import type { Queries } from './database.ts';
import {
  announceQueuedJobs,
  type ClaimedMirror,
  changeJobs,
  failJob,
  finishJob,
  type HeldJob,
  insertJob,
  isJobUnheld,
  putJobBack,
} from './job-queue.ts';
import { addJobRequester } from './jobs.ts';
import type { Tables } from './schema.ts';
import { type Sql, sql } from './sql.ts';

type Columns = Tables['added_repositories'];

export interface AddedRepository
  extends Pick<Columns, 'id' | 'owner' | 'name' | 'isPrivate' | 'folder' | 'address' | 'createdAt'>,
    Pick<Columns, 'refreshedAt'> {
  isReady: boolean;
  refreshError: JobError | null;
  isRefreshing: boolean;
}

const isReady = sql`(added.folder IS NOT NULL OR added.refreshed_at IS NOT NULL)`;

/** A refresh that is running, or that a user requested, has no start time. */
const columns = sql`added.id, added.owner, added.name, added.is_private, added.folder, added.address, added.created_at,
  added.refreshed_at, ${isReady} AS is_ready, refresh.error AS refresh_error,
  refresh.id IS NOT NULL AND (refresh.not_before IS NULL OR NOT ${isJobUnheld}) AS is_refreshing`;

const withRefresh = sql`
  FROM added_repositories AS added LEFT JOIN jobs AS refresh ON refresh.work = 'refresh' AND refresh.subject = added.id::text`;

const isShownTo = (userId: string): Sql => sql`(added.user_id = ${userId} OR NOT added.is_private)`;

interface Addition extends Pick<Columns, 'owner' | 'name' | 'isPrivate'> {
  clone: { folder: string; root: string; defaultRef: string | null } | { address: string };
}

/** Returns null if the name is taken. A clone is ready at once; a mirror is made by a job with the id of the entry. */
export async function insertAddedRepository(
  tx: Queries,
  { owner, name, isPrivate, clone }: Addition,
  { userId, now }: { userId: string; now: Date },
): Promise<string | null> {
  const { folder, root, defaultRef, address } = {
    ...{ folder: null, root: null, defaultRef: null, address: null },
    ...clone,
  };
  const id = await tx.value<string>(sql`
    INSERT INTO added_repositories (user_id, owner, name, is_private, folder, root, default_ref, address, created_at)
    VALUES (${userId}, ${owner}, ${name}, ${isPrivate}, ${folder}, ${root}, ${defaultRef}, ${address}, ${now})
    ON CONFLICT (lower(owner), lower(name)) DO NOTHING RETURNING id`);
  if (id === null || address === null) return id;
  const detail = { owner, name, address };
  await insertJob(tx, { work: 'mirror', subject: [id], id, detail }, { userId, isPlanned: false }, now);
  await addJobRequester(tx, { jobId: id, userId });
  return id;
}

export function findSameAddedRepository(
  db: Queries,
  { owner, name, isPrivate, clone }: Addition,
  userId: string,
): Promise<AddedRepository | null> {
  const { folder, address } = { folder: null, address: null, ...clone };
  return db.first<AddedRepository>(sql`
    SELECT ${columns} ${withRefresh}
    WHERE added.user_id = ${userId} AND lower(added.owner) = lower(${owner}) AND lower(added.name) = lower(${name})
      AND added.is_private = ${isPrivate} AND added.folder IS NOT DISTINCT FROM ${folder}
      AND added.address IS NOT DISTINCT FROM ${address}`);
}

export async function listAddedRepositories(
  db: Queries,
  { userId, limit, offset }: { userId: string; limit: number; offset: number },
): Promise<{ rows: AddedRepository[]; total: number }> {
  const shown = sql`${withRefresh} WHERE ${isShownTo(userId)}`;
  const rows = await db.query<AddedRepository>(sql`
    SELECT ${columns} ${shown} ORDER BY added.created_at DESC, added.id LIMIT ${limit} OFFSET ${offset}`);
  return { rows, total: await db.count(sql`SELECT count(*) ${shown}`) };
}

/** Lock order: the job, which may be adding its refresh, before the entry. */
async function deleteAdditions(tx: Queries, ids: string[], now: Date): Promise<void> {
  await tx.run(changeJobs(sql`state = 'cancelled', finished_at = ${now}`, sql`id = ANY(${ids}::uuid[])`));
  await tx.run(sql`DELETE FROM jobs WHERE work = 'refresh' AND subject = ANY(${ids}::text[])`);
  await tx.run(sql`DELETE FROM added_repositories WHERE id = ANY(${ids}::uuid[])`);
}

export async function removeAddedRepositoryRow(
  tx: Queries,
  { id, userId, now }: { id: string; userId: string; now: Date },
) {
  const removed = await tx.first<Pick<Columns, 'owner' | 'name' | 'address'>>(sql`
    SELECT owner, name, address FROM added_repositories AS added WHERE id = ${id} AND ${isShownTo(userId)}`);
  if (removed) await deleteAdditions(tx, [id], now);
  return removed;
}

/** Private additions are visible to their user only, so they are deleted with the account. */
export async function deletePrivateAddedRepositories(
  tx: Queries,
  userId: string,
  now: Date,
): Promise<string[]> {
  const ids = await tx.values<string>(
    sql`SELECT id FROM added_repositories WHERE user_id = ${userId} AND is_private`,
  );
  await deleteAdditions(tx, ids, now);
  return ids;
}

export interface StoredClone
  extends Pick<Columns, 'id' | 'owner' | 'name' | 'folder' | 'root' | 'defaultRef'> {
  /** The user who added the clone, if only they may see it. */
  onlyFor: Pick<Identity, 'host' | 'hostUserId'> | null;
}

/** Does not check visibility: the code host decides by `onlyFor`. */
export async function listAddedClones(db: Queries): Promise<StoredClone[]> {
  const rows = await db.query<
    Omit<StoredClone, 'onlyFor'> &
      Pick<Columns, 'isPrivate'> & { host: string | null; hostUserId: number | null }
  >(sql`
    SELECT added.id, added.owner, added.name, added.folder, added.root, added.default_ref, added.is_private, identities.host,
      identities.host_user_id
    FROM added_repositories AS added
    LEFT JOIN users ON users.id = added.user_id
    LEFT JOIN identities ON identities.id = users.identity_id
    WHERE ${isReady} ORDER BY added.created_at, added.id`);
  return rows.map(({ isPrivate, host, hostUserId, ...clone }) => ({
    ...clone,
    onlyFor: isPrivate ? { host: host ?? '', hostUserId: hostUserId ?? -1 } : null,
  }));
}

export const listAddedRepositoryIds = (db: Queries) =>
  db.values<string>(sql`SELECT id FROM added_repositories`);

/** A new mirror gets a job that refreshes it. Returns false if the worker has lost the job. */
export async function finishMirror(
  tx: Queries,
  job: ClaimedMirror,
  { nextAt, now }: { nextAt: Date; now: Date },
): Promise<boolean> {
  const isHeld = await finishJob(tx, job, { step: 'mirroring', done: 100, total: 100 }, now);
  if (!isHeld) return false;
  const { subject, detail } = job;
  await tx.run(sql`UPDATE added_repositories SET refreshed_at = ${now} WHERE id = ${subject}::uuid`);
  const refresh = { subject: [subject], detail, notBefore: nextAt };
  await insertJob(tx, { work: 'refresh', ...refresh }, { userId: null, isPlanned: false }, now);
  return true;
}

export async function failMirror(tx: Queries, job: HeldJob, error: JobError, now: Date): Promise<void> {
  if (await failJob(tx, job, error, now))
    await tx.run(sql`DELETE FROM added_repositories WHERE id = ${job.id}`);
}

/** Returns false if the worker has lost the job, or the repository was removed. */
export async function endMirrorRefresh(
  tx: Queries,
  job: ClaimedMirror,
  { error, nextAt, now }: { error: JobError | null; nextAt: Date; now: Date },
): Promise<boolean> {
  const isHeld = await putJobBack(tx, job, { now, until: nextAt, error });
  if (isHeld && !error)
    await tx.run(sql`UPDATE added_repositories SET refreshed_at = ${now} WHERE id = ${job.subject}::uuid`);
  return isHeld;
}

export async function requestMirrorRefresh(tx: Queries, { id, userId }: { id: string; userId: string }) {
  const isRequested = await tx.any(sql`
    UPDATE jobs SET not_before = NULL FROM added_repositories AS added
    WHERE work = 'refresh' AND subject = ${id} AND added.id::text = subject AND ${isShownTo(userId)} RETURNING jobs.id`);
  if (isRequested) await tx.run(announceQueuedJobs);
  return isRequested;
}

/** Clones added by a version that did not store roots. */
export const listClonesWithoutRoot = (db: Queries) =>
  db.query<{ id: string; folder: string }>(
    sql`SELECT id, folder FROM added_repositories WHERE folder IS NOT NULL AND root IS NULL`,
  );

export const saveRootCommit = (db: Queries, { id, root }: { id: string; root: string }) =>
  db.run(sql`UPDATE added_repositories SET root = ${root} WHERE id = ${id} AND root IS NULL`);
