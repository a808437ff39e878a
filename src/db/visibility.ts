import { type Sql, sql } from './sql.ts';

const minute = 60 * 1000;

/** How long an answer of the host holds for somebody who looks at one thing. */
export const freshForMs = 5 * minute;

/** How long what is known about a repository holds while its host does not answer. */
const silenceMs = 60 * minute;

/** How long lists go by what the host said of a private repository. */
const listedForMs = 24 * 60 * minute;

/**
 * What somebody looks for. A list goes by what is known. One thing shows if what is known is fresh, or cannot be renewed
 * because the host is silent. Whoever is about to ask the host may find anything that it once showed to the viewer.
 */
export type Purpose = 'list' | 'detail' | 'renewal';

/** Who is looking, when, and for what; null stands for nobody in particular. */
export interface VisibilityViewer {
  userId: string | null;
  now: Date;
  purpose: Purpose;
}

/** As many viewers as there are rows: who is looking is a column. */
interface RowViewer extends Omit<VisibilityViewer, 'userId'> {
  userId: Sql | null;
}

const before = (now: Date, ms: number) => new Date(now.getTime() - ms);

/**
 * Whether a viewer may see anything of a repository. Every query that returns something of a repository joins
 * `repositories` and has this among its conditions. Private ones show by the viewer's own grant, and by its own age.
 */
export function visibleTo({ userId, now, purpose }: VisibilityViewer | RowViewer): Sql {
  const granted = sql`EXISTS (
    SELECT FROM repository_grants AS grants
    WHERE grants.repository_id = repositories.id AND grants.user_id = ${userId} AND NOT grants.withdrawn
      ${grantCounts(purpose, now)})`;
  const isReachable = sql`
    AND (repositories.unreachable_since IS NULL OR repositories.unreachable_since > ${before(now, silenceMs)})`;
  return sql`(NOT repositories.is_private OR ${userId === null ? sql`false` : granted})
    ${purpose === 'renewal' ? sql`` : isReachable}`;
}

function grantCounts(purpose: Purpose, now: Date): Sql {
  const lastAnswer = before(now, silenceMs);
  if (purpose === 'list') {
    return sql`AND grants.confirmed_at > ${before(now, listedForMs)}
      AND (grants.unreachable_since IS NULL OR grants.unreachable_since > ${lastAnswer})`;
  }
  if (purpose === 'detail') {
    return sql`AND (grants.confirmed_at > ${before(now, freshForMs)} OR grants.unreachable_since > ${lastAnswer})`;
  }
  return sql``;
}

/** When the host gave the answer by which a viewer sees a repository, and since when it has given none. */
export function knownTo({ userId }: Pick<VisibilityViewer | RowViewer, 'userId'>): Sql {
  const known = (shared: Sql, own: Sql) =>
    userId === null
      ? shared
      : sql`CASE WHEN repositories.is_private THEN (
          SELECT ${own} FROM repository_grants AS grants
          WHERE grants.repository_id = repositories.id AND grants.user_id = ${userId}) ELSE ${shared} END`;
  return sql`${known(sql`repositories.checked_at`, sql`grants.confirmed_at`)} AS "checkedAt",
    ${known(
      sql`repositories.unreachable_since`,
      sql`COALESCE(repositories.unreachable_since, grants.unreachable_since)`,
    )} AS "unreachableSince"`;
}

/** Whether the host has been silent for so long that what is known of a repository no longer shows. */
export function isHiddenBySilence(
  { unreachableSince }: { unreachableSince: Date | null },
  now: Date,
): boolean {
  return unreachableSince !== null && unreachableSince <= before(now, silenceMs);
}
