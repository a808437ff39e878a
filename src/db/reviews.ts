import type { ArticleReview, Discussion } from '../domain/reviews.ts';
import type { NamedRange } from '../reading/facts.ts';
import type { PublishedContent } from './articles.ts';
import type { Queries } from './database.ts';
import type { NamedPullRequest } from './pull-requests.ts';
import type { RepositoryName } from './repositories.ts';
import type { Tables } from './schema.ts';
import { json, jsonText, sql } from './sql.ts';
import { visibleTo } from './visibility.ts';

type PullRequestColumns = Pick<
  Tables['pull_requests'],
  'authorLogin' | 'headSha' | 'hostUrl' | 'state' | 'mergedAt'
>;

export interface DiscussedPullRequest extends PullRequestColumns, RepositoryName {
  id: string;
  number: number;
  unusedSince: Date | null;
  /** Null if the host has no reviews, or has not shown them. */
  discussion: Discussion | null;
  outlines: { fileName: string; ranges: NamedRange[] }[];
  /** The first parts of the diff. */
  parts: Uint8Array[];
  hasAllParts: boolean;
}

/** The limit for compressed parts of the diff: decompressing and reading them takes some milliseconds. */
const mostBytes = 256 * 1024;

/** A discussion with its diff, in one statement, so that both belong together. Null if the pull request is hidden. */
export async function findDiscussed(
  db: Queries,
  { repositoryId, number, viewer }: NamedPullRequest,
): Promise<DiscussedPullRequest | null> {
  const found = await db.first<
    Omit<DiscussedPullRequest, 'parts'> & { bytes: Uint8Array; lengths: number[] }
  >(sql`
    SELECT pull_requests.id, repositories.host, repositories.owner, repositories.name AS repo, pull_requests.number,
      pull_requests.unused_since, pull_requests.author_login, pull_requests.head_sha, pull_requests.host_url, pull_requests.state,
      pull_requests.merged_at, contents.discussion, coalesce(outlined.outlines, '[]') AS outlines,
      coalesce(read.bytes, '') AS bytes, coalesce(read.lengths, '[]') AS lengths,
      jsonb_array_length(contents.unread) = 0 AND coalesce(read.has_all, true) AS "hasAllParts"
    FROM pull_requests JOIN repositories ON repositories.id = pull_requests.repository_id
    JOIN pull_request_contents AS contents ON contents.pull_request_id = pull_requests.id
    CROSS JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object('fileName', outline -> 'fileName', 'ranges', outline -> 'ranges')) AS outlines
      FROM jsonb_array_elements(contents.outlines) AS outline) AS outlined
    CROSS JOIN LATERAL (
      SELECT string_agg(compressed, '' ORDER BY first_file) FILTER (WHERE so_far <= ${mostBytes}) AS bytes,
        jsonb_agg(octet_length(compressed) ORDER BY first_file) FILTER (WHERE so_far <= ${mostBytes}) AS lengths,
        max(so_far) <= ${mostBytes} AS has_all
      FROM (
        SELECT first_file, compressed, sum(octet_length(compressed)) OVER (ORDER BY first_file) AS so_far
        FROM pull_request_diffs AS diffs
        WHERE diffs.pull_request_id = pull_requests.id AND diffs.revision = pull_requests.diff_revision) AS parts) AS read
    WHERE repositories.id = ${repositoryId} AND pull_requests.number = ${number} AND ${visibleTo(viewer)}`);
  if (!found) return null;
  const { bytes, lengths, ...rest } = found;
  let end = 0;
  const parts = lengths.map((length) => {
    end += length;
    return bytes.subarray(end - length, end);
  });
  return { ...rest, parts };
}

export const lockPullRequests = (tx: Queries, ids: string[]) =>
  tx.run(sql`SELECT FROM pull_requests WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`);

interface CitingArticle extends Pick<Tables['article_contents'], 'articleId' | 'languageCode'> {
  content: PublishedContent;
  review: ArticleReview;
}

/** The articles that cite comments, the ids of comments that answers cite, and what the host showed last. */
export async function findCitingArticles(
  tx: Queries,
  pullRequestId: string,
): Promise<{ articles: CitingArticle[]; answers: string[]; discussion: Discussion | null }> {
  const articles = await tx.query<CitingArticle>(sql`
    SELECT contents.article_id, contents.language_code, contents.body AS content, contents.review
    FROM article_contents AS contents JOIN articles ON articles.id = contents.article_id
    WHERE articles.pull_request_id = ${pullRequestId} AND contents.review -> 'cited' <> '{}'
    ORDER BY contents.language_code FOR UPDATE OF contents`);
  const answers = await tx.query<{ comment: string }>(sql`
    SELECT DISTINCT unnest(comments) AS comment FROM answers WHERE ${isAnswerFrom(pullRequestId)}`);
  const discussion = await tx.value<Discussion>(sql`
    SELECT discussion FROM pull_request_contents WHERE pull_request_id = ${pullRequestId}`);
  return { articles, answers: answers.map(({ comment }) => comment), discussion: discussion ?? null };
}

const isAnswerFrom = (pullRequestId: string) => sql`
  answers.comments <> '{}' AND answers.sources @> ${json([{ pullRequestId }])}`;

/** Search forgets the words of what is gone, because they may have been indexed already. */
export async function shortenArticle(
  tx: Queries,
  { articleId, languageCode, content, review }: CitingArticle,
): Promise<void> {
  const isOne = sql`article_id = ${articleId} AND language_code = ${languageCode}`;
  await tx.run(sql`
    UPDATE article_contents SET body = ${jsonText(content)}, review = ${json(review)}, revision = revision + 1
    WHERE ${isOne}`);
  await tx.run(sql`UPDATE article_search SET words = NULL WHERE ${isOne}`);
}

export const deleteAnswersCiting = (tx: Queries, pullRequestId: string, comments: string[]) =>
  tx.run(sql`
    DELETE FROM answers WHERE ${isAnswerFrom(pullRequestId)} AND comments && ${comments}::text[]`);
