import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { type Sql, sql } from './sql.ts';

const minute = 60 * 1000;

/** How long an answer of the host holds for a viewer who looks at one thing. */
export const freshForMs = 5 * minute;

/** How long what is known about a repository holds while its host does not answer. */
export const silenceMs = 60 * minute;

/** Who is looking, and when; null stands for an anonymous viewer. */
interface AnyViewer {
  userId: string | null;
  now: Date;
}

/** Who is looking at a list, and how long ago the host may have confirmed what it shows. */
export interface ListViewer extends AnyViewer {
  purpose: 'list';
  listedForMs: number;
  /** The same for what is private, where that is less. */
  grantedForMs?: number;
}

/**
 * Who is looking at one thing. It shows if what is known is fresh, or cannot be renewed because the host is silent. A
 * renewal, which asks the host, may find anything that it once showed to the viewer.
 */
export interface DetailViewer extends AnyViewer {
  purpose: 'detail' | 'renewal';
}

export type VisibilityViewer = ListViewer | DetailViewer;

/** As many viewers as there are rows: who is looking is a column. */
type RowViewer = (Omit<ListViewer, 'userId'> | Omit<DetailViewer, 'userId'>) & { userId: Sql | null };

const before = (now: Date, ms: number) => new Date(now.getTime() - ms);

/** What a host said of a public repository counts unless the host told since that something has changed. */
const isUnrevoked = sql`(repositories.revoked_at IS NULL OR repositories.checked_at > repositories.revoked_at)`;

/** The same for what it said to one user. */
const isGrantUnrevoked = (userId: string | Sql | null): Sql => sql`
  grants.confirmed_at > GREATEST('-infinity', repositories.revoked_at,
    (SELECT rights_revoked_at FROM users WHERE users.id = ${userId}))`;

/** Whether the host has told that something has changed since it last said whether a public repository is one. */
export const isRevoked = sql`repositories.revoked_at >= repositories.checked_at`;

/**
 * Whether a viewer may see anything of a repository. Every query that returns something of a repository joins
 * `repositories` and has this among its conditions. Private ones show by the viewer's own grant, and by its own age; what an
 * operator has removed is hidden from every viewer.
 */
export function visibleTo(viewer: VisibilityViewer | RowViewer): Sql {
  const { userId, now, purpose } = viewer;
  const granted = sql`EXISTS (
    SELECT FROM repository_grants AS grants
    WHERE grants.repository_id = repositories.id AND grants.user_id = ${userId} AND NOT grants.withdrawn
      ${grantCounts(viewer)})`;
  // Said as a range, because the planner takes it for a small part of all, which it usually is.
  const isListed =
    viewer.purpose === 'list'
      ? sql`AND NOT repositories.checked_at BETWEEN '-infinity' AND (SELECT ${listedAfter(viewer)}::timestamptz)`
      : sql``;
  const isReachable = sql`
    AND (repositories.unreachable_since IS NULL OR repositories.unreachable_since > ${before(now, silenceMs)})`;
  return sql`NOT repositories.is_removed
    AND (NOT repositories.is_private ${isListed} ${purpose === 'renewal' ? sql`` : sql`AND ${isUnrevoked}`} OR ${userId === null ? sql`false` : granted})
    ${purpose === 'renewal' ? sql`` : isReachable}`;
}

/**
 * Whether nothing of a repository shows to a viewer, for taking what is hidden off a list: what is hidden from
 * anonymous viewers comes first, because that is found by indexes and usually little.
 */
export function hiddenFrom(viewer: VisibilityViewer): Sql {
  const fromAnonymous = sql`NOT (${visibleTo({ ...viewer, userId: null })})`;
  return viewer.userId === null ? fromAnonymous : sql`${fromAnonymous} AND NOT (${visibleTo(viewer)})`;
}

const listedAfter = ({ now, listedForMs }: Pick<ListViewer, 'now' | 'listedForMs'>) =>
  before(now, listedForMs);

function grantCounts(viewer: VisibilityViewer | RowViewer): Sql {
  const lastAnswer = before(viewer.now, silenceMs);
  if (viewer.purpose === 'renewal') return sql``;
  const counts = sql`AND ${isGrantUnrevoked(viewer.userId)}`;
  if (viewer.purpose === 'list') {
    const { now, listedForMs, grantedForMs = listedForMs } = viewer;
    return sql`${counts} AND grants.confirmed_at > ${before(now, grantedForMs)}
      AND (grants.unreachable_since IS NULL OR grants.unreachable_since > ${lastAnswer})`;
  }
  return sql`${counts}
    AND (grants.confirmed_at > ${before(viewer.now, freshForMs)} OR grants.unreachable_since > ${lastAnswer})`;
}

/**
 * Until when, in milliseconds, lists show an anonymous viewer what they show now, if no host is asked meanwhile: the
 * moment at which the first of all repositories is no longer confirmed, or its host has been silent for too long.
 */
export async function findNextLapse(
  db: Queries,
  { now, listedForMs }: Pick<ListViewer, 'now' | 'listedForMs'>,
): Promise<number> {
  const [first] = await db.query<{ checkedAt: Date | null; unreachableSince: Date | null }>(sql`
    SELECT
      (SELECT min(checked_at) FROM repositories
        WHERE NOT is_private AND checked_at > ${listedAfter({ now, listedForMs })}) AS "checkedAt",
      (SELECT min(unreachable_since) FROM repositories
        WHERE unreachable_since > ${before(now, silenceMs)}) AS "unreachableSince"`);
  const after = (since: Date | null | undefined, ms: number) =>
    since ? since.getTime() + ms : Number.POSITIVE_INFINITY;
  return Math.min(after(first?.checkedAt, listedForMs), after(first?.unreachableSince, silenceMs));
}

/** Long ago: an answer that no longer counts is as good as none. */
const unless = (counts: Sql, answeredAt: Sql): Sql =>
  sql`CASE WHEN ${counts} THEN ${answeredAt} ELSE 'epoch' END`;

/** When the host gave the answer by which a viewer sees a repository, and since when it has given none. */
export function knownTo({ userId }: { userId: string | Sql | null }): Sql {
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

/** A repository as a viewer sees it; of a private one each viewer has an answer of their own. */
export interface Repository
  extends Pick<Tables['repositories'], 'id' | 'host' | 'hostRepoId' | 'owner' | 'name' | 'isPrivate'> {
  /** When the host last answered about it, and since when it has not. */
  checkedAt: Date;
  unreachableSince: Date | null;
}

export const columnsFor = (viewer: { userId: string | Sql | null }): Sql => sql`
  repositories.id, repositories.host, repositories.host_repo_id, repositories.owner, repositories.name,
  repositories.is_private, ${knownTo(viewer)}`;

/** Whether the host has been silent for so long that what is known of a repository no longer shows. */
export function isHiddenBySilence(
  { unreachableSince }: { unreachableSince: Date | null },
  now: Date,
): boolean {
  return unreachableSince !== null && unreachableSince <= before(now, silenceMs);
}
