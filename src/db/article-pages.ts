import { type DiffRange, mostFilesAnswered } from '../domain/pull-requests.ts';
import type { Queries } from './database.ts';
import { type ReadBefore, readBeforeBy } from './following.ts';
import { firstOf, type StoredFile } from './pull-requests.ts';
import { releaseOfPullRequest } from './related-articles.ts';
import type { Tables } from './schema.ts';
import { type Sql, sql } from './sql.ts';
import { type VisibilityViewer, visibleTo } from './visibility.ts';
import { type LiveJob, liveJobOf } from './writing-jobs.ts';

interface ArticlePageData {
  /** Null where the pull request is no longer stored. */
  change: ShownDiff | null;
  /** Its neighbours in the list of its repository. */
  newer: ArticleBeside | null;
  older: ArticleBeside | null;
  /** The tags between which it was merged. */
  release: { from: string; to: string } | null;
  isLiked: boolean;
  readBefore: ReadBefore | null;
  /** In any language. */
  job: LiveJob | null;
}

export interface ArticleBeside
  extends Pick<Tables['pull_requests'], 'number'>,
    Pick<Tables['article_contents'], 'articleId' | 'title' | 'languageCode'> {}

/** The stored diff, with those of its parts that contain the requested files. */
export interface ShownDiff extends DiffRange {
  /** As many as one response has. */
  files: StoredFile[];
  parts: Uint8Array[];
}

interface ArticlePageRow extends Omit<ShownDiff, 'files' | 'parts'>, Omit<ArticlePageData, 'change'> {
  files: StoredFile[] | null;
  /** All parts concatenated, and the length of each. */
  bytes: Uint8Array | null;
  lengths: number[] | null;
}

interface Wanted {
  articleId: string;
  languageCode: string;
  fileNames: string[];
  /** Larger parts are left out. */
  mostPartBytes: number;
  viewer: VisibilityViewer;
}

/** One statement, so that all of it is about one diff; null where the article is hidden. */
export async function findArticlePageData(
  db: Queries,
  { articleId, languageCode, fileNames, mostPartBytes, viewer }: Wanted,
): Promise<ArticlePageData | null> {
  const row = await db.first<ArticlePageRow>(sql`
    SELECT pull_requests.base_sha, pull_requests.head_sha,
      ${firstOf(sql`contents.files`, mostFilesAnswered)} AS files, cited.bytes, cited.lengths,
      ${ownColumns(viewer.userId, languageCode)}, ${besideInList(languageCode, 'newer')} AS newer, ${besideInList(languageCode, 'older')} AS older,
      ${releaseOfPullRequest} AS release
    FROM articles JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN repositories ON repositories.id = pull_requests.repository_id
    LEFT JOIN pull_request_contents AS contents ON contents.pull_request_id = pull_requests.id
    CROSS JOIN LATERAL (
      SELECT array_agg(place - 1) AS positions FROM jsonb_array_elements(contents.files) WITH ORDINALITY AS listed (file, place)
      WHERE file ->> 'fileName' = ANY (${fileNames}::text[])) AS wanted
    CROSS JOIN LATERAL (
      SELECT string_agg(compressed, '' ORDER BY first_file) AS bytes,
        jsonb_agg(octet_length(compressed) ORDER BY first_file) AS lengths
      FROM pull_request_diffs AS diffs
      WHERE diffs.pull_request_id = pull_requests.id AND diffs.revision = pull_requests.diff_revision
        AND octet_length(compressed) <= ${mostPartBytes}
        AND EXISTS (SELECT FROM unnest(positions) AS place WHERE place BETWEEN first_file AND last_file)) AS cited
    WHERE articles.id = ${articleId} AND ${visibleTo(viewer)}`);
  if (!row) return null;
  const { isLiked, readBefore, job, newer, older, release, files, bytes, lengths, ...diff } = row;
  const change = files && { ...diff, files, parts: partsOf(bytes, lengths) };
  return { isLiked, readBefore, job, newer, older, release, change };
}

