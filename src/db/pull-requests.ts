import type { FileKind, FileStatus } from '../domain/articles.ts';
import { mostFilesAnswered } from '../domain/pull-requests.ts';
import type { Discussion } from '../domain/reviews.ts';
import { useNotedAfterMs } from '../domain/time.ts';
import type { FileOutline } from '../reading/facts.ts';
import type { Database, Queries } from './database.ts';
import type { DiffRevision } from './diffs.ts';
import type { RepositoryName } from './repositories.ts';
import type { Tables } from './schema.ts';
import { json, type Sql, separated, sql } from './sql.ts';
import { type VisibilityScope, visibleTo } from './visibility.ts';
import { numbersOfQuoted } from './webhooks.ts';

export interface StoredFile {
  fileName: string;
  previousFileName?: string;
  status: FileStatus;
  kind: FileKind;
  language?: string;
  additions: number;
  deletions: number;
}

interface StoredComment {
  kind: 'comment' | 'review' | 'reviewComment';
  author: string;
  body: string;
  createdAt: string;
  path?: string;
  line?: number;
}

export type PullRequestRow = Pick<Tables['pull_requests'], 'number' | 'hostUrl' | 'title' | 'authorLogin'> &
  Pick<Tables['pull_requests'], 'state' | 'baseSha' | 'headSha' | 'hostCreatedAt' | 'mergedAt'>;

interface PullRequestTexts
  extends PullRequestRow,
    Pick<
      Tables['pull_request_contents'],
      'body' | 'labels' | 'baseRef' | 'headRef' | 'commits' | 'comments' | 'linkedIssues'
    > {
  labels: string[];
  commits: { sha: string; message: string; author: string }[];
  comments: StoredComment[];
  linkedIssues: { number: number; title: string; body: string | null }[];
}

/** Texts that the host did not give this caller keep their stored value. */
export interface HostTexts extends PullRequestTexts {
  unavailable: readonly ('comments' | 'linkedIssues' | 'discussion')[];
  discussion: Discussion | null;
}

export interface ReadFiles
  extends Pick<Tables['pull_request_contents'], 'additions' | 'deletions' | 'files' | 'unread'> {
  files: StoredFile[];
  unread: { fileName: string; reason: string }[];
}

export interface StoredPullRequest
  extends PullRequestTexts,
    ReadFiles,
    Use,
    RepositoryName,
    Pick<Tables['pull_requests'], 'fetchedAt' | 'diffRevision'> {
  changedFiles: number;
  filesInDiff: number;
}

/** A pull request without its texts, which can be megabytes. */
export type StoredFiles = Use &
  RepositoryName &
  Pick<StoredPullRequest, 'number' | 'hostUrl' | 'diffRevision' | 'changedFiles' | 'filesInDiff' | 'files'>;

const columns = (unread: Sql) => sql`
  pull_requests.id, repositories.host, repositories.owner, repositories.name AS repo, pull_requests.number,
  pull_requests.host_url, pull_requests.title, pull_requests.author_login, pull_requests.state, pull_requests.base_sha,
  pull_requests.head_sha, pull_requests.diff_revision, pull_requests.host_created_at, pull_requests.merged_at,
  pull_requests.fetched_at, pull_requests.unused_since, contents.body, contents.labels, contents.base_ref,
  contents.head_ref, contents.additions, contents.deletions, jsonb_array_length(contents.files) AS "changedFiles",
  jsonb_array_length(contents.files) - jsonb_array_length(contents.unread) AS "filesInDiff", ${unread} AS unread,
  contents.commits, contents.comments, contents.linked_issues`;

const joined = sql`
  pull_requests
  JOIN repositories ON repositories.id = pull_requests.repository_id
  JOIN pull_request_contents AS contents ON contents.pull_request_id = pull_requests.id`;

/** Offsets beyond the end of a list give an empty slice. */
const slice = (list: Sql, { limit, offset }: { limit: number; offset: number }) => sql`
  jsonb_path_query_array(${list}, '$[$first to $last]',
    jsonb_build_object('first', ${offset}::bigint, 'last', ${offset + limit - 1}::bigint))`;

export const firstFiles = (list: Sql, limit: number): Sql => slice(list, { limit, offset: 0 });

export interface NamedPullRequest {
  repositoryId: string;
  number: number;
  viewer: VisibilityScope;
}

