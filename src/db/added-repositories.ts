import type { Identity } from '../domain/accounts.ts';
import type { JobProgress } from '../domain/pull-requests.ts';
import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { json, type Sql, sql, withoutSync } from './sql.ts';
import { nextTurn } from './turns.ts';
import {
  announceQueued,
  changeAndNotify,
  isAlive,
  isHeldBy,
  isUnheld,
  type JobError,
  type RequestedJob,
  renewal,
} from './writing-jobs.ts';

type Columns = Tables['added_repositories'];

export interface AddedRepository
  extends Pick<
    Columns,
    'id' | 'owner' | 'name' | 'isPrivate' | 'folder' | 'address' | 'state' | 'createdAt'
  > {
  /** Of a finished mirror: when it was last up to date, and why it may no longer be. */
  refreshedAt: Date | null;
  refreshError: JobError | null;
  isRefreshing: boolean;
}

/** Of a finished mirror, `started_at` is when its last refresh began; null has it begin now. */
const isMirror = sql`state = 'done' AND address IS NOT NULL`;

const columns = sql`id, owner, name, is_private, folder, address, state, created_at,
  CASE WHEN ${isMirror} THEN finished_at END AS refreshed_at, CASE WHEN ${isMirror} THEN error END AS refresh_error,
  ${isMirror} AND (started_at IS NULL OR NOT ${isUnheld}) AS is_refreshing`;

/** What one user may know of: their own, and what everybody may see. */
const isShownTo = (userId: string): Sql => sql`(user_id = ${userId} OR NOT is_private)`;

const isListed = sql`state IN ('queued', 'running', 'done')`;

const change = (changed: Sql, which: Sql, of?: Sql): Sql =>
  changeAndNotify(sql`UPDATE added_repositories SET ${changed}, version = version + 1 WHERE ${which}`, of);

interface Addition extends Pick<Columns, 'owner' | 'name' | 'isPrivate'> {
  clone: { folder: string; root: string; defaultRef: string | null } | { address: string };
}

const waitingMirrors = { table: sql`added_repositories`, waiting: sql`state = 'queued'` };

/** Null if the name is taken. A clone is there at once; a mirror has to be made. */
export function insertAddition(
  tx: Queries,
  { owner, name, isPrivate, clone }: Addition,
  { userId, now }: { userId: string; now: Date },
): Promise<AddedRepository | null> {
  const { folder, root, defaultRef, address } = {
    ...{ folder: null, root: null, defaultRef: null, address: null },
    ...clone,
  };
  const [state, finishedAt] = folder === null ? ['queued', null] : ['done', now];
  return tx.first<AddedRepository>(
    changeAndNotify(
      sql`
        INSERT INTO added_repositories
          (user_id, owner, name, is_private, folder, root, default_ref, address, state, turn, created_at, finished_at)
        VALUES (${userId}, ${owner}, ${name}, ${isPrivate}, ${folder}, ${root}, ${defaultRef}, ${address}, ${state},
          ${nextTurn(waitingMirrors, userId)}, ${now}, ${finishedAt})
        ON CONFLICT (lower(owner), lower(name)) WHERE ${isListed} DO NOTHING`,
      columns,
    ),
  );
}

export function findSameAddition(
  db: Queries,
  { owner, name, isPrivate, clone }: Addition,
  userId: string,
): Promise<AddedRepository | null> {
  const { folder, address } = { folder: null, address: null, ...clone };
  return db.first<AddedRepository>(sql`
    SELECT ${columns} FROM added_repositories
    WHERE user_id = ${userId} AND lower(owner) = lower(${owner}) AND lower(name) = lower(${name})
      AND is_private = ${isPrivate} AND folder IS NOT DISTINCT FROM ${folder} AND address IS NOT DISTINCT FROM ${address}
      AND ${isListed}`);
}

