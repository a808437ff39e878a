import type { Static } from 'typebox';
import { digestChoices, digestPeriods, endReasons, restReasons } from '../domain/digest.ts';
import { ArticleSummary } from './article.ts';
import {
  Count,
  Flag,
  List,
  nullable,
  OneOf,
  record,
  ref,
  repositoryFields,
  resource,
  Text,
  Timestamp,
} from './formats.ts';

const Rest = List(
  record({
    reason: OneOf(
      restReasons,
      'Why they are not shown: beyond as many as are, written in another language only, not written at all, made by a bot and ' +
        'not written, or a draft and not written',
    ),
    count: Count('How many.'),
  }),
  'What is not shown; with what is, that is all that was merged.',
);

const counts = {
  merged: Count('Pull requests that are known to have been merged in the period.'),
  written: Count('Those of them that there is an article about in the language.'),
  shown: Count('Those of them that are shown.'),
  rest: Rest,
};

export const Digest = resource('Digest', {
  period: OneOf(digestPeriods, 'A day or a week.'),
  language: Text('The language of the articles.'),
  from: Timestamp('When the period begins.'),
  to: Timestamp('When it ends: a day at 00:00 UTC, a week when Monday begins.'),
  ...counts,
  items: List(ref(ArticleSummary), 'A selection: the most liked first, then what changes most lines.'),
  repositories: List(
    record({
      ...repositoryFields,
      isComplete: Flag(
        'Whether the repository was watched all through the period. Where it was not, merges are known only from what ' +
          'was fetched, and there may be more.',
      ),
      ...counts,
    }),
    'The same counts for each repository, those with most merged first.',
  ),
});

export type Digest = Static<typeof Digest>;

export const DigestSettings = resource(
  'DigestSettings',
  {
    period: OneOf(digestChoices, 'How often it is sent.'),
    email: nullable(Text('Where to; null where no address is saved.')),
    confirmed: Flag('Whether the address was confirmed; nothing is sent before.'),
    endedBecause: nullable(
      Text(
        `Why the service has ended it: ${endReasons.join()} where the mail server takes nothing for this address.`,
      ),
    ),
  },
  { example: { period: 'weekly', email: 'mara@example.org', confirmed: true, endedBecause: null } },
);

export type DigestSettings = Static<typeof DigestSettings>;