/** Returns at most as many files as one response has. */
export const findPullRequest = (db: Queries, { repositoryId, number, viewer }: NamedPullRequest) =>
  db.first<StoredPullRequest>(sql`
    SELECT ${columns(firstFiles(sql`contents.unread`, mostFilesAnswered))}, ${firstFiles(sql`contents.files`, mostFilesAnswered)} AS files FROM ${joined}
    WHERE repositories.id = ${repositoryId} AND pull_requests.number = ${number} AND ${visibleTo(viewer)}`);

/** A pull request with its files but without texts. */
export const findChangedFiles = (db: Queries, { repositoryId, number, viewer }: NamedPullRequest) =>
  db.first<StoredFiles>(sql`
    SELECT pull_requests.id, repositories.host, repositories.owner, repositories.name AS repo, pull_requests.number,
      pull_requests.host_url, pull_requests.diff_revision, pull_requests.unused_since,
      jsonb_array_length(contents.files) AS "changedFiles",
      jsonb_array_length(contents.files) - jsonb_array_length(contents.unread) AS "filesInDiff",
      ${firstFiles(sql`contents.files`, mostFilesAnswered)} AS files FROM ${joined}
    WHERE repositories.id = ${repositoryId} AND pull_requests.number = ${number} AND ${visibleTo(viewer)}`);

export type PullRequestToWriteAbout = Omit<StoredPullRequest, 'files'> &
  Pick<Tables['repositories'], 'isPrivate' | 'hostRepoId'> & {
    outlines: FileOutline[];
    discussion: Discussion | null;
  };

/** Does not check visibility, so do not show it. */
export const findPullRequestToWriteAbout = (db: Queries, id: string) =>
  db.first<PullRequestToWriteAbout>(sql`
    SELECT ${columns(firstFiles(sql`contents.unread`, mostFilesAnswered))}, contents.outlines, contents.discussion,
      repositories.is_private, repositories.host_repo_id
    FROM ${joined} WHERE pull_requests.id = ${id}`);

export async function listChangedFiles(
  db: Queries,
  { pullRequestId, limit, offset }: { pullRequestId: string; limit: number; offset: number },
): Promise<{ rows: StoredFile[]; total: number }> {
  const [row] = await db.query<{ rows: StoredFile[]; total: number }>(sql`
    SELECT ${slice(sql`files`, { limit, offset })} AS rows, jsonb_array_length(files) AS total
    FROM pull_request_contents WHERE pull_request_id = ${pullRequestId}`);
  return row ?? { rows: [], total: 0 };
}

/** Returns at most as many files as one response has. */
export const listFilesOfArticle = async (
  db: Queries,
  { articleId, viewer }: { articleId: string; viewer: VisibilityScope },
): Promise<StoredFile[]> =>
  (await db.value<StoredFile[]>(sql`
    SELECT ${firstFiles(sql`contents.files`, mostFilesAnswered)} AS files
    FROM ${joined} JOIN articles ON articles.pull_request_id = pull_requests.id
    WHERE articles.id = ${articleId} AND ${visibleTo(viewer)}`)) ?? [];

export const findFilePosition = (
  db: Queries,
  { pullRequestId, fileName }: { pullRequestId: string; fileName: string },
) =>
  db.value<number>(sql`
    SELECT place - 1 AS position
    FROM pull_request_contents, jsonb_array_elements(files) WITH ORDINALITY AS listed (file, place)
    WHERE pull_request_id = ${pullRequestId} AND file ->> 'fileName' = ${fileName} ORDER BY place LIMIT 1`);

const commentsToKeep = ({ comments, unavailable }: HostTexts): Sql =>
  unavailable.includes('comments') ? sql`pull_request_contents.comments` : json(comments);

const linkedIssuesToKeep = ({ linkedIssues, unavailable }: HostTexts): Sql =>
  unavailable.includes('linkedIssues') ? sql`pull_request_contents.linked_issues` : json(linkedIssues);

const discussionOf = ({ discussion }: HostTexts): Sql => (discussion ? json(discussion) : sql`NULL::jsonb`);

const discussionToKeep = (texts: HostTexts): Sql =>
  texts.unavailable.includes('discussion') ? sql`pull_request_contents.discussion` : discussionOf(texts);

