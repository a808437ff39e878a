import { type SQL, sql } from 'drizzle-orm';
import { repositories, repositoryGrants } from './schema.ts';

/**
 * Whether a viewer may see anything of a repository; null stands for nobody in particular. Every query that returns
 * something of a repository joins `repositories` and has this among its conditions.
 */
export function visibleTo(userId: string | null): SQL {
  if (userId === null) return sql`NOT ${repositories.isPrivate}`;
  return sql`(NOT ${repositories.isPrivate} OR EXISTS (
    SELECT FROM ${repositoryGrants}
    WHERE ${repositoryGrants.repositoryId} = ${repositories.id} AND ${repositoryGrants.userId} = ${userId}))`;
}