export async function listAdditions(
  db: Queries,
  { userId, limit, offset }: { userId: string; limit: number; offset: number },
): Promise<{ rows: AddedRepository[]; total: number }> {
  const shown = sql`FROM added_repositories WHERE ${isListed} AND ${isShownTo(userId)}`;
  const rows = await db.query<AddedRepository>(sql`
    SELECT ${columns} ${shown} ORDER BY created_at DESC, id LIMIT ${limit} OFFSET ${offset}`);
  return { rows, total: await db.count(sql`SELECT count(*) ${shown}`) };
}

/** Takes one off the list, and ends making its mirror. Null if there is none that the user may know of. */
export const removeAddition = (tx: Queries, { id, userId, now }: { id: string; userId: string; now: Date }) =>
  tx.first<AddedRepository>(
    change(
      sql`state = 'cancelled', finished_at = ${now}`,
      sql`id = ${id} AND ${isListed} AND ${isShownTo(userId)}`,
      columns,
    ),
  );

/** What others may not see goes with its user. */
export const deletePrivateAdditions = (tx: Queries, userId: string) =>
  tx.values<string>(
    sql`DELETE FROM added_repositories WHERE user_id = ${userId} AND is_private RETURNING id`,
  );

export interface StoredClone
  extends Pick<Columns, 'id' | 'owner' | 'name' | 'folder' | 'root' | 'defaultRef'> {
  /** Whoever added it, where only they may see it. */
  onlyFor: Pick<Identity, 'host' | 'hostUserId'> | null;
}

