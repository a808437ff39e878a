import type { ReviewComment, ReviewThread, ReviewVerdict, WholeReview } from '../contract/reviews.ts';
import type { DiscussionComment, DiscussionReview, DiscussionThread, ReviewItem } from '../domain/reviews.ts';
import { linesAsReviewed, linesNow, type ReviewedChange } from '../reading/reviewed-lines.ts';
import { outcomesOf } from '../reading/reviews.ts';
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

/** A thread of a review, with the code as it was and, if it shall be compared, as it is. */
export function presentThread(
  source: Source,
  thread: DiscussionThread,
  { isCompared }: { isCompared: boolean },
): ReviewThread {
  const { path, line, side, sha, isResolved, isOutdated, resolvedBy, comments } = thread;
  const [found] = isCompared ? outcomesOf(source, [thread]) : [];
  const { outcome = null, elsewhere = null } = found ?? {};
  const before = linesAsReviewed(thread);
  const now = isCompared ? linesNow(thread, source) : null;
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
}

export const presentReview = (source: Source, threads: ReviewThread[]): WholeReview => ({
  ...presentOverview(source),
  reviews: source.discussion.reviews.map((review) => presentVerdict(review, source)),
  threads,
  comments: source.discussion.comments.map((comment) => presentComment(comment, source)),
});

type Overview = Pick<WholeReview, 'reviewers' | 'isHistoryReplaced' | 'hasMore'>;

const presentOverview = (source: Source): Overview => ({
  reviewers: reviewersOf(source),
  isHistoryReplaced: isHistoryReplaced(source.discussion),
  hasMore: source.discussion.hasMore,
});

export interface ReviewItems {
  review: Overview;
  items: (ReviewThread | ReviewVerdict | ReviewComment)[];
}

/** Some items of a review in their order; `threads` are those among them. */
export function presentItems(source: Source, items: ReviewItem[], threads: ReviewThread[]): ReviewItems {
  const left = threads.values();
  return {
    review: presentOverview(source),
    items: items.flatMap(({ thread, comment }) => {
      if (thread) return left.next().value ?? [];
      return 'state' in comment ? presentVerdict(comment, source) : presentComment(comment, source);
    }),
  };
}
