import type { RestReason, Span } from '../domain/digest.ts';
import { botSuffix } from '../domain/pull-requests.ts';
import { type ListedArticle, listedColumns, rowsOfPage } from './articles.ts';
import type { Queries } from './database.ts';
import type { RepositoryName } from './repositories.ts';
import type { Tables } from './schema.ts';
import { type Sql, sql } from './sql.ts';
import { type VisibilityViewer, visibleTo } from './visibility.ts';

/** Of which repositories: the favorites of a user, one of any kind, or all public ones that some user follows. */
export type DigestScope =
  | { kind: 'favorites'; userId: string }
  | { kind: 'repository'; repositoryId: string }
  | { kind: 'followed' };

interface Wanted {
  scope: DigestScope;
  viewer: VisibilityViewer;
  language: string;
  span: Span;
  /** How many articles are shown at most. */
  most: number;
}

/** What became of each pull request that was merged: it is shown, or why it is not. */
type Fates = Partial<Record<'shown' | RestReason, number>>;

export interface RepositoryFates extends RepositoryName {
  /** Whether all that was merged in the period is known: its host was asked from before it began until after it ended. */
  isComplete: boolean;
  fates: Fates;
}

interface DigestContents {
  repositories: RepositoryFates[];
  items: ListedArticle[];
}

interface Row extends RepositoryFates, Omit<ListedArticle, keyof RepositoryFates> {
  repositoryId: Tables['repositories']['id'];
  /** Among all that are shown. */
  place: number;
  /** The article's columns are all null where none of the repository is shown. */
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

/** As the host said when the pull request was fetched; of those that were open then, or never were, as it told when it was asked what is merged. */
const merged = ({ from, to }: Span): Sql => sql`
  SELECT stored.repository_id, stored.id, stored.number, stored.merged_at, coalesce(told.is_draft, false) AS is_draft,
    coalesce(told.is_bot, false) OR right(stored.author_login, ${botSuffix.length}) = ${botSuffix} AS is_bot
  FROM pull_requests AS stored
  LEFT JOIN told_merges AS told ON told.repository_id = stored.repository_id AND told.pr_number = stored.number
  WHERE stored.repository_id = ANY (ARRAY(SELECT id FROM followed)) AND stored.state = 'merged'
    AND stored.merged_at >= ${from} AND stored.merged_at < ${to}
  UNION ALL
  SELECT told.repository_id, stored.id, told.pr_number, told.merged_at, told.is_draft, told.is_bot
  FROM told_merges AS told JOIN followed ON followed.id = told.repository_id
  LEFT JOIN pull_requests AS stored ON stored.repository_id = told.repository_id AND stored.number = told.pr_number
  WHERE told.repository_id = ANY (ARRAY(SELECT id FROM followed)) AND told.merged_at >= ${from} AND told.merged_at < ${to}
    AND stored.merged_at IS NULL
    AND NOT EXISTS (
      SELECT FROM removals WHERE removals.host = followed.host AND removals.host_repo_id = followed.host_repo_id
        AND removals.number = told.pr_number)`;

/**
 * What was merged in a period, each pull request counted once and under one fate, and the articles that are shown of it: the most
 * liked in the language, then those about the change of most lines. It is one statement, so that its numbers are of one moment.
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
    told AS MATERIALIZED (
      SELECT *, CASE
        WHEN is_written AND place <= ${most}::integer THEN 'shown' WHEN is_written THEN 'beyond'
        WHEN article_id IS NOT NULL THEN 'otherLanguage' WHEN is_draft THEN 'draft' WHEN is_bot THEN 'bot'
        ELSE 'notWritten' END AS fate
      FROM judged),
    counted AS (
      SELECT repository_id, jsonb_object_agg(fate, times) AS fates, sum(times) AS merged FROM (
        SELECT repository_id, fate, count(*) AS times FROM told GROUP BY repository_id, fate) AS fates
      GROUP BY repository_id)
    SELECT followed.id AS repository_id, followed.is_complete, coalesce(counted.fates, '{}') AS fates, told.place,
      ${listedColumns({ repositories: sql`followed` })}
    FROM followed LEFT JOIN counted ON counted.repository_id = followed.id
    LEFT JOIN (told
      JOIN article_contents AS contents ON contents.article_id = told.article_id AND contents.language_code = ${language}
      JOIN pull_requests ON pull_requests.id = told.id)
      ON told.repository_id = followed.id AND told.fate = 'shown'
    ORDER BY coalesce(counted.merged, 0) DESC, lower(followed.owner), lower(followed.name), followed.id, told.place`);
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

/** When the last pull request is known to have been merged before a moment. */
export const findLastMerge = (
  db: Queries,
  { scope, viewer }: Pick<Wanted, 'scope' | 'viewer'>,
  before: Date,
) =>
  db.value<Date>(sql`
    WITH followed AS MATERIALIZED (${shownRepositories(scope, viewer)})
    SELECT merged_at FROM (${merged({ from: new Date(0), to: before })}) AS merged
    ORDER BY merged_at DESC LIMIT 1`);

/** Those of some periods, the newest first and each beginning where the next one ends, in which something is known to have been merged. */
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
