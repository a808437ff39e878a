import type { Static } from 'typebox';
import { mostOfComment, reviewStates } from '../domain/reviews.ts';
import { Hunk, Statement } from './article-parts.ts';
import {
  Count,
  Flag,
  List,
  nullable,
  OneOf,
  oneOfOrNull,
  Positive,
  record,
  ref,
  refOrNull,
  resource,
  Text,
  Timestamp,
  Url,
} from './formats.ts';
import { Type } from './type.ts';

const mostWords = 1_000;

const reviewers = List(
  record({
    login: Text('Login name.'),
    state: OneOf(['approved', 'changesRequested', 'commented'], 'What they said last.'),
  }),
  'Who reviewed it, without bots and the author.',
);

export const Review = resource(
  'Review',
  {
    reviewers,
    threads: Count('Number of threads of comments on lines.'),
    points: Type.Array(
      record({
        outcome: OneOf(
          ['takenOver', 'changedAsNamed', 'discussed'],
          'Whether code that the reviewer wrote is in the change, a name or literal that the comment quotes came or went, or nothing of this is certain and reasons were given, which are quoted.',
        ),
        hunkAsReviewed: refOrNull(Hunk, 'The lines that the comment is about, as they were then.'),
        fileName: nullable(Text('The file as it was called then.')),
        line: nullable(Positive('The line that the comment is about, as it was then.')),
        words: List(
          record({
            author: Text('Login name.'),
            markdown: Type.String({
              maxLength: mostWords,
              description: 'Whole sentences, verbatim. Render the Markdown without its HTML.',
            }),
            cut: Flag('Whether the comment says more.'),
            url: nullable(Url('URL of the comment on the code host.')),
            createdAt: Timestamp('When it was written.'),
          }),
          'The request and the answers, oldest first.',
        ),
        statements: List(ref(Statement), 'What changed after the comment; empty if it was only discussed.'),
        hunk: refOrNull(Hunk, 'The lines of the diff that show it.'),
      }),
      {
        maxItems: 3,
        description:
          'Comments that led to something, or were discussed with reasons, the most important first.',
      },
    ),
    rest: refOrNull(Statement, 'The other threads, approvals, and what is not known.'),
    newComments: Count('Number of comments since the article was written.'),
  },
  { description: 'What the review led to, made from the comments that the code host shows now.' },
);

export type Review = Static<typeof Review>;

const commentFields = {
  author: Text('Login name.'),
  byBot: Flag('Whether the code host or the name says that it is a bot.'),
  markdown: Type.String({
    maxLength: mostOfComment,
    description: 'The comment, verbatim. Render the Markdown without its HTML.',
  }),
  cut: Flag('Whether the comment says more.'),
  url: nullable(Url('URL of the comment on the code host.')),
  createdAt: Timestamp('When it was written.'),
};

export const ReviewComment = resource('ReviewComment', commentFields);
export type ReviewComment = Static<typeof ReviewComment>;

export const ReviewVerdict = resource('ReviewVerdict', {
  ...commentFields,
  state: OneOf(reviewStates, 'The verdict.'),
  sha: nullable(Text('The head that was reviewed, if the code host names it.')),
});
export type ReviewVerdict = Static<typeof ReviewVerdict>;

export const ReviewThread = resource('ReviewThread', {
  fileName: Text('The file as it was called when it was commented on.'),
  line: nullable(Positive('The line that the first comment is about, as it was then.')),
  side: OneOf(['old', 'new'], 'Whether the line is of the file before or after the change.'),
  sha: nullable(Text('The head that the first comment was made on, if the code host names it.')),
  isResolved: nullable(Flag('Whether it is resolved, if the code host says so.')),
  isOutdated: nullable(Flag('Whether the lines changed since, if the code host says so.')),
  resolvedBy: nullable(Text('Who resolved it.')),
  outcome: oneOfOrNull(
    ['takenOver', 'changedAsNamed', 'functionChanged', 'elsewhere'],
    'What came of it: code of the reviewer is in the change, a quoted name came or went, the code merely changed, or it points to another pull request that is about this one. Null if none of this is certain, and in very large reviews for the last threads.',
  ),
  elsewhere: nullable(Positive('The other pull request.')),
  hunkAsReviewed: refOrNull(Hunk, 'The lines that it is about, as they were then.'),
  hunk: refOrNull(Hunk, 'The same lines in the diff, if they are not the same any more.'),
  comments: List(ref(ReviewComment), 'The comments, oldest first.'),
});
export type ReviewThread = Static<typeof ReviewThread>;

export const WholeReview = resource('WholeReview', {
  reviewers,
  reviews: List(ref(ReviewVerdict), 'Reviews, oldest first. Their comments on lines are in `threads`.'),
  threads: List(ref(ReviewThread), 'Comments on lines, oldest first.'),
  comments: List(ref(ReviewComment), 'Comments on no line, oldest first.'),
  isHistoryReplaced: Flag('Whether commits were replaced after the first comment on a line.'),
  hasMore: Flag('Whether there are more comments than these, which are a thousand at most.'),
});
export type WholeReview = Static<typeof WholeReview>;
