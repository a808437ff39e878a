import type { FileKind, FileStatus } from '../domain/file-kinds.ts';
import type { Queries } from './database.ts';
import { json, sql } from './sql.ts';
import { type VisibilityViewer, visibleTo } from './visibility.ts';

export interface StoredFile {
  fileName: string;
  previousFileName?: string;
  status: FileStatus;
  kind: FileKind;
  language?: string;
  additions: number;
  deletions: number;
}

export interface StoredComment {
  kind: 'comment' | 'review' | 'reviewComment';
  author: string;
  body: string;
  createdAt: string;
  path?: string;
  line?: number;
}

/** What is kept of a pull request, apart from its diff. */
export interface PullRequestContent {
  number: number;
  hostUrl: string | null;
  title: string;
  authorLogin: string;
  state: 'open' | 'closed' | 'merged';
  headSha: string;
  hostCreatedAt: Date;
  mergedAt: Date | null;
  body: string | null;
  labels: string[];
  baseRef: string;
  headRef: string;
  additions: number;
  deletions: number;
  files: StoredFile[];
  unread: { fileName: string; reason: string }[];
  commits: { sha: string; message: string; author: string }[];
  comments: StoredComment[];
  linkedIssues: { number: number; title: string }[];
}

export interface StoredPullRequest extends PullRequestContent {
  id: string;
  host: string;
  owner: string;
  repo: string;
  fetchedAt: Date;
}

/** Whole files of a diff, compressed; the numbers are positions in the list of files. */
export interface DiffPart {
  firstFile: number;
  lastFile: number;
  compressed: Uint8Array;
}

const columns = sql`
  pull_requests.id, repositories.host, repositories.owner, repositories.name AS repo, pull_requests.number,
  pull_requests.host_url AS "hostUrl", pull_requests.title, pull_requests.author_login AS "authorLogin",
  pull_requests.state, pull_requests.head_sha AS "headSha", pull_requests.host_created_at AS "hostCreatedAt",
  pull_requests.merged_at AS "mergedAt", pull_requests.fetched_at AS "fetchedAt", contents.body, contents.labels,
  contents.base_ref AS "baseRef", contents.head_ref AS "headRef", contents.additions, contents.deletions,
  contents.files, contents.unread, contents.commits, contents.comments, contents.linked_issues AS "linkedIssues"`;

export async function findPullRequest(
  db: Queries,
  { repositoryId, number, viewer }: { repositoryId: string; number: number; viewer: VisibilityViewer },
): Promise<StoredPullRequest | null> {
  const [row] = await db.query<StoredPullRequest>(sql`
    SELECT ${columns}
    FROM pull_requests
    JOIN repositories ON repositories.id = pull_requests.repository_id
    JOIN pull_request_contents AS contents ON contents.pull_request_id = pull_requests.id
    WHERE repositories.id = ${repositoryId} AND pull_requests.number = ${number} AND ${visibleTo(viewer)}`);
  return row ?? null;
}

/** A pull request, whoever may see it: for writing about it, never for showing. */
export async function findPullRequestToWriteAbout(
  db: Queries,
  id: string,
): Promise<StoredPullRequest | null> {
  const [row] = await db.query<StoredPullRequest>(sql`
    SELECT ${columns}
    FROM pull_requests
    JOIN repositories ON repositories.id = pull_requests.repository_id
    JOIN pull_request_contents AS contents ON contents.pull_request_id = pull_requests.id
    WHERE pull_requests.id = ${id}`);
  return row ?? null;
}

/** The head of a pull request, and when its host last said that it is the newest. */
export interface StoredHead {
  id: string;
  headSha: string;
  fetchedAt: Date;
}

/** What is stored of a pull request on a host, whoever may see it: for deciding what to fetch, never for showing. */
export async function findStoredHead(
  db: Queries,
  { host, hostRepoId, number }: { host: string; hostRepoId: number; number: number },
): Promise<StoredHead | null> {
  const [row] = await db.query<StoredHead>(sql`
    SELECT pull_requests.id, pull_requests.head_sha AS "headSha", pull_requests.fetched_at AS "fetchedAt"
    FROM pull_requests JOIN repositories ON repositories.id = pull_requests.repository_id
    WHERE repositories.host = ${host} AND repositories.host_repo_id = ${hostRepoId}
      AND pull_requests.number = ${number}`);
  return row ?? null;
}

/** The head that is stored now: for noticing that it moved, never for showing. */
export async function findHeadOf(db: Queries, pullRequestId: string): Promise<string | null> {
  const [row] = await db.query<{ headSha: string }>(
    sql`SELECT head_sha AS "headSha" FROM pull_requests WHERE id = ${pullRequestId}`,
  );
  return row?.headSha ?? null;
}

