import type { Queries } from './database.ts';
import { hiddenFromPlanner, sql } from './sql.ts';
import { hiddenFrom, type VisibilityViewer, visibleTo } from './visibility.ts';

/** A repository that is written about. */
export interface ListedRepository {
  host: string;
  owner: string;
  repo: string;
  isPrivate: boolean;
  /** How many articles there are about it, in whatever languages. */
  articles: number;
  newestAt: Date;
}

interface RepositoryPage {
  viewer: VisibilityViewer;
  limit: number;
  offset: number;
}

interface ListedRow extends ListedRepository {
  /** A repository's columns are all null where the page is empty. */
  repo: string;
  total: number;
}

/** Repositories with articles, those first whose newest article was merged last. Counting them reads an index of repositories, not of articles. */
export async function listRepositories(
  db: Queries,
  { viewer, limit, offset }: RepositoryPage,
): Promise<{ rows: ListedRepository[]; total: number }> {
  const written = sql`totals.language_code = '*' AND totals.articles > 0
    AND totals.repository_id NOT IN (SELECT id FROM hidden)`;
  // The limits of 100 and 1 limit nothing: they tell the planner how few rows there are.
  const rows = await db.query<ListedRow>(sql`
    WITH hidden AS MATERIALIZED (SELECT id FROM repositories WHERE ${hiddenFrom(viewer)}),
    page AS MATERIALIZED (
      SELECT * FROM (
        SELECT totals.* FROM article_totals AS totals WHERE ${written}
        ORDER BY totals.newest_at DESC, totals.repository_id
        LIMIT ${hiddenFromPlanner(limit)} OFFSET ${hiddenFromPlanner(offset)}) AS wanted
      LIMIT 100)
    SELECT counted.total, about.*, page.articles, page.newest_at AS "newestAt"
    FROM (SELECT count(*) AS total FROM article_totals AS totals WHERE ${written}) AS counted
    LEFT JOIN (
      page CROSS JOIN LATERAL (
        SELECT repositories.host, repositories.owner, repositories.name AS repo, repositories.is_private AS "isPrivate"
        FROM repositories WHERE repositories.id = page.repository_id AND ${visibleTo(viewer)} LIMIT 1) AS about) ON true
    ORDER BY page.newest_at DESC, page.repository_id`);
  return {
    rows: rows.filter(({ repo }) => repo !== null).map(({ total, ...listed }) => listed),
    total: rows[0]?.total ?? 0,
  };
}

/** Public repositories of a host that are known and lists may show, those first that were read last: for who finds no articles. */
export async function listKnownRepositories(
  db: Queries,
  { host, viewer, limit }: { host: string; viewer: VisibilityViewer; limit: number },
): Promise<{ owner: string; repo: string }[]> {
  return db.query(sql`
    SELECT repositories.owner, repositories.name AS repo FROM repositories
    WHERE repositories.host = ${host} AND NOT repositories.is_private AND ${visibleTo(viewer)}
    ORDER BY repositories.read_at DESC NULLS LAST, repositories.id LIMIT ${limit}`);
}
