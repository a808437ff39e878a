import type { Static } from 'typebox';
import { jobStates, jobSteps } from '../domain/writing-job.ts';
import { PullRequestArticle } from './article.ts';
import { component, ref } from './component.ts';
import { ErrorObject } from './error.ts';
import { Uuid } from './formats.ts';
import { Type } from './type.ts';

export const Job = component(
  'Job',
  Type.Object(
    {
      id: Uuid('The job.'),
      kind: Type.Literal('job', { description: 'That it is a job, and not yet the article.' }),
      state: Type.Enum([...jobStates], {
        type: 'string',
        description: 'How it stands. Cancelled means that the caller no longer wants it, whoever else may.',
      }),
      progress: Type.Object(
        {
          step: Type.Enum([...jobSteps], { type: 'string', description: 'What is being done.' }),
          done: Type.Integer({ minimum: 0, description: 'How much of the step is done.' }),
          total: Type.Integer({ minimum: 0, description: 'How much there is to do in it; 0 while unknown.' }),
        },
        { additionalProperties: false, description: 'How far it is.' },
      ),
      article: Type.Optional(ref(PullRequestArticle)),
      error: Type.Optional(ref(ErrorObject)),
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
