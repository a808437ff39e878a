import type { Static } from 'typebox';
import { jobStates, jobSteps, mostImported } from '../domain/pull-requests.ts';
import { Answer } from './answer.ts';
import { PullRequestArticle } from './article.ts';
import {
  Count,
  ErrorObject,
  OneOf,
  Positive,
  record,
  ref,
  repositoryFields,
  resource,
  Timestamp,
  Uuid,
} from './formats.ts';
import { Type } from './type.ts';

const Progress = record(
  {
    step: OneOf(jobSteps, 'What is being done.'),
    done: Count(
      'How much of the step is done; of an import, how many pull requests are; of a mirror, percent.',
    ),
    total: Count('How much there is to do in it; 0 while unknown.'),
  },
  { description: 'How far it is.' },
);

const PrNumber = Positive('Number of a pull request.');

export const Job = resource(
  'Job',
  {
    id: Uuid('The job.'),
    kind: Type.Literal('job', { description: 'That it is a job, and not yet the article or the answer.' }),
    state: OneOf(
      jobStates,
      'Its state. Cancelled means that the caller no longer wants it, even if others do.',
    ),
    progress: Progress,
    article: Type.Optional(ref(PullRequestArticle)),
    answer: Type.Optional(ref(Answer)),
    error: Type.Optional(ref(ErrorObject)),
    repository: Type.Optional(
      record(repositoryFields, { description: 'Of a mirror: what it is a mirror of.' }),
    ),
    startedAt: Type.Optional(
      Timestamp('Of an import: when the first of its articles was begun. Of a mirror: when it was begun.'),
    ),
    written: Type.Optional(
      Type.Array(PrNumber, {
        maxItems: mostImported,
        description: 'Of an import: what there is an article about.',
      }),
    ),
    current: Type.Optional(
      Type.Array(record({ prNumber: PrNumber, progress: Progress }), {
        maxItems: mostImported,
        description: 'Of an import: what is being written about, and how far each is.',
      }),
    ),
    failures: Type.Optional(
      Type.Array(record({ prNumber: PrNumber, error: ref(ErrorObject) }), {
        maxItems: mostImported,
        description: 'Of an import: what no article could be written about, and why.',
      }),
    ),
  },
  {
    example: {
      id: 'f3a1e2ff-5f0e-43d6-9a43-0d1c04b3a1de',
      kind: 'job',
      state: 'running',
      progress: { step: 'reading', done: 12, total: 40 },
    },
  },
);

export type Job = Static<typeof Job>;
