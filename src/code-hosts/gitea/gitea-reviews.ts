import { mostComments } from '../../domain/pull-requests.ts';
import type { Discussion, DiscussionComment, DiscussionPush } from '../../domain/reviews.ts';
import type { HostRepository } from '../code-host.ts';
import { discussionCommentOf, discussionOf, toSecond } from '../reviews.ts';
import {
  type CommentPayload,
  type EventPayload,
  ghost,
  isGiteaBot,
  type ReviewCommentPayload,
  type ReviewPayload,
} from './gitea-api.ts';

interface Listed {
  comments: CommentPayload[];
  /** Submitted reviews only. */
  reviews: (ReviewPayload & { remarks: ReviewCommentPayload[] })[];
  /** Events are used without their texts, because Gitea also lists texts of reviews that were not submitted. */
  events: EventPayload[];
  hasMore: boolean;
}

const states: Record<string, Discussion['reviews'][number]['state']> = {
  APPROVED: 'approved',
  REQUEST_CHANGES: 'changesRequested',
};

export function giteaDiscussion(
  repository: Pick<HostRepository, 'owner' | 'name'>,
  { comments, reviews, events, hasMore }: Listed,
): Discussion {
  return discussionOf({
    reviews: reviews.map((review) => ({
      ...commentOf({ ...review, created_at: review.submitted_at ?? '' }, null),
      state: review.dismissed ? 'dismissed' : (states[review.state] ?? 'commented'),
      sha: review.commit_id || null,
    })),
    comments: comments.map((comment) => commentOf(comment, `issuecomment-${comment.id}`)),
    threads: reviews.flatMap(threadsOf),
    pushes: events.flatMap((event) => pushOf(event)),
    references: events.flatMap(({ type, ref_issue: issue }) => {
      const isOwn = issue?.repository?.full_name === `${repository.owner}/${repository.name}`;
      if (type !== 'pull_ref' || !isOwn || !issue.pull_request) return [];
      return [{ number: issue.number, isMerged: issue.pull_request.merged === true }];
    }),
    hasMore: hasMore || comments.length >= mostComments,
  });
}

/** Gitea groups comments on a line by review, and does not say which comment answers which. */
function threadsOf({ remarks, commit_id: sha }: Listed['reviews'][number]): Discussion['threads'] {
  const byLine = Map.groupBy(remarks, ({ path, position, original_position: old }) =>
    JSON.stringify([path, position, old]),
  );
  return [...byLine.values()].flatMap((thread) => {
    const [first] = thread;
    if (!first) return [];
    const line = first.position || first.original_position || null;
    const resolver = thread.find((remark) => remark.resolver)?.resolver ?? null;
    return {
      path: first.path,
      side: first.position ? 'new' : 'old',
      sha: sha || null,
      startLine: line,
      line,
      hunk: first.diff_hunk || null,
      behind: [],
      isResolved: resolver !== null,
      resolvedBy: resolver?.login ?? null,
      isOutdated: null,
      comments: thread.map((remark) => commentOf(remark, `issuecomment-${remark.id}`)),
    };
  });
}

function pushOf({ type, body, created_at: at }: EventPayload): DiscussionPush[] {
  if (type !== 'pull_push') return [];
  const { isForced, commits } = pushedIn(body ?? '');
  return [
    {
      at: toSecond(at),
      before: isForced ? (commits[0] ?? null) : null,
      after: commits.at(-1) ?? null,
      isForced,
    },
  ];
}

const commitId = /"([0-9a-f]{40,64})"/g;

/** The body of a push is JSON: the heads before and after a forced one, or else the commits, oldest first. */
const pushedIn = (body: string) => ({
  isForced: body.includes('"is_force_push":true'),
  commits: [...body.matchAll(commitId)].map(([, id = '']) => id),
});

function commentOf(
  {
    user,
    original_author: original,
    body,
    created_at: at,
  }: Pick<CommentPayload, 'user' | 'body' | 'created_at' | 'original_author'>,
  anchor: string | null,
): DiscussionComment {
  const author = original || user?.login || ghost;
  return discussionCommentOf({ author, isBot: isGiteaBot(author), body, at, anchor });
}
