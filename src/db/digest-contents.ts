import type { RestReason, Span } from '../domain/digest.ts';
import { botSuffix } from '../domain/pull-requests.ts';
import { type ListedArticle, listedColumns, rowsOfPage } from './articles.ts';
import type { Queries } from './database.ts';
import type { RepositoryName } from './repositories.ts';
import type { Tables } from './schema.ts';
import { type Sql, sql } from './sql.ts';
import { type VisibilityViewer, visibleTo } from './visibility.ts';

export type DigestScope =
  | { kind: 'favorites'; userId: string }
  | { kind: 'repository'; repositoryId: string }
  | { kind: 'followed' };

interface Wanted {
  scope: DigestScope;
  viewer: VisibilityViewer;
  language: string;
  span: Span;
  most: number;
}

/** Each merged pull request is shown, or has a reason why not. */
type Fates = Partial<Record<'shown' | RestReason, number>>;

export interface RepositoryFates extends RepositoryName {
  /** Whether the repository was polled from before the period until after it. */
  isComplete: boolean;
  fates: Fates;
}

interface DigestContents {
  repositories: RepositoryFates[];
  items: ListedArticle[];
}

interface Row extends RepositoryFates, Omit<ListedArticle, keyof RepositoryFates> {
  repositoryId: Tables['repositories']['id'];
  place: number;
  /** Null, like all columns of the article, where none is shown. */
  articleId: string;
}

function followed(scope: DigestScope): Sql {
  const isFollowedBy = (andWhere: Sql) => sql`EXISTS (
    SELECT FROM favorite_repositories AS favorites WHERE favorites.repository_id = repositories.id ${andWhere})`;
  if (scope.kind === 'repository') return sql`repositories.id = ${scope.repositoryId}`;
  return isFollowedBy(scope.kind === 'favorites' ? sql`AND favorites.user_id = ${scope.userId}` : sql``);
}

const shownRepositories = (scope: DigestScope, viewer: VisibilityViewer): Sql => sql`
  SELECT repositories.id, repositories.host, repositories.host_repo_id
  FROM repositories WHERE ${followed(scope)} AND ${visibleTo(viewer)}`;

/** By the state when it was fetched; of those that were open then, or never fetched, by the host's list of merges. */
const merged = ({ from, to }: Span): Sql => sql`
  SELECT stored.repository_id, stored.id, stored.number, stored.merged_at, coalesce(noted.is_draft, false) AS is_draft,
    coalesce(noted.is_bot, false) OR right(stored.author_login, ${botSuffix.length}) = ${botSuffix} AS is_bot
  FROM pull_requests AS stored
  LEFT JOIN told_merges AS noted ON noted.repository_id = stored.repository_id AND noted.pr_number = stored.number
  WHERE stored.repository_id = ANY (ARRAY(SELECT id FROM followed)) AND stored.state = 'merged'
    AND stored.merged_at >= ${from} AND stored.merged_at < ${to}
  UNION ALL
  SELECT noted.repository_id, stored.id, noted.pr_number, noted.merged_at, noted.is_draft, noted.is_bot
  FROM told_merges AS noted JOIN followed ON followed.id = noted.repository_id
  LEFT JOIN pull_requests AS stored ON stored.repository_id = noted.repository_id AND stored.number = noted.pr_number
  WHERE noted.repository_id = ANY (ARRAY(SELECT id FROM followed)) AND noted.merged_at >= ${from} AND noted.merged_at < ${to}
    AND stored.merged_at IS NULL
    AND NOT EXISTS (
      SELECT FROM removals WHERE removals.host = followed.host AND removals.host_repo_id = followed.host_repo_id
        AND removals.number = noted.pr_number)`;

/**
 * The merges of a period, each counted once, and the articles shown: the most liked, then those with the largest changes.
 * One statement, so that the numbers add up.
 */
