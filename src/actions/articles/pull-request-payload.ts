import type { PullRequestToWriteAbout } from '../../db/pull-requests.ts';
import { isFromClone } from '../../domain/repositories.ts';
import type { PullRequestPayload } from './read-for-writing.ts';

type Known = Pick<
  PullRequestToWriteAbout,
  | 'title'
  | 'body'
  | 'labels'
  | 'host'
  | 'owner'
  | 'repo'
  | 'authorLogin'
  | 'linkedIssues'
  | 'commits'
  | 'comments'
  | 'changedFiles'
  | 'filesInDiff'
  | 'additions'
  | 'deletions'
  | 'unread'
  | 'outlines'
>;

/** What is known of a pull request, as it is sent to another thread. */
export function payloadOf(pullRequest: Known): PullRequestPayload {
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
