import type { Static } from 'typebox';
import { Statement } from './article-parts.ts';
import { Usage, Verification, Writer } from './articles.ts';
import {
  Flag,
  LanguageCode,
  List,
  nullable,
  Positive,
  ref,
  repositoryFields,
  resource,
  Text,
  Timestamp,
  Uuid,
} from './formats.ts';
import { Type } from './type.ts';

export const longestAsked = 500;

export const mostStatements = 6;

export const Answer = resource(
  'Answer',
  {
    id: Uuid('The answer.'),
    kind: Type.Literal('answer', {
      description: 'Always `answer`, in contrast to `job`.',
    }),
    ...repositoryFields,
    prNumber: nullable(Positive('The pull request the question is about; null for a whole repository.')),
    question: Text('The question, as first asked.'),
    languageCode: LanguageCode(),
    found: Flag(
      'Whether the change shows the answer. If not, the statements say what was searched. Without a model, whether ' +
        'the search found words from the question.',
    ),
    statements: Type.Array(ref(Statement), {
      maxItems: mostStatements,
      description:
        'The answer, sentence by sentence, each checked. Without a model, the lines and words that match best, the best match first.',
    }),
    prNumbers: List(Positive('Number of a pull request.'), 'The pull requests cited in the statements.'),
    writer: Writer,
    verification: Verification,
    usage: Type.Optional(Usage),
    shared: Flag('Whether everyone with access to the repository can see the answer, or only its requester.'),
    own: Flag('Whether the answer belongs to the caller, who can share or delete it.'),
    stale: Flag('Whether the sources of the answer have changed since.'),
    createdAt: Timestamp('When the question was answered.'),
  },
  {
    example: {
      id: '5b7f6c1e-8f1d-4f0e-9d39-1f6f7f1c2a55',
      kind: 'answer',
      host: 'git',
      owner: 'harborline',
      repo: 'parcel',
      prNumber: 10,
      question: 'Whose calendar counts?',
      languageCode: 'en',
      found: true,
      statements: [
        {
          id: '0c6f1b0c9a11',
          text: 'Added in `src/estimate.ts`: `const day = dayIn(zone, order.placedAt);`',
          basis: 'diff',
          evidence: [{ fileName: 'src/estimate.ts', startLine: 15, endLine: 15, side: 'new', hostUrl: null }],
        },
      ],
      prNumbers: [10],
      writer: { kind: 'offline' },
      verification: { claims: 1, verified: 1, repaired: 0, dropped: 0, judged: 0, unjudged: 0 },
      shared: true,
      own: true,
      stale: false,
      createdAt: '2026-03-01T09:30:00.000Z',
    },
  },
);

export type Answer = Static<typeof Answer>;
