import type { Static } from 'typebox';
import { jobStates, jobSteps, shownWorks } from '../domain/jobs.ts';
import { mostImported } from '../domain/pull-requests.ts';
import { ArticleContent, PullRequestArticle } from './articles.ts';
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
import { ModelTest } from './models.ts';
import { Answer } from './questions.ts';
import { Type } from './type.ts';

const Progress = record(
  {
    step: OneOf(jobSteps, 'Current step.'),
    done: Count(
      'How much of the step is done. For an import, the number of finished pull requests; for a mirror, percent.',
    ),
    total: Count('Total amount in this step; 0 while unknown.'),
  },
  { description: 'Progress of the job.' },
);

const PrNumber = Positive('Number of a pull request.');

export const Job = resource(
  'Job',
  {
    id: Uuid('The job.'),
    kind: Type.Literal('job', { description: 'Always `job`, in contrast to `article` or `answer`.' }),
    work: OneOf(
      shownWorks,
      'What the job does: it writes an article, answers a question, imports pull requests, mirrors a repository, tests models or writes an article with them as a preview.',
    ),
    state: OneOf(
      jobStates,
      'State of the job for the caller. Cancelled means that the caller withdrew the request, even if others did not.',
    ),
    progress: Progress,
    article: Type.Optional(ref(PullRequestArticle)),
    answer: Type.Optional(ref(Answer)),
    test: Type.Optional(ref(ModelTest)),
    preview: Type.Optional(ref(ArticleContent)),
    error: Type.Optional(ref(ErrorObject)),
    repository: Type.Optional(
      record(repositoryFields, { description: 'For a mirror: the source of the mirror.' }),
    ),
    startedAt: Type.Optional(
      Timestamp('For an import: when its first article was started. For a mirror: when it was started.'),
    ),
    written: Type.Optional(
      Type.Array(PrNumber, {
        maxItems: mostImported,
        description: 'For an import: pull requests that have an article.',
      }),
    ),
    current: Type.Optional(
      Type.Array(record({ prNumber: PrNumber, progress: Progress }), {
        maxItems: mostImported,
        description: 'For an import: articles in progress, with their progress.',
      }),
    ),
    failures: Type.Optional(
      Type.Array(record({ prNumber: PrNumber, error: ref(ErrorObject) }), {
        maxItems: mostImported,
        description: 'For an import: pull requests without an article, and the reason.',
      }),
    ),
  },
  {
    example: {
      id: 'f3a1e2ff-5f0e-43d6-9a43-0d1c04b3a1de',
      kind: 'job',
      work: 'article',
      state: 'running',
      progress: { step: 'reading', done: 12, total: 40 },
    },
  },
);

export type Job = Static<typeof Job>;
