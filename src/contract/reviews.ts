import type { Static } from 'typebox';
import { Hunk, Statement } from './article-parts.ts';
import {
  Count,
  Flag,
  List,
  nullable,
  OneOf,
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

export const Review = resource(
  'Review',
  {
    reviewers: List(
      record({
        login: Text('Login name.'),
        state: OneOf(['approved', 'changesRequested', 'commented'], 'What they said last.'),
      }),
      'Who reviewed it, without bots and the author.',
    ),
    threads: Count('Number of threads of comments on lines.'),
    points: Type.Array(
      record({
        outcome: OneOf(
          ['takenOver', 'changedAsNamed'],
          'Whether code that the reviewer wrote is in the change, or a name or literal that the comment quotes came or went.',
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
          'The request, and the author’s reply.',
        ),
        statements: List(ref(Statement), 'What changed after the comment.'),
        hunk: refOrNull(Hunk, 'The lines of the diff that show it.'),
      }),
      { maxItems: 3, description: 'Comments that led to something, the most important first.' },
    ),
    rest: refOrNull(Statement, 'The other threads, approvals, and what is not known.'),
    newComments: Count('Number of comments since the article was written.'),
  },
  { description: 'What the review led to, made from the comments that the code host shows now.' },
);

export type Review = Static<typeof Review>;
