import { languageCodes } from '../domain/languages.ts';
import { type DiffRange, mostFilesAnswered } from '../domain/pull-requests.ts';
import { plainPath } from '../domain/repositories.ts';
import { fileFact, languageFact, ofRepository, tsqueryQuoted } from '../domain/search/indexed-words.ts';
import { type ListedArticle, listedColumns, rowsOfPage } from './articles.ts';
import type { Queries } from './database.ts';
import { articlesReadBefore, type ReadBefore } from './following.ts';
import { type LiveJob, liveJobColumns } from './jobs.ts';
import { firstFiles, type StoredFile } from './pull-requests.ts';
import type { Tables } from './schema.ts';
import { opaqueToPlanner, type Sql, sql } from './sql.ts';
import { type DetailScope, type ListScope, type VisibilityScope, visibleTo } from './visibility.ts';

interface ArticlePageData {
  change: ShownDiff | null;
  newer: ArticleBeside | null;
  older: ArticleBeside | null;
  release: { from: string; to: string } | null;
  isLiked: boolean;
  readBefore: ReadBefore | null;
  job: LiveJob | null;
}

interface ArticleBeside
  extends Pick<Tables['pull_requests'], 'number' | 'title'>,
    Pick<Tables['article_contents'], 'articleId' | 'languageCode'> {
  aiGeneratedTitle: string;
}

export interface ShownDiff extends DiffRange {
  /** At most as many files as one response has. */
  files: StoredFile[];
  parts: Uint8Array[];
}

interface ArticlePageRow extends Omit<ShownDiff, 'files' | 'parts'>, Omit<ArticlePageData, 'change'> {
  files: StoredFile[] | null;
  bytes: Uint8Array | null;
  lengths: number[] | null;
}

interface Wanted {
  articleId: string;
  languageCode: string;
  fileNames: string[];
  mostPartBytes: number;
  viewer: VisibilityScope;
}

/**
 * All data of an article page in one statement, so that it is about one diff. Null if the viewer may not see the
 * article.
 */
export async function findArticlePageData(
  db: Queries,
  { articleId, languageCode, fileNames, mostPartBytes, viewer }: Wanted,
): Promise<ArticlePageData | null> {
  const row = await db.first<ArticlePageRow>(sql`
    SELECT pull_requests.base_sha, pull_requests.head_sha,
      ${firstFiles(sql`contents.files`, mostFilesAnswered)} AS files, cited.bytes, cited.lengths,
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
      FROM (
        SELECT first_file, compressed, sum(octet_length(compressed)) OVER (ORDER BY first_file) AS so_far
        FROM pull_request_diffs AS diffs
        WHERE diffs.pull_request_id = pull_requests.id AND diffs.revision = pull_requests.diff_revision
          AND octet_length(compressed) <= ${mostPartBytes}
          AND EXISTS (SELECT FROM unnest(positions) AS place WHERE place BETWEEN first_file AND last_file)) AS parts
      WHERE so_far <= ${2 * mostPartBytes}) AS cited
    WHERE articles.id = ${articleId} AND ${visibleTo(viewer)}`);
  if (!row) return null;
  const { isLiked, readBefore, job, newer, older, release, files, bytes, lengths, ...diff } = row;
  const change = files && { ...diff, files, parts: splitBytes(bytes, lengths) };
  return { isLiked, readBefore, job, newer, older, release, change };
}