const withQuoted = ({ linkedIssues }: HostTexts): Sql => sql`ARRAY(
  SELECT unnest(pull_request_contents.told_issues) UNION SELECT unnest(${numbersOfQuoted(linkedIssues)}))`;

interface FetchedPullRequest {
  repositoryId: string;
  content: HostTexts & ReadFiles & { outlines: FileOutline[] };
  cutAtBytes: number | null;
  hostVersion: string | null;
  fetchedAt: Date;
}

type SavedPullRequest = DiffRevision & Pick<Tables['pull_requests'], 'number'> & { isNew: boolean };

const insertPullRequests = (fetched: FetchedPullRequest[]): Sql => sql`
  INSERT INTO pull_requests
    (repository_id, number, host_url, title, author_login, state, base_sha, head_sha, cut_at_bytes, host_created_at,
      merged_at, host_version, fetched_at, unused_since)
  VALUES ${separated(
    fetched.map(
      ({ repositoryId, content, cutAtBytes, hostVersion, fetchedAt }) => sql`
        (${repositoryId}, ${content.number}, ${content.hostUrl}, ${content.title}, ${content.authorLogin},
          ${content.state}, ${content.baseSha}, ${content.headSha}, ${cutAtBytes}, ${content.hostCreatedAt},
          ${content.mergedAt}, ${hostVersion}, ${fetchedAt}, ${fetchedAt})`,
    ),
  )}`;

const insertContents = (saved: (FetchedPullRequest & { pullRequestId: string })[]): Sql => sql`
  INSERT INTO pull_request_contents
    (pull_request_id, body, labels, base_ref, head_ref, additions, deletions, files, unread, outlines, commits, comments,
      linked_issues, discussion, told_issues)
  VALUES ${separated(
    saved.map(
      ({ pullRequestId, content }) => sql`
        (${pullRequestId}, ${content.body}, ${json(content.labels)}, ${content.baseRef}, ${content.headRef},
          ${content.additions}, ${content.deletions}, ${json(content.files)}, ${json(content.unread)},
          ${json(content.outlines)}, ${json(content.commits)}, ${json(content.comments)},
          ${json(content.linkedIssues)}, ${discussionOf(content)}, ${numbersOfQuoted(content.linkedIssues)})`,
    ),
  )}`;

const savedColumns = sql`number, id AS "pullRequestId", diff_revision AS revision, xmax = 0 AS "isNew"`;

export async function saveNewPullRequests(
  tx: Queries,
  fetched: FetchedPullRequest[],
): Promise<Map<number, SavedPullRequest>> {
  const rows = await tx.query<SavedPullRequest>(
    sql`${insertPullRequests(fetched)} RETURNING ${savedColumns}`,
  );
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  await tx.query(
    insertContents(
      fetched.map((one) => ({
        ...one,
        pullRequestId: byNumber.get(one.content.number)?.pullRequestId ?? '',
      })),
    ),
  );
  return byNumber;
}

export async function savePullRequest(tx: Queries, fetched: FetchedPullRequest): Promise<SavedPullRequest> {
  const { content } = fetched;
  const saved = await tx.first<SavedPullRequest>(sql`
    ${insertPullRequests([fetched])}
    ON CONFLICT (repository_id, number) DO UPDATE SET
      host_url = excluded.host_url, title = excluded.title, author_login = excluded.author_login,
      state = excluded.state, base_sha = excluded.base_sha, head_sha = excluded.head_sha,
      cut_at_bytes = excluded.cut_at_bytes, diff_revision = pull_requests.diff_revision + 1,
      merged_at = excluded.merged_at, host_version = excluded.host_version, fetched_at = excluded.fetched_at
    RETURNING ${savedColumns}`);
  if (!saved) throw new Error('The database stored a pull request without returning it.');
  await tx.query(sql`
    ${insertContents([{ ...fetched, pullRequestId: saved.pullRequestId }])}
    ON CONFLICT (pull_request_id) DO UPDATE SET
      body = excluded.body, labels = excluded.labels, base_ref = excluded.base_ref, head_ref = excluded.head_ref,
      additions = excluded.additions, deletions = excluded.deletions, files = excluded.files, unread = excluded.unread,
      outlines = excluded.outlines, commits = excluded.commits, comments = ${commentsToKeep(content)},
      linked_issues = ${linkedIssuesToKeep(content)}, discussion = ${discussionToKeep(content)},
      told_issues = ${withQuoted(content)}`);
  return saved;
}