export async function readDigest(
  db: Queries,
  { scope, viewer, language, span, most }: Wanted,
): Promise<DigestContents> {
  const rows = await db.query<Row>(sql`
    WITH followed AS MATERIALIZED (
      SELECT repositories.id, repositories.host, repositories.host_repo_id, repositories.owner, repositories.name, EXISTS (
        SELECT FROM watches WHERE watches.repository_id = repositories.id
          AND watches.since <= ${span.from} AND watches.last_seen_at >= ${span.to}) AS is_complete
      FROM repositories WHERE ${followed(scope)} AND ${visibleTo(viewer)}),
    merged AS MATERIALIZED (${merged(span)}),
    judged AS MATERIALIZED (
      SELECT merged.*, articles.id AS article_id, contents.article_id IS NOT NULL AS is_written,
        row_number() OVER (PARTITION BY contents.article_id IS NULL ORDER BY contents.like_count DESC,
          sizes.additions + sizes.deletions DESC NULLS LAST, merged.merged_at DESC, articles.id) AS place
      FROM merged
      LEFT JOIN articles ON articles.pull_request_id = merged.id
      LEFT JOIN article_contents AS contents ON contents.article_id = articles.id AND contents.language_code = ${language}
      LEFT JOIN pull_request_contents AS sizes ON sizes.pull_request_id = merged.id),
    decided AS MATERIALIZED (
      SELECT *, CASE
        WHEN is_written AND place <= ${most}::integer THEN 'shown' WHEN is_written THEN 'beyond'
        WHEN article_id IS NOT NULL THEN 'otherLanguage' WHEN is_draft THEN 'draft' WHEN is_bot THEN 'bot'
        ELSE 'notWritten' END AS fate
      FROM judged),
    counted AS (
      SELECT repository_id, jsonb_object_agg(fate, times) AS fates, sum(times) AS merged FROM (
        SELECT repository_id, fate, count(*) AS times FROM decided GROUP BY repository_id, fate) AS fates
      GROUP BY repository_id)
    SELECT followed.id AS repository_id, followed.is_complete, coalesce(counted.fates, '{}') AS fates, decided.place,
      ${listedColumns({ repositories: sql`followed` })}
    FROM followed LEFT JOIN counted ON counted.repository_id = followed.id
    LEFT JOIN (decided
      JOIN article_contents AS contents ON contents.article_id = decided.article_id AND contents.language_code = ${language}
      JOIN pull_requests ON pull_requests.id = decided.id)
      ON decided.repository_id = followed.id AND decided.fate = 'shown'
    ORDER BY coalesce(counted.merged, 0) DESC, lower(followed.owner), lower(followed.name), followed.id, decided.place`);
  const repositories = new Map<string, RepositoryFates>();
  for (const { repositoryId, host, owner, repo, isComplete, fates } of rows)
    repositories.set(repositoryId, { host, owner, repo, isComplete, fates });
  return {
    repositories: [...repositories.values()],
    items: rowsOfPage(
      rows.toSorted((one, other) => one.place - other.place),
      ...(['repositoryId', 'fates', 'place', 'isComplete'] as const),
    ),
  };
}

export const findLastMerge = (
  db: Queries,
  { scope, viewer }: Pick<Wanted, 'scope' | 'viewer'>,
  before: Date,
) =>
  db.value<Date>(sql`
    WITH followed AS MATERIALIZED (${shownRepositories(scope, viewer)})
    SELECT merged_at FROM (${merged({ from: new Date(0), to: before })}) AS merged
    ORDER BY merged_at DESC LIMIT 1`);

/** Which of some adjacent periods, newest first, have merges. */
export async function findPeriodsWithMerges(
  db: Queries,
  { scope, viewer }: Pick<Wanted, 'scope' | 'viewer'>,
  spans: [Span, ...Span[]],
): Promise<Span[]> {
  const whole = { from: spans.at(-1)?.from ?? spans[0].from, to: spans[0].to };
  const begins = spans.map(({ from }) => from.toISOString());
  const ends = spans.map(({ to }) => to.toISOString());
  const rows = await db.query<{ place: number }>(sql`
    WITH followed AS MATERIALIZED (${shownRepositories(scope, viewer)}),
    merged AS MATERIALIZED (${merged(whole)})
    SELECT wanted.place
    FROM unnest((SELECT ${begins}::timestamptz[]), (SELECT ${ends}::timestamptz[]))
      WITH ORDINALITY AS wanted (begins, ends, place)
    WHERE EXISTS (SELECT FROM merged WHERE merged.merged_at >= wanted.begins AND merged.merged_at < wanted.ends)
    ORDER BY wanted.place`);
  return rows.flatMap(({ place }) => spans[Number(place) - 1] ?? []);
}
