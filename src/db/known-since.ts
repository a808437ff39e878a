import type { Queries } from './database.ts';
import { sql } from './sql.ts';
import { type VisibilityViewer, visibleTo } from './visibility.ts';

const beginning = sql`(SELECT min(applied_at) FROM schema_migrations)`;

/** Since when there is this database. */
export async function findBeginning(db: Queries): Promise<Date> {
  const [found] = await db.query<{ since: Date }>(sql`SELECT ${beginning} AS since`);
  return found?.since ?? new Date(0);
}

/**
 * When a repository was first written about here; before that, since when there is a database. When a user first followed it is
 * not told: feeds are public.
 */
export async function findKnownSince(
  db: Queries,
  { repositoryId, viewer }: { repositoryId: string; viewer: VisibilityViewer },
): Promise<Date> {
  const [found] = await db.query<{ since: Date }>(sql`
    SELECT coalesce(
      (SELECT min(articles.created_at) FROM articles JOIN pull_requests ON pull_requests.id = articles.pull_request_id
        WHERE pull_requests.repository_id = repositories.id), ${beginning}) AS since
    FROM repositories WHERE repositories.id = ${repositoryId} AND ${visibleTo(viewer)}`);
  return found?.since ?? findBeginning(db);
}
