import type { HostPullRequest } from '../code-host.ts';
import type { CommentPayload, ReviewCommentPayload, ReviewPayload } from './payloads.ts';

/** Whoever wrote something and deleted their account since goes by this name on GitHub. */
export const ghost = 'ghost';

/** In the order in which it was written. A review that its author has not sent off shows to them alone, and is left out. */
export function discussionOf(
  comments: CommentPayload[],
  reviews: ReviewPayload[],
  reviewComments: ReviewCommentPayload[],
): HostPullRequest['comments'] {
  const said: HostPullRequest['comments'] = [
    ...comments.map((comment) => ({
      kind: 'comment' as const,
      author: comment.user?.login ?? ghost,
      body: comment.body ?? '',
      createdAt: new Date(comment.created_at),
    })),
    ...reviews.flatMap(({ user, body, state, submitted_at }) =>
      state === 'PENDING' || !submitted_at
        ? []
        : {
            kind: 'review' as const,
            author: user?.login ?? ghost,
            body: body ?? '',
            createdAt: new Date(submitted_at),
          },
    ),
    ...reviewComments.map(({ user, body, created_at, path, line, original_line }) => {
      const place = line ?? original_line ?? null;
      return {
        kind: 'reviewComment' as const,
        author: user?.login ?? ghost,
        body,
        createdAt: new Date(created_at),
        path,
        ...(place !== null && { line: place }),
      };
    }),
  ];
  return said
    .filter(({ body, createdAt }) => body !== '' && !Number.isNaN(createdAt.getTime()))
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}
