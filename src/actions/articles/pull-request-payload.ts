import type { Database } from '../../db/database.ts';
import type { PullRequestToWriteAbout } from '../../db/pull-requests.ts';
import { isFromClone } from '../../domain/clones-host.ts';
import type { JobProgress } from '../../domain/writing-job.ts';
import { readStoredParts } from '../pull-requests/read-stored-diff.ts';
import type { DiffFeed, PullRequestPayload } from './read-for-writing.ts';

/** What is stored of a pull request, as it is sent to another thread. */
export function payloadOf(pullRequest: PullRequestToWriteAbout): PullRequestPayload {
  const { title, body, labels, owner, repo, authorLogin, linkedIssues, commits, comments } = pullRequest;
  const { changedFiles, filesInDiff, additions, deletions, unread, outlines } = pullRequest;
  return {
    repository: `${owner}/${repo}`,
    title,
    body,
    labels,
    author: authorLogin,
    isClone: isFromClone(pullRequest),
    linkedIssues,
    commits,
    comments,
    changedFiles,
    additions,
    deletions,
    unread,
    unreadTotal: changedFiles - filesInDiff,
    outlines,
  };
}

/** Hands a stored diff over part by part, as it is asked for. */
export function diffFeedOf(
  database: Database,
  pullRequest: PullRequestToWriteAbout,
  onProgress: (progress: JobProgress) => void,
): DiffFeed {
  const parts = readStoredParts(database, pullRequest);
  return {
    nextPart: async () => (await parts.next()).value ?? null,
    onProgress: async (progress) => onProgress(progress),
  };
}
