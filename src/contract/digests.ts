import type { Static } from 'typebox';
import { digestChoices, digestPeriods, endReasons, restReasons } from '../domain/digests.ts';
import { Statement } from './article-parts.ts';
import { ArticleSummary } from './articles.ts';
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
      'Why the pull requests are not shown: beyond the maximum, only in another language, without an article, by a bot without ' +
        'an article, or a draft without an article',
    ),
    count: Count('How many.'),
  }),
  'Pull requests that are not shown, by reason. With those shown, they add up to all merges.',
);

const counts = {
  merged: Count('Number of known merges in the period.'),
  written: Count('Number of these with an article in the language.'),
  shown: Count('Number of these that are shown.'),
  rest: Rest,
};

const title = nullable(
  Text('The change that stands out, in a few words; null if none does, or no model wrote it.'),
);

const paragraph = nullable(
  List(
    ref(Statement),
    'What the period was, sentence by sentence; each cites its pull requests (`prNumber`) and stays as long as their articles do. ' +
      'A model writes it when the period of a followed repository has ended; until then, and without a model, it names what breaks, what users notice and the rest. Null if there is nothing to say.',
  ),
);

export const Digest = resource('Digest', {
  period: OneOf(digestPeriods, 'A day or a week.'),
  language: Text('The language of the articles.'),
  from: Timestamp('When the period begins.'),
  to: Timestamp('When the period ends: a day at 00:00 UTC, a week on Sunday at 24:00 UTC.'),
  mergedKnown: OneOf(
    ['all', 'some'],
    'Whether all merges of the period are known: those of clones are, and those of repositories that someone followed for the whole period.',
  ),
  title,
  paragraph,
  ...counts,
  items: List(
    ref(ArticleSummary),
    'Selected articles: what breaks first, then features, fixes and performance, then the rest; each by likes and by changed lines.',
  ),
  repositories: List(
    record({
      ...repositoryFields,
      isComplete: Flag(
        'Whether all merges of the period are known: of a clone, or because the repository was watched for the whole ' +
          'period. If not, only merges of pull requests that were fetched are known, and there may be more.',
      ),
      title,
      paragraph,
      byModel: Flag('Whether a model wrote the paragraph.'),
      ...counts,
    }),
    'The same counts for each repository, those with the most merges first.',
  ),
});

export type Digest = Static<typeof Digest>;

export const DigestSettings = resource(
  'DigestSettings',
  {
    period: OneOf(digestChoices, 'How often the digest is sent.'),
    email: nullable(Text('Email address; null if none is saved.')),
    confirmed: Flag('Whether the address is confirmed. No digest is sent until it is.'),
    endedBecause: nullable(
      Text(`Why the service stopped sending: ${endReasons.join()} if the mail server rejects the address.`),
    ),
  },
  { example: { period: 'weekly', email: 'mara@example.org', confirmed: true, endedBecause: null } },
);

export type DigestSettings = Static<typeof DigestSettings>;
