import type { Queries } from './database.ts';
import type { DiffRevision } from './diffs.ts';
import type { Tables } from './schema.ts';
import { json, sql } from './sql.ts';
import { withoutSync } from './writing-jobs.ts';

/** What was written about a diff without a model, in every language, so that the next one asked for is there. */
export const findOfflineArticles = <Written>(
  db: Queries,
  { pullRequestId, revision, version }: DiffRevision & { version: number },
) =>
  db.value<Written>(sql`
    SELECT articles AS written FROM offline_articles
    WHERE pull_request_id = ${pullRequestId} AND diff_revision = ${revision} AND version = ${version}`);

export const saveOfflineArticles = (
  db: Queries,
  { pullRequestId, revision, version, written }: DiffRevision & { version: number; written: unknown },
) =>
  db.run(sql`
    INSERT INTO offline_articles (pull_request_id, diff_revision, version, articles)
    VALUES (${pullRequestId}, ${revision}, ${version}, ${json(written)})
    ON CONFLICT (pull_request_id) DO UPDATE SET
      diff_revision = excluded.diff_revision, version = excluded.version, articles = excluded.articles
    RETURNING ${withoutSync}`);

/** The number of a version of the offline writer: higher than those of all versions that were known before it. */
export async function numberOfflineWriter(db: Queries, version: string): Promise<number> {
  await db.query(sql`
    INSERT INTO offline_writers (version) VALUES (${version}) ON CONFLICT (version) DO NOTHING`);
  const [row] = await db.query<Pick<Tables['offline_writers'], 'number'>>(sql`
    SELECT number FROM offline_writers WHERE version = ${version}`);
  if (!row) throw new Error('The database stored a version without returning it.');
  return row.number;
}

/** An article in one language that an older offline writer wrote, and the diff that is stored now. */
interface OutdatedArticle
  extends Pick<Tables['pull_requests'], 'baseSha' | 'headSha'>,
    Pick<Tables['article_contents'], 'languageCode'> {
  pullRequestId: Tables['pull_requests']['id'];
}

/** Some of those that no job is writing anew, and for which that has not failed lately. */
export const findOutdatedArticles = (
  db: Queries,
  { offlineWriter, atMost }: { offlineWriter: number; atMost: number },
) =>
  db.query<OutdatedArticle>(sql`
    SELECT pull_requests.id AS "pullRequestId", pull_requests.head_sha,
      pull_requests.base_sha, contents.language_code
    FROM article_contents AS contents
    JOIN articles ON articles.id = contents.article_id
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    WHERE contents.offline_writer < ${offlineWriter}
      AND EXISTS (SELECT FROM pull_request_contents WHERE pull_request_id = pull_requests.id)
      AND NOT EXISTS (
        SELECT FROM writing_jobs AS jobs
        WHERE jobs.pull_request_id = pull_requests.id AND jobs.head_sha = pull_requests.head_sha
          AND jobs.base_sha = pull_requests.base_sha
          AND jobs.language_code = contents.language_code AND jobs.state IN ('queued', 'running', 'failed'))
    LIMIT ${atMost}`);
