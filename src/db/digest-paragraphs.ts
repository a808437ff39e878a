import type { Answer } from '../contract/questions.ts';
import type { DigestPeriod, Span } from '../domain/digests.ts';
import { botSuffix, type DiffRange } from '../domain/pull-requests.ts';
import type { PublishedContent } from './articles.ts';
import type { Queries } from './database.ts';
import { isOutdated } from './diffs.ts';
import { type DigestScope, isInDigest } from './digests.ts';
import { isAlive, isJobDue } from './job-queue.ts';
import { json, type Sql, sql } from './sql.ts';
import { type ListScope, type VisibilityScope, visibleTo } from './visibility.ts';

/** A title with the pull requests that it is about. */
interface ParagraphTitle {
  text: string;
  prNumbers: number[];
}

/** The first paragraph of a repository's digest, with every sentence that passed its checks; none if a model failed. */
export type ParagraphBody = Pick<Answer, 'statements'> &
  Partial<Pick<Answer, 'writer' | 'usage'>> & { title: ParagraphTitle | null };

export interface ParagraphKey {
  repositoryId: string;
  period: DigestPeriod;
  periodEnd: Date;
  languageCode: string;
}

interface ParagraphSource extends DiffRange {
  pullRequestId: string;
  prNumber: number;
}

export interface FoundParagraph {
  repositoryId: string;
  body: ParagraphBody;
  /** The pull requests whose articles are still there, about the same diffs. */
  standing: number[];
}

interface Wanted {
  scope: DigestScope;
  viewer: VisibilityScope;
  language: string;
  period: DigestPeriod;
  span: Span;
}

/** The paragraphs of the repositories of a digest that the viewer may see. */
export const findParagraphs = (db: Queries, { scope, viewer, language, period, span }: Wanted) =>
  db.query<FoundParagraph>(sql`
    SELECT paragraphs.repository_id, paragraphs.body, ARRAY(
      SELECT source."prNumber"
      FROM jsonb_to_recordset(paragraphs.sources)
        AS source ("pullRequestId" uuid, "prNumber" bigint, "baseSha" text, "headSha" text)
      JOIN pull_requests AS cited ON cited.id = source."pullRequestId" AND cited.repository_id = repositories.id
      JOIN articles ON articles.pull_request_id = cited.id
      JOIN article_contents AS contents
        ON contents.article_id = articles.id AND contents.language_code = paragraphs.language_code
      WHERE NOT ${isOutdated(sql`cited`, sql`source."baseSha"`, sql`source."headSha"`)}) AS standing
    FROM digest_paragraphs AS paragraphs JOIN repositories ON repositories.id = paragraphs.repository_id
    WHERE paragraphs.period = ${period} AND paragraphs.period_end = ${span.to} AND paragraphs.language_code = ${language}
      AND ${isInDigest(scope)} AND ${visibleTo(viewer)}`);

/** Does nothing if the paragraph was written, or one of its pull requests removed, in the meantime. */
export const saveParagraph = (
  tx: Queries,
  { repositoryId, period, periodEnd, languageCode }: ParagraphKey,
  { sources, body, now }: { sources: ParagraphSource[]; body: ParagraphBody; now: Date },
) =>
  tx.run(sql`
    WITH standing AS MATERIALIZED (
      SELECT id FROM pull_requests WHERE id = ANY(${sources.map(({ pullRequestId }) => pullRequestId)}::uuid[])
      ORDER BY id FOR KEY SHARE)
    INSERT INTO digest_paragraphs (repository_id, period, period_end, language_code, sources, body, created_at)
    SELECT id, ${period}, ${periodEnd}, ${languageCode}, ${json(sources)}, ${json(body)}, ${now}
    FROM repositories WHERE id = ${repositoryId} AND (SELECT count(*) FROM standing) = ${sources.length}
    ON CONFLICT DO NOTHING`);

export const hasParagraph = (db: Queries, { repositoryId, period, periodEnd, languageCode }: ParagraphKey) =>
  db.any(sql`
    SELECT FROM digest_paragraphs WHERE repository_id = ${repositoryId} AND period = ${period}
      AND period_end = ${periodEnd} AND language_code = ${languageCode}`);

export const deleteOldParagraphs = (db: Queries, before: Date) =>
  db.run(sql`DELETE FROM digest_paragraphs WHERE period_end < ${before}`);

interface ModelReads extends Pick<ListScope, 'now' | 'confirmedWithinMs'> {
  mayReadPrivate: boolean;
}

