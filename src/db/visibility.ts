import { type Sql, sql } from './sql.ts';

/**
 * Whether a viewer may see anything of a repository; null stands for nobody in particular. Every query that returns
 * something of a repository joins `repositories` and has this among its conditions.
 */
export function visibleTo(userId: string | null): Sql {
  if (userId === null) return sql`NOT repositories.is_private`;
  return sql`(NOT repositories.is_private OR EXISTS (
    SELECT FROM repository_grants
    WHERE repository_grants.repository_id = repositories.id AND repository_grants.user_id = ${userId}))`;
}
