import type { HostPullRequest } from '../../code-hosts/code-host.ts';
import type { HostTexts } from '../../db/pull-requests.ts';
import { mostComments, mostCommits } from '../../domain/pull-requests.ts';

/** What is stored of what a host says about a pull request. */
export function textsOf(onHost: HostPullRequest): HostTexts {
  const { number, title, authorLogin, state, baseSha, headSha, mergedAt } = onHost;
  const { body, labels, baseRef, headRef, linkedIssues, unavailable = [] } = onHost;
  return {
    number,
    title,
    authorLogin,
    state,
    baseSha,
    headSha,
    mergedAt,
    body,
    labels,
    baseRef,
    headRef,
    linkedIssues,
    unavailable,
    hostUrl: onHost.url,
    hostCreatedAt: onHost.createdAt,
    commits: onHost.commits.slice(0, mostCommits),
    comments: onHost.comments.slice(0, mostComments).map(({ createdAt, ...comment }) => ({
      ...comment,
      createdAt: createdAt.toISOString(),
    })),
  };
}
