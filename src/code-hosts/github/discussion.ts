import type { HostPullRequest } from '../code-host.ts';
import { timeOf } from '../host-times.ts';
import { cutText, ghost } from '../texts.ts';
import type { CommentPayload, ReviewCommentPayload, ReviewPayload } from './payloads.ts';

type Comment = HostPullRequest['comments'][number];

export const commentOf = ({ user, body, created_at }: CommentPayload): Comment => ({
  kind: 'comment',
  author: user?.login ?? ghost,
  body: cutText(body ?? ''),
  createdAt: timeOf(created_at),
});

export interface KeptReview {
  id: number;
  /** Null while its author has not sent it off: until then it shows to them alone. */
  comment: Comment | null;
}

export const reviewOf = ({ id, user, body, state, submitted_at }: ReviewPayload): KeptReview => ({
  id,
  comment:
    state === 'PENDING' || !submitted_at
      ? null
      : {
          kind: 'review',
          author: user?.login ?? ghost,
          body: cutText(body ?? ''),
          createdAt: timeOf(submitted_at),
        },
});

export interface KeptReviewComment {
  reviewId: number | null;
  comment: Comment;
}

export function reviewCommentOf(payload: ReviewCommentPayload): KeptReviewComment {
  const { user, body, created_at, path, line, original_line, pull_request_review_id } = payload;
  const place = line ?? original_line ?? null;
  return {
    reviewId: pull_request_review_id ?? null,
    comment: {
      kind: 'reviewComment',
      author: user?.login ?? ghost,
      body: cutText(body),
      createdAt: timeOf(created_at),
      path,
      ...(place !== null && { line: place }),
    },
  };
}

/** In the order in which it was written, without what is part of reviews that were not sent off. */
export function discussionOf(
  comments: Comment[],
  reviews: KeptReview[],
  reviewComments: KeptReviewComment[],
): Comment[] {
  const pending = new Set(reviews.flatMap(({ id, comment }) => (comment ? [] : id)));
  const said = [
    ...comments,
    ...reviews.flatMap(({ comment }) => comment ?? []),
    ...reviewComments.flatMap(({ reviewId, comment }) =>
      reviewId !== null && pending.has(reviewId) ? [] : comment,
    ),
  ];
  return said
    .filter(({ body }) => body !== '')
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}
