/** A comment as its host shows it. Times are in ISO 8601, to the second. */
export interface DiscussionComment {
  author: string;
  isBot: boolean;
  /** Markdown, without what is beyond `mostOfComment` characters. */
  body: string;
  isCut: boolean;
  createdAt: string;
  /** Of the comment on the page of its pull request; null if the host has none. */
  anchor: string | null;
}

export const reviewStates = ['approved', 'changesRequested', 'commented', 'dismissed'] as const;

export interface DiscussionReview extends DiscussionComment {
  state: (typeof reviewStates)[number];
  /** The head that was reviewed. */
  sha: string | null;
}

/** Comments on lines of the diff, oldest first. */
export interface DiscussionThread {
  path: string;
  side: 'old' | 'new';
  /** The head that the first comment was made on, and the lines in it; null where the host does not say it. */
  sha: string | null;
  startLine: number | null;
  line: number | null;
  /** The lines of the diff that were commented on, as a hunk of it; null where the host does not show them. */
  hunk: string | null;
  /** Null where the host does not say it. */
  isResolved: boolean | null;
  resolvedBy: string | null;
  isOutdated: boolean | null;
  comments: DiscussionComment[];
}

/** A push to the branch, as the host recorded it. */
export interface DiscussionPush {
  at: string;
  before: string | null;
  after: string | null;
  /** Whether it replaced commits; null where the host does not say it. */
  isForced: boolean | null;
}

/** A pull request of the same repository that mentions this one. */
export interface DiscussionReference {
  number: number;
  /** Null where the host does not say it. */
  isMerged: boolean | null;
}

/** What people said about a pull request, without what its host hides and without reviews that were not submitted. */
export interface Discussion {
  reviews: DiscussionReview[];
  threads: DiscussionThread[];
  comments: DiscussionComment[];
  pushes: DiscussionPush[];
  references: DiscussionReference[];
  /** Whether comments are missing, because there are more than are read. */
  hasMore: boolean;
}

export const mostOfComment = 4_000;
