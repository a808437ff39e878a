import type { ReviewComment, ReviewThread, ReviewVerdict, WholeReview } from '../contract/reviews.ts';
import type { DiscussionComment, DiscussionReview, DiscussionThread, ReviewItem } from '../domain/reviews.ts';
import { linesAsReviewed, linesNow, type ReviewedChange } from '../reading/reviewed-lines.ts';
import { mostCompared, outcomesOf } from '../reading/reviews.ts';
import { hunkOf, isHistoryReplaced, mostLines, reviewedHunk, reviewersOf } from './reviews.ts';

type Source = ReviewedChange & { hostUrl: string | null };

export const presentComment = (
  { author, isBot, body, isCut, anchor, createdAt }: DiscussionComment,
  { hostUrl }: Pick<Source, 'hostUrl'>,
): ReviewComment => ({
  author,
  byBot: isBot,
  markdown: body,
  cut: isCut,
  url: hostUrl && anchor ? `${hostUrl}#${anchor}` : null,
  createdAt,
});

export const presentVerdict = (review: DiscussionReview, source: Pick<Source, 'hostUrl'>): ReviewVerdict => ({
  ...presentComment(review, source),
  state: review.state,
  sha: review.sha,
});

/** Some threads of a review, with the code as it was and as it is. */
export function presentThreads(source: Source, threads: DiscussionThread[]): ReviewThread[] {
  const outcomes = new Map(outcomesOf(source, threads).map((one) => [one.thread, one]));
  return threads.map((thread, place) => {
    const { path, line, side, sha, isResolved, isOutdated, resolvedBy, comments } = thread;
    const { outcome = null, elsewhere = null } = outcomes.get(thread) ?? {};
    const before = linesAsReviewed(thread);
    const now = place < mostCompared ? linesNow(thread, source) : null;
    return {
      fileName: path,
      line,
      side,
      sha,
      isResolved,
      isOutdated,
      resolvedBy,
      outcome,
      elsewhere,
      hunkAsReviewed: before && reviewedHunk(path, before),
      hunk: now && hunkOf(now.file.path, now.heading, [...now.all], now.lines.slice(0, mostLines)),
      comments: comments.map((comment) => presentComment(comment, source)),
    };
  });
}

export function presentReview(source: Source): WholeReview {
  const { discussion } = source;
  return {
    reviewers: reviewersOf(source),
    reviews: discussion.reviews.map((review) => presentVerdict(review, source)),
    threads: presentThreads(source, discussion.threads),
    comments: discussion.comments.map((comment) => presentComment(comment, source)),
    isHistoryReplaced: isHistoryReplaced(discussion),
    hasMore: discussion.hasMore,
  };
}

export interface ReviewItems {
  review: Pick<WholeReview, 'reviewers' | 'isHistoryReplaced' | 'hasMore'>;
  items: (ReviewThread | ReviewVerdict | ReviewComment)[];
}

/** Some items of a review in their order. */
export function presentItems(source: Source, items: ReviewItem[]): ReviewItems {
  const { discussion } = source;
  const { hasMore } = discussion;
  const threads = presentThreads(
    source,
    items.flatMap(({ thread }) => thread ?? []),
  );
  return {
    review: { reviewers: reviewersOf(source), isHistoryReplaced: isHistoryReplaced(discussion), hasMore },
    items: items.map(({ thread, comment }) => {
      if (thread) return threads.shift() as ReviewThread;
      return 'state' in comment ? presentVerdict(comment, source) : presentComment(comment, source);
    }),
  };
}
