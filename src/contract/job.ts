import type { Static } from 'typebox';
import { jobStates, jobSteps, mostImported } from '../domain/pull-requests.ts';
import { PullRequestArticle } from './article.ts';
import { component, ErrorObject, ref, Timestamp, Uuid } from './formats.ts';
import { Type } from './type.ts';

const Progress = Type.Object(
  {
    step: Type.Enum([...jobSteps], { type: 'string', description: 'What is being done.' }),
    done: Type.Integer({
      minimum: 0,
      description: 'How much of the step is done; of an import, how many pull requests are.',
    }),
    total: Type.Integer({ minimum: 0, description: 'How much there is to do in it; 0 while unknown.' }),
  },
  { additionalProperties: false, description: 'How far it is.' },
);

const PrNumber = Type.Integer({ minimum: 1, description: 'Number of a pull request.' });

export const Job = component(
  'Job',
  Type.Object(
    {
      id: Uuid('The job.'),
      kind: Type.Literal('job', { description: 'That it is a job, and not yet the article.' }),
      state: Type.Enum([...jobStates], {
        type: 'string',
        description: 'Its state. Cancelled means that the caller no longer wants it, even if others do.',
      }),
      progress: Progress,
      article: Type.Optional(ref(PullRequestArticle)),
      error: Type.Optional(ref(ErrorObject)),
      startedAt: Type.Optional(Timestamp('Of an import: when the first of its articles was begun.')),
      written: Type.Optional(
        Type.Array(PrNumber, {
          maxItems: mostImported,
          description: 'Of an import: what there is an article about.',
        }),
      ),
      current: Type.Optional(
        Type.Array(Type.Object({ prNumber: PrNumber, progress: Progress }, { additionalProperties: false }), {
          maxItems: mostImported,
          description: 'Of an import: what is being written about, and how far each is.',
        }),
      ),
      failures: Type.Optional(
        Type.Array(
          Type.Object({ prNumber: PrNumber, error: ref(ErrorObject) }, { additionalProperties: false }),
          {
            maxItems: mostImported,
            description: 'Of an import: what no article could be written about, and why.',
          },
        ),
      ),
    },
    {
      additionalProperties: false,
      examples: [
        {
          id: 'f3a1e2ff-5f0e-43d6-9a43-0d1c04b3a1de',
          kind: 'job',
          state: 'running',
          progress: { step: 'reading', done: 12, total: 40 },
        },
      ],
    },
  ),
);

export type Job = Static<typeof Job>;