interface Due extends ModelReads {
  period: DigestPeriod;
  span: Span;
}

/** Whether a follower may see the repository now, and the model may too. */
const isReadableByModel = ({ mayReadPrivate, now, confirmedWithinMs }: ModelReads): Sql => sql`
  (NOT repositories.is_private OR ${mayReadPrivate}::boolean)
  AND ${visibleTo({ userId: sql`watches.user_id`, now, purpose: 'list', confirmedWithinMs })}`;

export const mayModelRead = (
  db: Queries,
  { repositoryId, languageCode }: Pick<ParagraphKey, 'repositoryId' | 'languageCode'>,
  reads: ModelReads,
) =>
  db.any(sql`
    SELECT FROM watches JOIN repositories ON repositories.id = watches.repository_id
    WHERE watches.repository_id = ${repositoryId} AND watches.language_code = ${languageCode}
      AND ${isReadableByModel(reads)}`);

/**
 * The followed repositories and languages without a paragraph about a period, once the articles that its followers wait
 * for are written.
 */
export const listDueParagraphs = (db: Queries, { period, span, ...reads }: Due) =>
  db.query<Pick<ParagraphKey, 'repositoryId' | 'languageCode'>>(sql`
    SELECT DISTINCT watches.repository_id, watches.language_code
    FROM watches JOIN repositories ON repositories.id = watches.repository_id
    WHERE (${isReadableByModel(reads)})
      AND NOT EXISTS (
        SELECT FROM digest_paragraphs AS written
        WHERE written.repository_id = watches.repository_id AND written.period = ${period}
          AND written.period_end = ${span.to} AND written.language_code = watches.language_code)
      AND NOT EXISTS (
        SELECT FROM jobs
        WHERE jobs.repository_id = watches.repository_id AND jobs.language_code = watches.language_code AND ${isAlive}
          AND (jobs.work = 'planned' AND jobs.parent_id IS NULL AND ${isJobDue(reads.now)}
            OR jobs.work = 'digest' AND jobs.detail->>'period' = ${period}
              AND jobs.detail->>'periodEnd' = ${span.to.toISOString()}))
      AND EXISTS (
        SELECT FROM pull_requests JOIN articles ON articles.pull_request_id = pull_requests.id
        JOIN article_contents AS contents
          ON contents.article_id = articles.id AND contents.language_code = watches.language_code
        WHERE pull_requests.repository_id = watches.repository_id AND pull_requests.state = 'merged'
          AND pull_requests.merged_at >= ${span.from} AND pull_requests.merged_at < ${span.to})
    ORDER BY watches.repository_id, watches.language_code`);

export interface MergedArticle extends ParagraphSource {
  title: string;
  isBreaking: boolean;
  body: PublishedContent;
}

/**
 * The articles that a paragraph may be written from, in the order of the digest. Does not check visibility: for writing,
 * not for showing.
 */
export const listMergedArticles = (
  db: Queries,
  {
    repositoryId,
    languageCode,
    span,
    most,
  }: Pick<ParagraphKey, 'repositoryId' | 'languageCode'> & {
    span: Span;
    most: number;
  },
) =>
  db.query<MergedArticle>(sql`
    SELECT pull_requests.id AS pull_request_id, pull_requests.number AS pr_number, pull_requests.base_sha,
      pull_requests.head_sha, pull_requests.title, contents.is_breaking, contents.body
    FROM pull_requests JOIN articles ON articles.pull_request_id = pull_requests.id
    JOIN article_contents AS contents
      ON contents.article_id = articles.id AND contents.language_code = ${languageCode}
    LEFT JOIN pull_request_contents AS sizes ON sizes.pull_request_id = pull_requests.id
    WHERE pull_requests.repository_id = ${repositoryId} AND pull_requests.state = 'merged'
      AND pull_requests.merged_at >= ${span.from} AND pull_requests.merged_at < ${span.to}
      AND right(pull_requests.author_login, ${botSuffix.length}) <> ${botSuffix}
      AND NOT ${isOutdated(sql`pull_requests`, sql`contents.base_sha`, sql`contents.head_sha`)}
    ORDER BY contents.is_breaking DESC, contents.change_types && ARRAY['FEAT', 'FIX', 'PERF'] DESC,
      contents.like_count DESC, sizes.additions + sizes.deletions DESC NULLS LAST, pull_requests.number
    LIMIT ${most}`);
