import type { Static } from 'typebox';
import { digestChoices, digestPeriods, endReasons, restReasons } from '../domain/digest.ts';
import { ArticleSummary } from './article.ts';
import { Count, component, nullable, ref, Timestamp } from './formats.ts';
import { Type } from './type.ts';

const closed = { additionalProperties: false } as const;

const Rest = Type.Array(
  Type.Object(
    {
      reason: Type.Enum([...restReasons], {
        type: 'string',
        description:
          'Why they are not shown: beyond as many as are, written in another language only, not written at all, made by a bot and ' +
          'not written, or a draft and not written',
      }),
      count: Count('How many.'),
    },
    closed,
  ),
  { description: 'What is not shown; with what is, that is all that was merged.' },
);

const counts = {
  merged: Count('Pull requests that are known to have been merged in the period.'),
  written: Count('Those of them that there is an article about in the language.'),
  shown: Count('Those of them that are shown.'),
  rest: Rest,
};

export const Digest = component(
  'Digest',
  Type.Object(
    {
      period: Type.Enum([...digestPeriods], { type: 'string', description: 'A day or a week.' }),
      language: Type.String({ description: 'The language of the articles.' }),
      from: Timestamp('When the period begins.'),
      to: Timestamp('When it ends: a day at 00:00 UTC, a week when Monday begins.'),
      ...counts,
      items: Type.Array(ref(ArticleSummary), {
        description: 'A selection: the most liked first, then what changes most lines.',
      }),
      repositories: Type.Array(
        Type.Object(
          {
            host: Type.String({ description: 'The code host.' }),
            owner: Type.String({ description: 'Repository owner.' }),
            repo: Type.String({ description: 'Repository name.' }),
            isComplete: Type.Boolean({
              description:
                'Whether the repository was watched all through the period. Where it was not, merges are known only from what ' +
                'was fetched, and there may be more.',
            }),
            ...counts,
          },
          closed,
        ),
        { description: 'The same counts for each repository, those with most merged first.' },
      ),
    },
    closed,
  ),
);

export type Digest = Static<typeof Digest>;

export const DigestSettings = component(
  'DigestSettings',
  Type.Object(
    {
      period: Type.Enum([...digestChoices], { type: 'string', description: 'How often it is sent.' }),
      email: nullable(Type.String({ description: 'Where to; null where no address is saved.' })),
      confirmed: Type.Boolean({ description: 'Whether the address was confirmed; nothing is sent before.' }),
      endedBecause: nullable(
        Type.String({
          description: `Why the service has ended it: ${endReasons.join()} where the mail server takes nothing for this address.`,
        }),
      ),
    },
    {
      ...closed,
      examples: [{ period: 'weekly', email: 'mara@example.org', confirmed: true, endedBecause: null }],
    },
  ),
);

export type DigestSettings = Static<typeof DigestSettings>;
