import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { type Sql, sql } from './sql.ts';

const minute = 60 * 1000;

/** How long a response of the host counts for pages of a single article or pull request. */
export const freshWithinMs = 5 * minute;

/** How long the last response counts while the host does not respond. */
export const toleratedSilenceMs = 60 * minute;

interface AnyScope {
  userId: string | null;
  now: Date;
}

/** Lists show repositories that the host confirmed within this time. */
export interface ListScope extends AnyScope {
  purpose: 'list';
  confirmedWithinMs: number;
  /** A shorter time for private repositories. */
  grantConfirmedWithinMs?: number;
}

/**
 * A page of a single article or pull request: it shows repositories with a fresh response, or whose host is silent.
 * Before the host is asked again, everything that the viewer was ever shown can be found.
 */
export interface DetailScope extends AnyScope {
  purpose: 'detail' | 'beforeAskingHost';
}

export type VisibilityScope = ListScope | DetailScope;

type RowScope = (Omit<ListScope, 'userId'> | Omit<DetailScope, 'userId'>) & { userId: Sql | null };

const before = (now: Date, ms: number) => new Date(now.getTime() - ms);

const isUnrevoked = sql`(repositories.revoked_at IS NULL OR repositories.checked_at > repositories.revoked_at)`;

const isGrantUnrevoked = (userId: string | Sql | null): Sql => sql`
  grants.confirmed_at > GREATEST('-infinity', repositories.revoked_at,
    (SELECT rights_revoked_at FROM users WHERE users.id = ${userId}))`;

export const isRevoked = sql`repositories.revoked_at >= repositories.checked_at`;

/**
 * Whether a viewer may see anything of a repository. Every query that returns data of a repository joins `repositories`
 * and includes this condition. Private repositories are visible by the viewer's own grant, and removed ones to no
 * viewer.
 */
export function visibleTo(viewer: VisibilityScope | RowScope): Sql {
  const { userId, now, purpose } = viewer;
  const granted = sql`EXISTS (
    SELECT FROM repository_grants AS grants
    WHERE grants.repository_id = repositories.id AND grants.user_id = ${userId} AND NOT grants.withdrawn
      ${grantCounts(viewer)})`;
  // Written as a range, which the planner assumes to be a small part of all rows, as it usually is.
  const isListed =
    viewer.purpose === 'list'
      ? sql`AND NOT repositories.checked_at BETWEEN '-infinity' AND (SELECT ${listedAfter(viewer)}::timestamptz)`
      : sql``;
  const isReachable = sql`
    AND (repositories.unreachable_since IS NULL OR repositories.unreachable_since > ${before(now, toleratedSilenceMs)})`;
  return sql`NOT repositories.is_removed
    AND (NOT repositories.is_private ${isListed} ${purpose === 'beforeAskingHost' ? sql`` : sql`AND ${isUnrevoked}`} OR ${userId === null ? sql`false` : granted})
    ${purpose === 'beforeAskingHost' ? sql`` : isReachable}`;
}

/**
 * Whether a repository is hidden from a viewer, for subtracting hidden rows. The condition for anonymous viewers comes
 * first, because an index supports it.
 */
export function hiddenFrom(viewer: VisibilityScope): Sql {
  const fromAnonymous = sql`NOT (${visibleTo({ ...viewer, userId: null })})`;
  return viewer.userId === null ? fromAnonymous : sql`${fromAnonymous} AND NOT (${visibleTo(viewer)})`;
}

const listedAfter = ({ now, confirmedWithinMs }: Pick<ListScope, 'now' | 'confirmedWithinMs'>) =>
  before(now, confirmedWithinMs);

function grantCounts(viewer: VisibilityScope | RowScope): Sql {
  const lastAnswer = before(viewer.now, toleratedSilenceMs);
  if (viewer.purpose === 'beforeAskingHost') return sql``;
  const counts = sql`AND ${isGrantUnrevoked(viewer.userId)}`;
  if (viewer.purpose === 'list') {
    const { now, confirmedWithinMs, grantConfirmedWithinMs = confirmedWithinMs } = viewer;
    return sql`${counts} AND grants.confirmed_at > ${before(now, grantConfirmedWithinMs)}
      AND (grants.unreachable_since IS NULL OR grants.unreachable_since > ${lastAnswer})`;
  }
  return sql`${counts}
    AND (grants.confirmed_at > ${before(viewer.now, freshWithinMs)} OR grants.unreachable_since > ${lastAnswer})`;
}

/**
 * The time in milliseconds until which lists of an anonymous viewer stay the same without polling: until the first
 * repository is no longer confirmed, or its host has been silent too long.
 */
export async function findNextVisibilityLapse(
  db: Queries,
  { now, confirmedWithinMs }: Pick<ListScope, 'now' | 'confirmedWithinMs'>,
): Promise<number> {
  const [first] = await db.query<{ checkedAt: Date | null; unreachableSince: Date | null }>(sql`
    SELECT
      (SELECT min(checked_at) FROM repositories
        WHERE NOT is_private AND checked_at > ${listedAfter({ now, confirmedWithinMs })}) AS "checkedAt",
      (SELECT min(unreachable_since) FROM repositories
        WHERE unreachable_since > ${before(now, toleratedSilenceMs)}) AS "unreachableSince"`);
  const after = (since: Date | null | undefined, ms: number) =>
    since ? since.getTime() + ms : Number.POSITIVE_INFINITY;
  return Math.min(
    after(first?.checkedAt, confirmedWithinMs),
    after(first?.unreachableSince, toleratedSilenceMs),
  );
}

/** A response that no longer counts is treated as none. */
const unless = (counts: Sql, answeredAt: Sql): Sql =>
  sql`CASE WHEN ${counts} THEN ${answeredAt} ELSE 'epoch' END`;

/** The times of the host's response by which a viewer sees a repository, and of the first missing response since. */
export function repositoriesKnownTo({ userId }: { userId: string | Sql | null }): Sql {
  const known = (shared: Sql, own: Sql) =>
    userId === null
      ? shared
      : sql`CASE WHEN repositories.is_private THEN (
          SELECT ${own} FROM repository_grants AS grants
          WHERE grants.repository_id = repositories.id AND grants.user_id = ${userId}) ELSE ${shared} END`;
  const ownAnswer = unless(isGrantUnrevoked(userId), sql`grants.confirmed_at`);
  return sql`${known(unless(isUnrevoked, sql`repositories.checked_at`), ownAnswer)} AS "checkedAt",
    ${known(
      sql`repositories.unreachable_since`,
      sql`COALESCE(repositories.unreachable_since, grants.unreachable_since)`,
    )} AS "unreachableSince"`;
}

export interface Repository
  extends Pick<Tables['repositories'], 'id' | 'host' | 'hostRepoId' | 'owner' | 'name' | 'isPrivate'> {
  checkedAt: Date;
  unreachableSince: Date | null;
}

export const columnsFor = (viewer: { userId: string | Sql | null }): Sql => sql`
  repositories.id, repositories.host, repositories.host_repo_id, repositories.owner, repositories.name,
  repositories.is_private, ${repositoriesKnownTo(viewer)}`;

export function isHiddenBySilence(
  { unreachableSince }: { unreachableSince: Date | null },
  now: Date,
): boolean {
  return unreachableSince !== null && unreachableSince <= before(now, toleratedSilenceMs);
}