/** Anonymous viewers have none of these. */
const ownColumns = (userId: string | null, languageCode: string): Sql =>
  userId === null
    ? sql`false AS "isLiked", NULL::jsonb AS "readBefore", NULL::jsonb AS job`
    : sql`
      EXISTS (
        SELECT FROM article_likes AS likes WHERE likes.article_id = articles.id
          AND likes.language_code = ${languageCode} AND likes.user_id = ${userId}) AS "isLiked",
      (SELECT to_jsonb(before) FROM (${readBeforeBy(userId, sql`articles.id`, languageCode)}) AS before) AS "readBefore",
      (SELECT to_jsonb(live) FROM (${liveJobOf(userId, sql`writing_jobs.pull_request_id = pull_requests.id`)}) AS live) AS job`;

/** The neighbour in the order of the list's index. */
function besideInList(languageCode: string, direction: 'newer' | 'older'): Sql {
  const [isBeyond, inOrder] =
    direction === 'older'
      ? [
          sql`others.listed_at <= articles.listed_at
            AND (others.listed_at < articles.listed_at OR others.id > articles.id)`,
          sql`others.listed_at DESC, others.id`,
        ]
      : [
          sql`others.listed_at >= articles.listed_at
            AND (others.listed_at > articles.listed_at OR others.id < articles.id)`,
          sql`others.listed_at, others.id DESC`,
        ];
  return sql`(
    SELECT jsonb_build_object('articleId', beside.id, 'number', about.number,
      'languageCode', written.language_code, 'title', written.title)
    FROM (
      SELECT others.id, others.pull_request_id FROM articles AS others
      WHERE others.repository_id = articles.repository_id AND ${isBeyond} ORDER BY ${inOrder} LIMIT 1) AS beside
    JOIN pull_requests AS about ON about.id = beside.pull_request_id
    CROSS JOIN LATERAL (
      SELECT contents.language_code, contents.title FROM article_contents AS contents WHERE contents.article_id = beside.id
      ORDER BY contents.language_code <> ${languageCode}, contents.language_code LIMIT 1) AS written)`;
}

function partsOf(bytes: Uint8Array | null, lengths: number[] | null): Uint8Array[] {
  let end = 0;
  return (lengths ?? []).map((length) => {
    end += length;
    return (bytes ?? new Uint8Array()).subarray(end - length, end);
  });
}

export interface CardKey {
  articleId: string;
  languageCode: string;
  /** Identifies all that the picture shows. */
  version: string;
}

export const findCard = (
  db: Queries,
  { articleId, languageCode, version }: CardKey,
): Promise<Uint8Array | null> =>
  db.value<Tables['article_cards']['png']>(sql`
    SELECT png FROM article_cards
    WHERE article_id = ${articleId} AND language_code = ${languageCode} AND version = ${version}`);

/** Replaces the picture before, if the article still exists. */
export const saveCard = (
  db: Queries,
  { articleId, languageCode, version }: CardKey,
  { png, now }: { png: Uint8Array; now: Date },
) =>
  db.run(sql`
    INSERT INTO article_cards (article_id, language_code, version, png, drawn_at)
    SELECT article_id, language_code, ${version}, ${png}, ${now} FROM article_contents
    WHERE article_id = ${articleId} AND language_code = ${languageCode} FOR KEY SHARE
    ON CONFLICT (article_id, language_code) DO UPDATE SET
      version = excluded.version, png = excluded.png, drawn_at = excluded.drawn_at`);

/** About 90 MB. */
const mostCards = 2_000;
const mostAtOnce = 200;

export const drawnBefore = (before: Date): Sql => sql`article_cards.drawn_at < ${before}`;

/** Deletes some old pictures, which are drawn again on demand, and returns how many. */
export async function deleteOldCards(db: Queries, before: Date): Promise<number> {
  const oldestKept = await db.value<Date>(sql`
    SELECT drawn_at FROM article_cards ORDER BY drawn_at DESC OFFSET ${mostCards - 1} LIMIT 1`);
  const cutoff = oldestKept && oldestKept > before ? oldestKept : before;
  const rows = await db.query(sql`
    DELETE FROM article_cards WHERE (article_id, language_code) IN (
      SELECT article_id, language_code FROM article_cards WHERE ${drawnBefore(cutoff)}
      ORDER BY drawn_at LIMIT ${mostAtOnce})
    RETURNING 1`);
  return rows.length;
}