export async function havePullRequestTextsChanged(
  db: Queries,
  { id, texts }: { id: string; texts: HostTexts },
): Promise<boolean> {
  const [row] = await db.query<{ is: boolean }>(sql`
    SELECT (body, labels, base_ref, head_ref, commits, comments, linked_issues, discussion) IS DISTINCT FROM
      (${texts.body}::text, ${json(texts.labels)}, ${texts.baseRef}::text, ${texts.headRef}::text,
        ${json(texts.commits)}, ${commentsToKeep(texts)}, ${linkedIssuesToKeep(texts)}, ${discussionToKeep(texts)}) AS is
    FROM pull_request_contents WHERE pull_request_id = ${id}`);
  return row?.is === true;
}

export const savePullRequestTexts = (tx: Queries, { id, texts }: { id: string; texts: HostTexts }) =>
  tx.run(sql`
    UPDATE pull_request_contents SET
      body = ${texts.body}, labels = ${json(texts.labels)}, base_ref = ${texts.baseRef}, head_ref = ${texts.headRef},
      commits = ${json(texts.commits)}, comments = ${commentsToKeep(texts)}, linked_issues = ${linkedIssuesToKeep(texts)},
      discussion = ${discussionToKeep(texts)}, told_issues = ${withQuoted(texts)}
    WHERE pull_request_id = ${id}`);

export const refreshPullRequest = (
  tx: Queries,
  read: { id: string; texts: PullRequestTexts; hostVersion: string | null; fetchedAt: Date },
) =>
  tx.run(sql`
    UPDATE pull_requests SET
      host_url = ${read.texts.hostUrl}, title = ${read.texts.title}, author_login = ${read.texts.authorLogin}, state = ${read.texts.state},
      merged_at = ${read.texts.mergedAt}, host_version = ${read.hostVersion}, fetched_at = ${read.fetchedAt}
    WHERE id = ${read.id}`);

export const confirmPullRequest = (tx: Queries, { id, fetchedAt }: { id: string; fetchedAt: Date }) =>
  tx.run(sql`
    UPDATE pull_requests SET fetched_at = ${fetchedAt} WHERE id = ${id} AND fetched_at < ${fetchedAt}`);

/** `unusedSince` is null while the pull request has an article. */
type Use = Pick<Tables['pull_requests'], 'id' | 'unusedSince'>;

/** Writes at most once per `useNotedAfterMs`, to save writes. */
export async function notePullRequestUse(db: Queries, { id, unusedSince }: Use, now: Date): Promise<void> {
  if (!unusedSince || now.getTime() - unusedSince.getTime() < useNotedAfterMs) return;
  await db.query(sql`
    UPDATE pull_requests SET unused_since = ${now} WHERE id = ${id} AND unused_since < ${now}`);
}

/** A pull request is unused if it has no article and no job, and was not read for a long time. */
export const isPullRequestUnused = (before: Date): Sql => sql`
  pull_requests.unused_since < ${before}
  AND NOT EXISTS (SELECT FROM jobs WHERE jobs.pull_request_id = pull_requests.id)`;

/** Deleting this many takes a few milliseconds. */
const mostRemoved = 5;

/**
 * Deletes some unused pull requests with all their data, and returns how many. Skips those that an ingest or a request
 * for an article has locked.
 */
export async function deleteUnusedPullRequests(database: Database, before: Date): Promise<number> {
  return database.transaction(async (tx) => {
    const found = await tx.query<Pick<Tables['pull_requests'], 'id'>>(sql`
      SELECT pull_requests.id
      FROM pull_requests JOIN repositories ON repositories.id = pull_requests.repository_id
      WHERE ${isPullRequestUnused(before)} ORDER BY pull_requests.unused_since LIMIT ${mostRemoved}
      FOR UPDATE OF pull_requests SKIP LOCKED FOR NO KEY UPDATE OF repositories SKIP LOCKED`);
    if (found.length === 0) return 0;
    const ids = found.map(({ id }) => id);
    // A job may have been created before the rows were locked, so the condition is checked again.
    const gone = await tx.query(sql`
      DELETE FROM pull_requests WHERE id = ANY (${ids}::uuid[]) AND ${isPullRequestUnused(before)} RETURNING 1`);
    return gone.length;
  });
}
