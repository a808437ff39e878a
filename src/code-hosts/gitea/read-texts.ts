import { mostComments, mostCommits } from '../../domain/pull-request-bounds.ts';
import type { HostPullRequest, HostRepository } from '../code-host.ts';
import { timeOf } from '../host-times.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { AnswerTooLarge } from '../http/host-failures.ts';
import { inTurns } from '../http/in-turns.ts';
import { issuesInTexts } from '../http/issues-in-texts.ts';
import { cutText } from '../texts.ts';
import {
  CommentPayload,
  CommitPayload,
  IssuePayload,
  type PullRequestPayload,
  ReviewCommentPayload,
  ReviewPayload,
} from './payloads.ts';
import { pathOf } from './read-repository.ts';

type Comment = HostPullRequest['comments'][number];

/** Gitea calls those who have deleted their account so. */
export const ghost = 'Ghost';

/** Comments on lines are asked for by a question for each review, issues by one for each of them: more than these are left out. */
const mostReviewsAsked = 50;
const mostIssuesAsked = 10;

/** What was said about a pull request, in its commits, under it, and in the issues that it closes. */
export async function readTexts(
  client: HostClient,
  repository: HostRepository,
  pull: PullRequestPayload,
  caller: HostCaller,
): Promise<Pick<HostPullRequest, 'commits' | 'comments' | 'linkedIssues'>> {
  const path = pathOf(repository);
  const pullPath = `${path}/pulls/${pull.number}`;
  const [commits, comments, reviews] = await Promise.all([
    client.list(`${pullPath}/commits?stat=false&verification=false&files=false`, CommitPayload, caller, {
      atMost: mostCommits,
      keep: commitOf,
    }),
    readComments(client, `${path}/issues/${pull.number}/comments`, caller),
    readReviews(client, pullPath, caller),
  ]);
  const said = [...comments, ...reviews]
    .filter(({ body }) => body !== '')
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
    .slice(0, mostComments);
  return {
    commits,
    comments: said,
    linkedIssues: await readIssues(client, repository, pull, commits, caller),
  };
}

const commitOf = ({ sha, commit }: CommitPayload): HostPullRequest['commits'][number] => ({
  sha,
  message: cutText(commit.message),
  author: commit.author?.name || ghost,
});

/** They come all at once: where that is more than is read, there are none. */
async function readComments(client: HostClient, path: string, caller: HostCaller): Promise<Comment[]> {
  try {
    const { items } = await client.page(path, CommentPayload, caller);
    return items.slice(0, mostComments).map(commentOf);
  } catch (error) {
    if (error instanceof AnswerTooLarge) return [];
    throw error;
  }
}

const commentOf = ({ user, original_author: original, body, created_at }: CommentPayload): Comment => ({
  kind: 'comment',
  author: original || user?.login || ghost,
  body: cutText(body ?? ''),
  createdAt: timeOf(created_at),
});

/** What their authors have not sent off yet shows to them alone, and is left out for them too. */
const isSentOff = ({ state, submitted_at }: ReviewPayload): boolean =>
  state !== 'PENDING' && state !== 'REQUEST_REVIEW' && submitted_at !== null;

async function readReviews(client: HostClient, pullPath: string, caller: HostCaller): Promise<Comment[]> {
  const all = await client.list(`${pullPath}/reviews`, ReviewPayload, caller, {
    atMost: mostComments,
    keep: (review) => review,
  });
  const reviews = all.filter(isSentOff);
  const remarked = reviews.filter(({ comments_count: count }) => count !== 0).slice(0, mostReviewsAsked);
  const remarks = await inTurns(remarked, async ({ id }) => {
    const { items } = await client.page(`${pullPath}/reviews/${id}/comments`, ReviewCommentPayload, caller);
    return items.map(remarkOf);
  });
  return [...reviews.map(reviewOf), ...remarks.flat()];
}

const reviewOf = ({ user, body, submitted_at: at }: ReviewPayload): Comment => ({
  kind: 'review',
  author: user?.login ?? ghost,
  body: cutText(body ?? ''),
  createdAt: timeOf(at ?? ''),
});

function remarkOf({
  user,
  body,
  created_at,
  path,
  position,
  original_position: old,
}: ReviewCommentPayload): Comment {
  const line = position || old;
  return {
    kind: 'reviewComment',
    author: user?.login ?? ghost,
    body: cutText(body),
    createdAt: timeOf(created_at),
    path,
    ...(line && { line }),
  };
}

/**
 * Gitea closes issues that texts name with the words that GitHub acts upon. What they say is read where everybody is shown them: of
 * what is private, some members are given pull requests and no issues.
 */
async function readIssues(
  client: HostClient,
  repository: HostRepository,
  pull: PullRequestPayload,
  commits: HostPullRequest['commits'],
  caller: HostCaller,
): Promise<HostPullRequest['linkedIssues']> {
  const named = issuesInTexts(repository, pull, commits);
  if (repository.isPrivate) return named;
  return inTurns(named.slice(0, mostIssuesAsked), async ({ number }) => {
    const issue = await client.get(`${pathOf(repository)}/issues/${number}`, IssuePayload, caller);
    return { number, title: issue?.title ?? '', body: cutText(issue?.body ?? '') || null };
  });
}