/** No check of visibility: the code host decides by `onlyFor`. */
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
    WHERE added.state = 'done' ORDER BY added.created_at, added.id`);
  return rows.map(({ isPrivate, host, hostUserId, ...clone }) => ({
    ...clone,
    onlyFor: isPrivate ? { host: host ?? '', hostUserId: hostUserId ?? -1 } : null,
  }));
}

export const listAdditionIds = (db: Queries) =>
  db.values<string>(sql`SELECT id FROM added_repositories WHERE ${isListed}`);

export interface MirrorJob extends Pick<Columns, 'id' | 'attempt'> {
  address: string;
}

/** Claims a mirror to make, also one whose process died. Users take turns. */
export const claimMirror = (db: Queries, now: Date) =>
  db.first<MirrorJob>(
    change(
      sql`state = 'running', attempt = attempt + 1, heartbeat_at = clock_timestamp(),
        started_at = coalesce(started_at, ${now})`,
      sql`id = (
        SELECT id FROM added_repositories WHERE ${isAlive} AND ${isUnheld} ORDER BY turn, created_at, id LIMIT 1
        FOR UPDATE SKIP LOCKED)`,
      sql`id, attempt, address`,
    ),
  );

export const renewMirrors = (db: Queries, held: MirrorJob[]) =>
  db.query<Pick<MirrorJob, 'id' | 'attempt'>>(
    renewal(held, { table: sql`added_repositories`, id: sql`uuid` }),
  );

export const saveMirrorProgress = (
  db: Queries,
  job: MirrorJob,
  { done, total }: Pick<JobProgress, 'done' | 'total'>,
) => db.any(change(sql`done = ${done}, total = ${total}`, isHeldBy(job), withoutSync));

/** False when the worker has lost it, or it was cancelled. */
export const finishMirror = (db: Queries, job: MirrorJob, now: Date) =>
  db.any(change(sql`state = 'done', done = total, finished_at = ${now}, heartbeat_at = NULL`, isHeldBy(job)));

export const failMirror = (db: Queries, job: MirrorJob, error: JobError, now: Date) =>
  db.run(change(sql`state = 'failed', error = ${json(error)}, finished_at = ${now}`, isHeldBy(job)));

export const putMirrorBack = (db: Queries, job: MirrorJob) =>
  db.run(change(sql`state = 'queued', heartbeat_at = NULL`, isHeldBy(job)));

export interface RefreshJob extends MirrorJob {
  hasFailed: boolean;
}

/** Claims the mirror that was refreshed longest ago, if that was before the given time or somebody asked for it. */
export const claimRefresh = (db: Queries, { now, before }: { now: Date; before: Date }) =>
  db.first<RefreshJob>(
    change(
      sql`attempt = attempt + 1, heartbeat_at = clock_timestamp(), started_at = ${now}`,
      sql`id = (
        SELECT id FROM added_repositories
        WHERE ${isMirror} AND (started_at IS NULL OR started_at <= ${before}) AND ${isUnheld}
        ORDER BY started_at NULLS FIRST, id LIMIT 1 FOR UPDATE SKIP LOCKED)`,
      sql`id, attempt, address, error IS NOT NULL AS has_failed`,
    ),
  );

export const renewRefreshes = (db: Queries, held: RefreshJob[]) =>
  db.query<Pick<RefreshJob, 'id' | 'attempt'>>(
    renewal(held, { table: sql`added_repositories`, id: sql`uuid`, state: 'done' }),
  );

const endRefresh = (db: Queries, { id, attempt }: RefreshJob, changed: Sql) =>
  db.any(
    change(sql`heartbeat_at = NULL, ${changed}`, sql`id = ${id} AND attempt = ${attempt} AND state = 'done'`),
  );

/** False when the worker has lost it, or it was removed; so of the next two. */
export const finishRefresh = (db: Queries, job: RefreshJob, now: Date) =>
  endRefresh(db, job, sql`error = NULL, finished_at = ${now}`);

export const failRefresh = (db: Queries, job: RefreshJob, error: JobError) =>
  endRefresh(db, job, sql`error = ${json(error)}`);

export const putRefreshBack = (db: Queries, job: RefreshJob) =>
  endRefresh(db, job, sql`started_at = created_at`);

/** False if there is no such mirror that the user may know of. */
export async function requestRefresh(tx: Queries, { id, userId }: { id: string; userId: string }) {
  const isRequested = await tx.any(
    change(sql`started_at = NULL`, sql`id = ${id} AND ${isMirror} AND ${isShownTo(userId)}`),
  );
  if (isRequested) await tx.run(announceQueued);
  return isRequested;
}

export const cancelMirror = (db: Queries, { id, userId, now }: { id: string; userId: string; now: Date }) =>
  db.run(
    change(
      sql`state = 'cancelled', finished_at = ${now}`,
      sql`id = ${id} AND user_id = ${userId} AND ${isAlive}`,
    ),
  );

export async function findMirrorJob(
  db: Queries,
  { jobId, userId }: { jobId: string; userId: string },
): Promise<RequestedJob | null> {
  const row = await db.first<
    Pick<RequestedJob, 'id' | 'state' | 'version' | 'error' | 'done' | 'total'> &
      Pick<Columns, 'owner' | 'name' | 'startedAt'>
  >(sql`
    SELECT id, state, version, error, done, total, owner, name, started_at FROM added_repositories
    WHERE id = ${jobId} AND user_id = ${userId} AND address IS NOT NULL`);
  if (!row) return null;
  const { owner, name, startedAt, ...job } = row;
  const step = job.state === 'queued' ? 'queued' : 'mirroring';
  const error = job.state === 'done' ? null : job.error;
  return { ...job, error, step, articleId: null, mirror: { owner, name, startedAt } };
}

/** Clones that were added before roots were stored. */
export const listRootless = (db: Queries) =>
  db.query<{ id: string; folder: string }>(
    sql`SELECT id, folder FROM added_repositories WHERE folder IS NOT NULL AND root IS NULL AND ${isListed}`,
  );

export const saveRoot = (db: Queries, { id, root }: { id: string; root: string }) =>
  db.run(sql`UPDATE added_repositories SET root = ${root} WHERE id = ${id} AND root IS NULL`);

export const deleteFailedAdditions = (db: Queries, before: Date) =>
  db.run(
    sql`DELETE FROM added_repositories WHERE state IN ('failed', 'cancelled') AND finished_at < ${before}`,
  );
