import { createHash } from 'node:crypto';

/** A comment as its host shows it. Times are in ISO 8601, to the second. */
export interface DiscussionComment {
  author: string;
  isBot: boolean;
  /** Markdown, cut after `mostOfComment` characters. */
  body: string;
  isCut: boolean;
  createdAt: string;
  /** The anchor of the comment on the page of its pull request; null if the host has none. */
  anchor: string | null;
  /** For general comments that quote code, if the host shows the files of that time. */
  quoted?: QuotedCode;
}

/** The quotations of a general comment, as they were in the changed files when they were commented on. */
export interface QuotedCode {
  sha: string;
  files: { path: string; lines: string[] }[];
}

export const reviewStates = ['approved', 'changesRequested', 'commented', 'dismissed'] as const;

export interface DiscussionReview extends DiscussionComment {
  state: (typeof reviewStates)[number];
  /** The head that was reviewed; null if the host does not name it. */
  sha: string | null;
}

/** Comments on lines of the diff, oldest first. */
export interface DiscussionThread {
  path: string;
  side: 'old' | 'new';
  /** The head that the first comment was made on, and its lines there; null if the host does not name them. */
  sha: string | null;
  startLine: number | null;
  line: number | null;
  /** The commented lines of the diff as a hunk; null if the host does not show them. */
  hunk: string | null;
  /** The lines of the file after the hunk, if the host shows them. */
  behind: string[];
  /** Whether the thread is resolved; null if the host does not say. */
  isResolved: boolean | null;
  resolvedBy: string | null;
  isOutdated: boolean | null;
  comments: DiscussionComment[];
}

/** A push to the branch, as recorded by the host. */
export interface DiscussionPush {
  at: string;
  before: string | null;
  after: string | null;
  /** Whether the push replaced commits; null if the host does not tell. */
  isForced: boolean | null;
}

/** A pull request of the same repository that mentions this one. */
export interface DiscussionReference {
  number: number;
  /** Whether that pull request is merged; null if the host does not say. */
  isMerged: boolean | null;
}

/** The discussion of a pull request, without hidden comments and reviews that were not submitted. */
export interface Discussion {
  reviews: DiscussionReview[];
  threads: DiscussionThread[];
  comments: DiscussionComment[];
  pushes: DiscussionPush[];
  references: DiscussionReference[];
  /** Whether comments are missing because there are more than we read. */
  hasMore: boolean;
}

export const mostOfComment = 4_000;

export const reviewOrders = ['time', 'file'] as const;
export type ReviewOrder = (typeof reviewOrders)[number];

/** A thread, a general comment or a review, as an item of the page with the whole review. */
export interface ReviewItem {
  thread: DiscussionThread | null;
  /** The first comment of a thread. */
  comment: DiscussionComment | DiscussionReview;
}

/** Drawing this many comments of the longest kind takes some milliseconds. */
const commentsOnPage = 40;

/** All items in order, on pages. Reviews that say nothing are left out. */
export function pagesOfReview(
  { reviews, threads, comments }: Pick<Discussion, 'reviews' | 'threads' | 'comments'>,
  order: ReviewOrder,
): ReviewItem[][] {
  const items: ReviewItem[] = [
    ...reviews
      .filter(({ body, state }) => body !== '' || state !== 'commented')
      .map((comment) => ({ thread: null, comment })),
    ...threads.flatMap((thread) => thread.comments.slice(0, 1).map((comment) => ({ thread, comment }))),
    ...comments.map((comment) => ({ thread: null, comment })),
  ].sort(
    (one, other) =>
      (order === 'file' ? compareFiles(one.thread, other.thread) : 0) ||
      Date.parse(one.comment.createdAt) - Date.parse(other.comment.createdAt),
  );
  const pages: ReviewItem[][] = [];
  let left = 0;
  for (const item of items) {
    const size = item.thread?.comments.length ?? 1;
    if (pages.length === 0 || size > left) {
      pages.push([]);
      left = commentsOnPage;
    }
    pages.at(-1)?.push(item);
    left -= size;
  }
  return pages;
}

function compareFiles(one: DiscussionThread | null, other: DiscussionThread | null): number {
  if (!one || !other) return Number(!one) - Number(!other);
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return (one.line ?? 0) - (other.line ?? 0);
}

/** The id of a comment. It changes with the text. */
export const idOfComment = ({ author, createdAt, body }: DiscussionComment): string =>
  createHash('sha256')
    .update(JSON.stringify([author, createdAt, body]))
    .digest('base64url')
    .slice(0, 22);

/** All comments with a text, without those of bots. */
export const commentsIn = ({ reviews, threads, comments }: Discussion): DiscussionComment[] =>
  [...threads.flatMap((thread) => thread.comments), ...reviews, ...comments].filter(
    ({ isBot, body }) => !isBot && body.trim() !== '',
  );

/** A passage of a comment: its sentences from `first` to `last`. */
export interface Passage {
  comment: string;
  first: number;
  last: number;
}

/** A result of the review that a model chose to tell, with the passages to quote. */
export interface ChosenPoint {
  /** The first comment of the thread. */
  first: string;
  request: Passage | null;
  reply: Passage | null;
}

/** How an article depends on comments. */
export interface ArticleReview {
  /** The comments that sentences rest on, by the ids of the statements. */
  cited: Record<string, string[]>;
  chosen: ChosenPoint[];
}
