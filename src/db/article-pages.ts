import { type DiffRange, mostFilesAnswered } from '../domain/pull-requests.ts';
import type { Queries } from './database.ts';
import { type ReadBefore, readBeforeBy } from './following.ts';
import { firstOf, type StoredFile } from './pull-requests.ts';
import { releaseOfPullRequest } from './related-articles.ts';
import type { Tables } from './schema.ts';
import { type Sql, sql } from './sql.ts';
import { type VisibilityViewer, visibleTo } from './visibility.ts';
import { type LiveJob, liveJobOf } from './writing-jobs.ts';

/** What the page of an article shows beside it. */
interface ArticlePageData extends OwnPageData {
  /** Null where the pull request is no longer stored. */
  change: ShownDiff | null;
  /** Those beside it in the list of its repository; null at the ends of that. */
  newer: ArticleBeside | null;
  older: ArticleBeside | null;
  /** The tags between which it was merged; null where that is not known. */
  release: { from: string; to: string } | null;
}

/** What only users have, in the language that is shown. */
interface OwnPageData {
  isLiked: boolean;
  /** Null where they read it for the first time. */
  readBefore: ReadBefore | null;
  /** What is being written for them about the same pull request, in whatever language. */
  job: LiveJob | null;
}

/** Another article of the same repository. */
export interface ArticleBeside
  extends Pick<Tables['pull_requests'], 'number'>,
    Pick<Tables['article_contents'], 'articleId' | 'title'> {
  /** The language of the page, where it is written in that. */
  languageCode: Tables['article_contents']['languageCode'];
}

/** The diff that is stored now, with those of its parts that have the files asked for. */
export interface ShownDiff extends DiffRange {
  /** As many as one answer tells. */
  files: StoredFile[];
  /** Compressed, in their order. */
  parts: Uint8Array[];
}

interface ArticlePageRow extends Omit<ShownDiff, 'files' | 'parts'>, Omit<ArticlePageData, 'change'> {
  /** Null where the pull request is no longer stored. */
  files: StoredFile[] | null;
  /** All parts, one after the other, and how long each is; both null where there is none. */
  bytes: Uint8Array | null;
  lengths: number[] | null;
}

interface Wanted {
  articleId: string;
  languageCode: string;
  /** Files whose lines are shown. */
  fileNames: string[];
  /** Larger parts are left out. */
  mostPartBytes: number;
  viewer: VisibilityViewer;
}

/** What the page of an article shows beside it, in one statement and therefore all of one diff; null where it is hidden. */
export async function findArticlePageData(
  db: Queries,
  { articleId, languageCode, fileNames, mostPartBytes, viewer }: Wanted,
): Promise<ArticlePageData | null> {
  const [row] = await db.query<ArticlePageRow>(sql`
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

/** Strangers have none of it, and nothing is looked up for them. */
const ownColumns = (userId: string | null, languageCode: string): Sql =>
  userId === null
    ? sql`false AS "isLiked", NULL::jsonb AS "readBefore", NULL::jsonb AS job`
    : sql`
      EXISTS (
        SELECT FROM article_likes AS likes WHERE likes.article_id = articles.id
          AND likes.language_code = ${languageCode} AND likes.user_id = ${userId}) AS "isLiked",
      (SELECT to_jsonb(before) FROM (${readBeforeBy(userId, sql`articles.id`, languageCode)}) AS before) AS "readBefore",
      (SELECT to_jsonb(live) FROM (${liveJobOf(userId, sql`writing_jobs.pull_request_id = pull_requests.id`)}) AS live) AS job`;

/** In the order of the list of a repository, by its index: what comes before the article, or behind it. */
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

/** The picture beside links to an article in one language. */
export interface CardKey {
  articleId: string;
  languageCode: string;
  /** What names all that it shows. */
  version: string;
}

/** The picture of an article that was found before; null where it has not been drawn, or shows something else by now. */
export const findCard = (
  db: Queries,
  { articleId, languageCode, version }: CardKey,
): Promise<Uint8Array | null> =>
  db.value<Tables['article_cards']['png']>(sql`
    SELECT png FROM article_cards
    WHERE article_id = ${articleId} AND language_code = ${languageCode} AND version = ${version}`);

/** Keeps a picture in the place of the one before, if its article is still there. */
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

/** Some 90 MB. */
const mostCards = 2_000;
const mostAtOnce = 200;

export const drawnBefore = (before: Date): Sql => sql`article_cards.drawn_at < ${before}`;

/**
 * Deletes some of the pictures that were drawn before a moment, or before the newest that are kept, and returns how many. They
 * are drawn again when they are asked for.
 */
export async function deleteOldCards(db: Queries, before: Date): Promise<number> {
  const [oldestKept] = await db.query<Pick<Tables['article_cards'], 'drawnAt'>>(sql`
    SELECT drawn_at FROM article_cards ORDER BY drawn_at DESC OFFSET ${mostCards - 1} LIMIT 1`);
  const cutoff = oldestKept && oldestKept.drawnAt > before ? oldestKept.drawnAt : before;
  const rows = await db.query(sql`
    DELETE FROM article_cards WHERE (article_id, language_code) IN (
      SELECT article_id, language_code FROM article_cards WHERE ${drawnBefore(cutoff)}
      ORDER BY drawn_at LIMIT ${mostAtOnce})
    RETURNING 1`);
  return rows.length;
}