/** Stores a pull request whole, or what changed about one. When it was made on the host never changes. */
export async function savePullRequest(
  tx: Queries,
  { repositoryId, content, now }: { repositoryId: string; content: PullRequestContent; now: Date },
): Promise<{ id: string; isNew: boolean }> {
  const [saved] = await tx.query<{ id: string; isNew: boolean }>(sql`
    INSERT INTO pull_requests
      (repository_id, number, host_url, title, author_login, state, head_sha, host_created_at, merged_at, fetched_at)
    VALUES (${repositoryId}, ${content.number}, ${content.hostUrl}, ${content.title}, ${content.authorLogin}, ${content.state},
      ${content.headSha}, ${content.hostCreatedAt}, ${content.mergedAt}, ${now})
    ON CONFLICT (repository_id, number) DO UPDATE SET
      host_url = excluded.host_url, title = excluded.title, author_login = excluded.author_login,
      state = excluded.state, head_sha = excluded.head_sha, merged_at = excluded.merged_at,
      fetched_at = excluded.fetched_at
    RETURNING id, xmax = 0 AS "isNew"`);
  if (!saved) throw new Error('The database stored a pull request without returning it.');
  await tx.query(sql`
    INSERT INTO pull_request_contents
      (pull_request_id, body, labels, base_ref, head_ref, additions, deletions, files, unread, commits, comments, linked_issues)
    VALUES (${saved.id}, ${content.body}, ${json(content.labels)}, ${content.baseRef}, ${content.headRef}, ${content.additions},
      ${content.deletions}, ${json(content.files)}, ${json(content.unread)}, ${json(content.commits)}, ${json(content.comments)},
      ${json(content.linkedIssues)})
    ON CONFLICT (pull_request_id) DO UPDATE SET
      body = excluded.body, labels = excluded.labels, base_ref = excluded.base_ref, head_ref = excluded.head_ref,
      additions = excluded.additions, deletions = excluded.deletions, files = excluded.files,
      unread = excluded.unread, commits = excluded.commits, comments = excluded.comments,
      linked_issues = excluded.linked_issues`);
  return saved;
}

export async function replaceDiff(tx: Queries, pullRequestId: string, parts: DiffPart[]): Promise<void> {
  await tx.query(sql`DELETE FROM pull_request_diffs WHERE pull_request_id = ${pullRequestId}`);
  for (const { firstFile, lastFile, compressed } of parts) {
    await tx.query(sql`
      INSERT INTO pull_request_diffs (pull_request_id, first_file, last_file, compressed)
      VALUES (${pullRequestId}, ${firstFile}, ${lastFile}, ${compressed})`);
  }
}

/** The first part of a diff from a file on; parts are fetched one at a time because all of them may be large. */
export async function findDiffPart(
  db: Queries,
  { pullRequestId, fromFile }: { pullRequestId: string; fromFile: number },
): Promise<DiffPart | null> {
  const [part] = await db.query<DiffPart>(sql`
    SELECT first_file AS "firstFile", last_file AS "lastFile", compressed
    FROM pull_request_diffs
    WHERE pull_request_id = ${pullRequestId} AND last_file >= ${fromFile}
    ORDER BY first_file LIMIT 1`);
  return part ?? null;
}

/** Brings what people say and do on the host up to date; the head, and so the diff, is the one that is stored. */
export async function refreshPullRequest(
  tx: Queries,
  {
    repositoryId,
    content,
    now,
  }: {
    repositoryId: string;
    content: Omit<PullRequestContent, 'files' | 'unread' | 'additions' | 'deletions'>;
    now: Date;
  },
): Promise<void> {
  const [row] = await tx.query<{ id: string }>(sql`
    UPDATE pull_requests SET
      host_url = ${content.hostUrl}, title = ${content.title}, author_login = ${content.authorLogin}, state = ${content.state},
      merged_at = ${content.mergedAt}, fetched_at = ${now}
    WHERE repository_id = ${repositoryId} AND number = ${content.number} RETURNING id`);
  if (!row) throw new Error('A pull request vanished while it was being refreshed.');
  await tx.query(sql`
    UPDATE pull_request_contents SET
      body = ${content.body}, labels = ${json(content.labels)}, base_ref = ${content.baseRef}, head_ref = ${content.headRef},
      commits = ${json(content.commits)}, comments = ${json(content.comments)}, linked_issues = ${json(content.linkedIssues)}
    WHERE pull_request_id = ${row.id}`);
}
