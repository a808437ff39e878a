import { type Sql, sql } from './sql.ts';

/** How long what is known about a repository holds while its host does not answer. */
const patienceMs = 60 * 60 * 1000;

/** Who is looking, and when; null stands for nobody in particular. */
export interface VisibilityViewer {
  userId: string | null;
  now: Date;
}

/** As many viewers as there are rows: who is looking is a column. */
interface RowViewer {
  userId: Sql | null;
  now: Date;
}

/**
 * Whether a viewer may see anything of a repository. Every query that returns something of a repository joins
 * `repositories` and has this among its conditions.
 */
export function visibleTo({ userId, now }: VisibilityViewer | RowViewer): Sql {
  const lastAnswer = new Date(now.getTime() - patienceMs);
  const granted = sql`EXISTS (
    SELECT FROM repository_grants
    WHERE repository_grants.repository_id = repositories.id AND repository_grants.user_id = ${userId})`;
  return sql`(NOT repositories.is_private OR ${userId === null ? sql`false` : granted})
    AND (repositories.unreachable_since IS NULL OR repositories.unreachable_since > ${lastAnswer})`;
}