const ownColumns = (userId: string | null, languageCode: string): Sql =>
  userId === null
    ? sql`false AS "isLiked", NULL::jsonb AS "readBefore", NULL::jsonb AS job`
    : sql`
      EXISTS (
        SELECT FROM article_likes AS likes WHERE likes.article_id = articles.id
          AND likes.language_code = ${languageCode} AND likes.user_id = ${userId}) AS "isLiked",
      (SELECT to_jsonb(before) FROM (${articlesReadBefore(userId, sql`articles.id`, languageCode)}) AS before) AS "readBefore",
      (SELECT to_jsonb(live) FROM (${liveJobColumns(userId, sql`jobs.pull_request_id = pull_requests.id`)}) AS live) AS job`;

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
      'languageCode', written.language_code, 'title', about.title, 'aiGeneratedTitle', written.title)
    FROM (
      SELECT others.id, others.pull_request_id FROM articles AS others
      WHERE others.repository_id = articles.repository_id AND ${isBeyond} ORDER BY ${inOrder} LIMIT 1) AS beside
    JOIN pull_requests AS about ON about.id = beside.pull_request_id
    CROSS JOIN LATERAL (
      SELECT contents.language_code, contents.title FROM article_contents AS contents WHERE contents.article_id = beside.id
      ORDER BY contents.language_code <> ${languageCode}, contents.language_code LIMIT 1) AS written)`;
}

function splitBytes(bytes: Uint8Array | null, lengths: number[] | null): Uint8Array[] {
  let end = 0;
  return (lengths ?? []).map((length) => {
    end += length;
    return (bytes ?? new Uint8Array()).subarray(end - length, end);
  });
}

export interface CardKey {
  articleId: string;
  languageCode: string;
  version: string;
}

export const findArticleCard = (
  db: Queries,
  { articleId, languageCode, version }: CardKey,
): Promise<Uint8Array | null> =>
  db.value<Tables['article_cards']['png']>(sql`
    SELECT png FROM article_cards
    WHERE article_id = ${articleId} AND language_code = ${languageCode} AND version = ${version}`);

export const saveArticleCard = (
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

/** 2,000 cards take about 90 MB. */
const mostCards = 2_000;
const mostAtOnce = 200;

export const cardsDrawnBefore = (before: Date): Sql => sql`article_cards.drawn_at < ${before}`;

export async function deleteOldArticleCards(db: Queries, before: Date): Promise<number> {
  const oldestKept = await db.value<Date>(sql`
    SELECT drawn_at FROM article_cards ORDER BY drawn_at DESC OFFSET ${mostCards - 1} LIMIT 1`);
  const cutoff = oldestKept && oldestKept > before ? oldestKept : before;
  const rows = await db.query(sql`
    DELETE FROM article_cards WHERE (article_id, language_code) IN (
      SELECT article_id, language_code FROM article_cards WHERE ${cardsDrawnBefore(cutoff)}
      ORDER BY drawn_at LIMIT ${mostAtOnce})
    RETURNING 1`);
  return rows.length;
}

/** `because` is the first reason that applies. */
interface RelatedArticle extends ListedArticle {
  because: 'files' | 'release' | 'author' | 'repository';
}

interface RelatedTo {
  viewer: ListScope;
  articleId: string;
  repositoryId: string;
  host: string;
  number: number;
  authorLogin: string;
  language: string;
  files: string[];
  most: number;
}

const mostFiles = 8;

const mostOfRelease = 200;

export async function findRelatedArticles(db: Queries, wanted: RelatedTo): Promise<RelatedArticle[]> {
  const { viewer, articleId, repositoryId, host, number, authorLogin, language, files, most } = wanted;
  const oneOf = files.slice(0, mostFiles).map((path) => tsqueryQuoted(fileFact(path)));
  const words = [
    tsqueryQuoted(ofRepository(repositoryId)),
    tsqueryQuoted(languageFact(language)),
    `(${oneOf.join(' | ') || tsqueryQuoted('=none')})`,
  ];
  return db.query<RelatedArticle>(sql`
    WITH seen AS MATERIALIZED (
      SELECT repositories.id, repositories.host, repositories.owner, repositories.name FROM repositories
      WHERE repositories.id = ${repositoryId} AND ${visibleTo(viewer)}),
    same_files AS MATERIALIZED (
      SELECT article_id FROM article_search
      WHERE words @@ (SELECT ${words.join(' & ')}::text::tsquery) AND article_id <> ${articleId}
      ORDER BY listed_at DESC, article_id LIMIT ${opaqueToPlanner(most)}),
    same_release AS MATERIALIZED (
      SELECT contents.article_id FROM (
        SELECT others.number FROM release_changes AS own JOIN release_changes AS others USING (repository_id, to_tag, from_tag)
        WHERE own.repository_id = ${repositoryId} AND own.number = ${number} AND others.number <> ${number}
        ORDER BY others.number DESC LIMIT ${opaqueToPlanner(mostOfRelease)}) AS others
      JOIN pull_requests ON pull_requests.repository_id = ${repositoryId} AND pull_requests.number = others.number
      JOIN articles ON articles.pull_request_id = pull_requests.id
      JOIN article_contents AS contents ON contents.article_id = articles.id AND contents.language_code = ${language}
      WHERE contents.article_id NOT IN (SELECT article_id FROM same_files)
      ORDER BY contents.listed_at DESC, contents.article_id LIMIT ${opaqueToPlanner(most)}),
    same_author AS MATERIALIZED (
      SELECT article_id FROM article_facets
      WHERE repository_id = ${repositoryId} AND author = (SELECT author_key(${host}::text, ${authorLogin}::text))
        AND change_type = '*' AND language_code = ${language} AND article_id <> ${articleId}
        AND article_id NOT IN (SELECT article_id FROM same_files UNION ALL SELECT article_id FROM same_release)
      ORDER BY listed_at DESC, article_id LIMIT ${opaqueToPlanner(most)}),
    newest AS MATERIALIZED (
      SELECT article_id FROM article_contents
      WHERE repository_id = ${repositoryId} AND language_code = ${language} AND article_id <> ${articleId}
        AND article_id NOT IN (
          SELECT article_id FROM same_files UNION ALL SELECT article_id FROM same_release UNION ALL SELECT article_id FROM same_author)
      ORDER BY listed_at DESC, article_id LIMIT ${opaqueToPlanner(most)}),
    named AS (
      SELECT 1 AS turn, 'files' AS because, * FROM same_files
      UNION ALL SELECT 2, 'release', * FROM same_release
      UNION ALL SELECT 3, 'author', * FROM same_author
      UNION ALL SELECT 4, 'repository', * FROM newest)
    SELECT named.because, ${listedColumns({ repositories: sql`seen` })}
    FROM seen CROSS JOIN named
    JOIN article_contents AS contents ON contents.article_id = named.article_id AND contents.language_code = ${language}
    JOIN articles ON articles.id = named.article_id
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    ORDER BY named.turn, contents.listed_at DESC, contents.article_id`);
}

interface WantedChanges {
  viewer: DetailScope;
  repositoryId: string;
  path: string;
  since: Date;
  /** Each article is listed once: in the first of these languages in which it exists, or else in any other. */
  languages: string[];
  limit: number;
  offset: number;
}

interface Counted {
  total: number;
  unwrittenTotal: number;
  unwritten: number[];
  isCut: boolean;
}

export interface PathChanges extends Counted {
  rows: ListedArticle[];
}

/** Paths of files are not indexed, so only this many pull requests are searched for a path. */
export const mostLookedAt = 1_000;
const mostUnwritten = 20;

/** Changes to a path since a date, newest first: by merge, or by creation if not merged. */
export async function listPathChanges(
  db: Queries,
  { viewer, repositoryId, path, since, languages, limit, offset }: WantedChanges,
): Promise<PathChanges> {
  const codes = sql`(SELECT ${[...new Set([...languages, 'en', 'ja', ...languageCodes])]}::text[])`;
  const rows = await db.query<ListedArticle & Counted>(sql`
    WITH since AS MATERIALIZED (
      SELECT pull_requests.id, pull_requests.number, coalesce(pull_requests.merged_at, pull_requests.host_created_at) AS moment
      FROM pull_requests JOIN repositories ON repositories.id = pull_requests.repository_id
      WHERE repositories.id = ${repositoryId} AND ${visibleTo(viewer)}
        AND coalesce(pull_requests.merged_at, pull_requests.host_created_at) >= ${since}
      ORDER BY moment DESC, number DESC LIMIT ${mostLookedAt + 1}),
    changed AS MATERIALIZED (
      SELECT looked.* FROM (SELECT * FROM since ORDER BY moment DESC, number DESC LIMIT ${mostLookedAt}) AS looked
      JOIN pull_request_contents AS texts ON texts.pull_request_id = looked.id WHERE ${hasPath(plainPath(path))}),
    written AS MATERIALIZED (
      SELECT changed.id, changed.number, changed.moment, articles.id AS article_id,
        (${codes})[min(array_position(${codes}, contents.language_code))] AS language_code
      FROM changed JOIN articles ON articles.pull_request_id = changed.id
      JOIN article_contents AS contents ON contents.article_id = articles.id
      GROUP BY changed.id, changed.number, changed.moment, articles.id),
    unwritten AS MATERIALIZED (SELECT * FROM changed WHERE id NOT IN (SELECT id FROM written)),
    page AS MATERIALIZED (SELECT * FROM written ORDER BY moment DESC, number DESC LIMIT ${limit} OFFSET ${offset}),
    counted AS MATERIALIZED (
      SELECT (SELECT count(*) FROM written) AS total, (SELECT count(*) FROM unwritten) AS "unwrittenTotal",
        (SELECT coalesce(jsonb_agg(number ORDER BY moment DESC, number DESC), '[]') FROM (
          SELECT * FROM unwritten ORDER BY moment DESC, number DESC LIMIT ${mostUnwritten}) AS last) AS unwritten,
        (SELECT count(*) > ${mostLookedAt} FROM since) AS "isCut")
    SELECT counted.*, ${listedColumns()}
    FROM counted LEFT JOIN (
      page JOIN article_contents AS contents
        ON contents.article_id = page.article_id AND contents.language_code = page.language_code
      JOIN pull_requests ON pull_requests.id = page.id
      JOIN repositories ON repositories.id = pull_requests.repository_id) ON true
    ORDER BY page.moment DESC, page.number DESC`);
  const { total = 0, unwrittenTotal = 0, unwritten = [], isCut = false } = rows[0] ?? {};
  const listed = rowsOfPage(rows, 'total', 'unwrittenTotal', 'unwritten', 'isCut');
  return { rows: listed, total, unwrittenTotal, unwritten, isCut };
}

/**
 * Whether a pull request changes a path, by the same rule as `matchesPath` in src/domain/repositories.ts. Renamed files
 * also match by their old name.
 */
function hasPath(wanted: string): Sql {
  if (wanted === '') return sql`true`;
  return sql`EXISTS (
    SELECT FROM jsonb_array_elements(texts.files) AS file
    CROSS JOIN LATERAL (VALUES (lower(file ->> 'fileName')), (lower(file ->> 'previousFileName'))) AS names (name)
    CROSS JOIN (SELECT lower(${wanted}::text) AS path) AS wanted
    WHERE name = path OR starts_with(name, path || '/') OR right(name, length(path) + 1) = '/' || path)`;
}

interface NotedRelease {
  host: string;
  hostRepoId: number;
  from: string;
  to: string;
  commits: number;
  numbers: number[];
  isWhole: boolean;
}

/** Stores which pull requests a release contains. If several releases contain one, the smallest counts. */
export async function noteReleaseChanges(db: Queries, noted: NotedRelease): Promise<void> {
  const { host, hostRepoId, from, to, commits, isWhole } = noted;
  // Rows are locked in ascending order, deleted ones included, so that two processes cannot deadlock.
  const numbers = noted.numbers.toSorted((one, other) => one - other);
  // A tag may have been moved, so pull requests that are no longer in the release are deleted.
  const gone = isWhole
    ? sql`from_tag = ${from} AND to_tag = ${to} AND number <> ALL (${numbers}::bigint[])`
    : sql`false`;
  await db.query(sql`
    WITH known AS (SELECT id FROM repositories WHERE host = ${host} AND host_repo_id = ${hostRepoId}),
    locked AS MATERIALIZED (
      SELECT repository_id, number AS locked_number, ${gone} AS is_gone FROM release_changes
      WHERE repository_id = (SELECT id FROM known) AND (number = ANY (${numbers}::bigint[]) OR ${gone})
      ORDER BY number FOR UPDATE),
    removed AS (
      DELETE FROM release_changes USING locked
      WHERE release_changes.repository_id = locked.repository_id AND number = locked_number AND is_gone)
    INSERT INTO release_changes AS noted (repository_id, number, from_tag, to_tag, commits)
    SELECT known.id, number, ${from}, ${to}, ${commits}::integer FROM known CROSS JOIN unnest(${numbers}::bigint[]) AS number
    WHERE (SELECT count(*) FROM locked) >= 0
    ON CONFLICT (repository_id, number) DO UPDATE
    SET from_tag = excluded.from_tag, to_tag = excluded.to_tag, commits = excluded.commits
    WHERE excluded.commits < noted.commits`);
}

const releaseOfPullRequest: Sql = sql`(
  SELECT jsonb_build_object('from', noted.from_tag, 'to', noted.to_tag) FROM release_changes AS noted
  WHERE noted.repository_id = repositories.id AND noted.number = pull_requests.number)`;
