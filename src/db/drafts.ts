import type { Queries } from './database.ts';
import type { DiffRevision } from './diffs.ts';
import type { Tables } from './schema.ts';
import { json, parsedJson, separated, sql, withoutSync } from './sql.ts';

export const findPaidReply = <Reply>(db: Queries, { jobId, question }: { jobId: string; question: string }) =>
  db.value<Reply>(sql`SELECT answer FROM ai_answers WHERE job_id = ${jobId} AND question = ${question}`);

/**
 * Replies that were paid for are kept until the job ends. A job that makes progress starts counting its failures from
 * zero.
 */
export const savePaidReply = (
  db: Queries,
  { jobId, question, reply }: { jobId: string; question: string; reply: unknown },
) =>
  db.run(sql`
    WITH saved AS (
      INSERT INTO ai_answers (job_id, question, answer)
      SELECT id, ${question}, ${json(reply)} FROM jobs WHERE id = ${jobId} AND state IN ('queued', 'running')
      ON CONFLICT (job_id, question) DO NOTHING RETURNING job_id)
    UPDATE jobs SET put_back = attempt FROM saved WHERE id = saved.job_id`);

export const deletePaidReplies = (db: Queries, jobId: string) =>
  db.run(sql`DELETE FROM ai_answers WHERE job_id = ${jobId}`);

export const findAiDraft = <Draft>(
  db: Queries,
  { pullRequestId, revision }: DiffRevision,
): Promise<{ languageCode: string; draft: Draft } | null> =>
  db.first<Pick<Tables['ai_drafts'], 'languageCode'> & { draft: Draft }>(sql`
    SELECT language_code, draft FROM ai_drafts
    WHERE pull_request_id = ${pullRequestId} AND diff_revision = ${revision}`);

export const saveAiDraft = (
  db: Queries,
  { pullRequestId, revision, languageCode, draft }: DiffRevision & { languageCode: string; draft: unknown },
) =>
  db.run(sql`
    INSERT INTO ai_drafts (pull_request_id, diff_revision, language_code, draft)
    VALUES (${pullRequestId}, ${revision}, ${languageCode}, ${json(draft)})
    ON CONFLICT (pull_request_id) DO UPDATE SET
      diff_revision = excluded.diff_revision, language_code = excluded.language_code, draft = excluded.draft`);

interface PartOf {
  pullRequestId: string;
  part: string;
}

export const findPartNotes = <Notes>(db: Queries, { pullRequestId, part, now }: PartOf & { now: Date }) =>
  db.value<Notes>(sql`
    UPDATE ai_notes SET used_at = ${now} WHERE pull_request_id = ${pullRequestId} AND part = ${part} RETURNING notes`);

export const savePartNotes = (
  db: Queries,
  { pullRequestId, part, notes, now }: PartOf & { notes: unknown; now: Date },
) =>
  db.run(sql`
    INSERT INTO ai_notes (pull_request_id, part, notes, used_at) VALUES (${pullRequestId}, ${part}, ${json(notes)}, ${now})
    ON CONFLICT (pull_request_id, part) DO UPDATE SET notes = excluded.notes, used_at = excluded.used_at`);

export const deleteOldPartNotes = (
  db: Queries,
  { pullRequestId, before }: { pullRequestId: string; before: Date },
) => db.run(sql`DELETE FROM ai_notes WHERE pull_request_id = ${pullRequestId} AND used_at < ${before}`);

export const findPartPlan = <Plan>(db: Queries, pullRequestId: string) =>
  db.value<Plan>(sql`SELECT plan FROM ai_part_plans WHERE pull_request_id = ${pullRequestId}`);

export const savePartPlan = (
  db: Queries,
  { pullRequestId, plan }: { pullRequestId: string; plan: unknown },
) =>
  db.run(sql`
    INSERT INTO ai_part_plans (pull_request_id, plan) VALUES (${pullRequestId}, ${json(plan)})
    ON CONFLICT (pull_request_id) DO UPDATE SET plan = excluded.plan`);

/** Offline articles in all languages that were stored for the next request. */
export const findOfflineArticles = <Written>(
  db: Queries,
  { pullRequestId, revision, version }: DiffRevision & { version: number },
) =>
  db.value<Written>(sql`
    SELECT articles AS written FROM offline_articles
    WHERE pull_request_id = ${pullRequestId} AND diff_revision = ${revision} AND version = ${version}`);

export const saveOfflineArticles = (
  db: Queries,
  articles: (DiffRevision & { version: number; written: string })[],
) =>
  db.run(sql`
    INSERT INTO offline_articles (pull_request_id, diff_revision, version, articles)
    VALUES ${separated(
      articles.map(
        ({ pullRequestId, revision, version, written }) =>
          sql`(${pullRequestId}, ${revision}, ${version}, ${parsedJson(written)})`,
      ),
    )}
    ON CONFLICT (pull_request_id) DO UPDATE SET
      diff_revision = excluded.diff_revision, version = excluded.version, articles = excluded.articles
    RETURNING ${withoutSync}`);

interface OutdatedArticle
  extends Pick<Tables['pull_requests'], 'baseSha' | 'headSha'>,
    Pick<Tables['article_contents'], 'languageCode'> {
  pullRequestId: Tables['pull_requests']['id'];
}

export const findOutdatedArticles = (
  db: Queries,
  { offlineWriter, atMost }: { offlineWriter: number; atMost: number },
) =>
  db.query<OutdatedArticle>(sql`
    SELECT pull_requests.id AS "pullRequestId", pull_requests.head_sha, pull_requests.base_sha, contents.language_code
    FROM article_contents AS contents
    JOIN articles ON articles.id = contents.article_id
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    WHERE contents.offline_writer < ${offlineWriter}
      AND EXISTS (SELECT FROM pull_request_contents WHERE pull_request_id = pull_requests.id)
      AND NOT EXISTS (
        SELECT FROM jobs
        WHERE jobs.pull_request_id = pull_requests.id AND jobs.head_sha = pull_requests.head_sha
          AND jobs.base_sha = pull_requests.base_sha AND jobs.work = 'article'
          AND jobs.language_code = contents.language_code AND jobs.state IN ('queued', 'running', 'failed'))
    LIMIT ${atMost}`);
