import { mostComments, mostCommits } from '../../domain/pull-request-bounds.ts';
import type { HostPullRequest, HostRepository } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import { issuesInTexts } from '../issues-in-texts.ts';
import { cutText, ghost } from '../texts.ts';
import { commentOf, reviewCommentOf, reviewOf } from './discussion.ts';
import type { GitHubClient } from './github-client.ts';
import {
  ClosingIssuesPayload,
  CommentPayload,
  CommitPayload,
  type PullRequestPayload,
  ReviewCommentPayload,
  ReviewPayload,
} from './payloads.ts';
import { repositoryOf } from './read-repository.ts';

/** Of each kind, in characters: more than a thousand people say, and little enough to be held for several at once. */
const mostText = 4 * 1024 * 1024;

/** What was said about a pull request, in its commits, under it, and in the issues that it closes. */
export async function readTexts(client: GitHubClient, pull: PullRequestPayload, caller: HostCaller) {
  const repository = repositoryOf(pull.base.repo);
  const path = `/repos/${repository.owner}/${repository.name}`;
  const pullPath = `${path}/pulls/${pull.number}`;
  const kept = { atMost: mostComments, mostText };
  const [commits, comments, reviews, reviewComments, issues] = await Promise.all([
    client.list(`${pullPath}/commits`, CommitPayload, caller, {
      atMost: mostCommits,
      mostText,
      keep: commitOf,
    }),
    client.list(`${path}/issues/${pull.number}/comments`, CommentPayload, caller, {
      ...kept,
      keep: commentOf,
    }),
    client.list(`${pullPath}/reviews`, ReviewPayload, caller, { ...kept, keep: reviewOf }),
    client.list(`${pullPath}/comments`, ReviewCommentPayload, caller, { ...kept, keep: reviewCommentOf }),
    closingIssues(client, repository, pull.number, caller),
  ]);
  return {
    commits,
    comments,
    reviews,
    reviewComments,
    linkedIssues: issues ?? issuesInTexts(repository, { ...pull, commits }),
  };
}

const commitOf = ({ sha, commit }: CommitPayload): HostPullRequest['commits'][number] => ({
  sha,
  message: cutText(commit.message),
  author: commit.author?.name ?? ghost,
});

/** Of twenty, which are less than is read at once: far more than one pull request closes. */
const mostPagesOfIssues = 10;

const closingIssuesQuery = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      closingIssuesReferences(first: 20, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { number title body repository { databaseId } }
      }
    }
  }
}`;

/** Issues of the same repository only: another one may be private to this viewer. Null where the caller may not query them. */
async function closingIssues(
  client: GitHubClient,
  { hostRepoId, owner, name }: HostRepository,
  number: number,
  caller: HostCaller,
): Promise<HostPullRequest['linkedIssues'] | null> {
  if (caller.token === null) return null;
  const issues: HostPullRequest['linkedIssues'] = [];
  let after: string | null = null;
  for (let page = 0; page < mostPagesOfIssues; page += 1) {
    const variables: Record<string, unknown> = { owner, name, number, after };
    const found = await client.query(closingIssuesQuery, variables, ClosingIssuesPayload, caller);
    const references = found?.repository?.pullRequest?.closingIssuesReferences;
    if (!references) return null;
    for (const issue of references.nodes) {
      if (issue?.repository.databaseId !== hostRepoId) continue;
      issues.push({ number: issue.number, title: issue.title, body: cutText(issue.body) || null });
    }
    after = references.pageInfo.endCursor;
    if (!references.pageInfo.hasNextPage || after === null) break;
  }
  return issues;
}
