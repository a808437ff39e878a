import type { ErrorCode, ErrorDetail } from './errors.ts';
import type { ModelTest } from './model-providers.ts';

export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;

export type JobState = (typeof jobStates)[number];

export function isOver(state: JobState): boolean {
  return state !== 'queued' && state !== 'running';
}

export const jobSteps = [
  'queued',
  'reading',
  'reading parts',
  'writing',
  'waiting for the model',
  'checking claims',
  'mending',
  'mirroring',
] as const;

export interface JobProgress {
  step: (typeof jobSteps)[number];
  done: number;
  total: number;
}

export interface JobError {
  code: ErrorCode;
  message: string;
  details?: ErrorDetail[];
  retryAt?: string;
}

interface JobOf<Work extends string> extends JobProgress {
  work: Work;
  id: string;
  state: JobState;
  version: number;
  error: JobError | null;
}

interface ArticleJob extends JobOf<'article'> {
  articleId: string | null;
}

interface AnswerJob extends JobOf<'answer'> {
  answerId: string | null;
}

/** The numbers of pull requests by the state of their articles. */
export interface ImportJob extends JobOf<'import'> {
  startedAt: Date | null;
  waiting: number[];
  current: ({ prNumber: number } & JobProgress)[];
  written: number[];
  failures: { prNumber: number; error: JobError }[];
}

interface MirrorJob extends JobOf<'mirror'> {
  owner: string;
  name: string;
  startedAt: Date | null;
}

interface TestJob extends JobOf<'test'> {
  test: ModelTest | null;
}

interface PreviewJob extends JobOf<'preview'> {
  pullRequestId: string | null;
  startedAt: Date | null;
  /** The article as JSON; null before it is written. */
  preview: string | null;
}

/** The kinds of jobs that users wait for and cancel. */
export interface Jobs {
  article: ArticleJob;
  answer: AnswerJob;
  import: ImportJob;
  mirror: MirrorJob;
  test: TestJob;
  preview: PreviewJob;
}

export type Job = Jobs[keyof Jobs];

export const shownWorks = [
  'article',
  'answer',
  'import',
  'mirror',
  'test',
  'preview',
] as const satisfies Job['work'][];

/**
 * `planned` articles belong to imports or followers, `refresh` updates a mirror, and `digest` is the first paragraph of a
 * repository's digest.
 */
export type Work = Job['work'] | 'planned' | 'refresh' | 'digest';

export type Queue = 'writing' | 'planned' | 'mirrors' | 'refreshes' | 'models' | 'digests';

interface JobKind {
  /** Users take turns in each queue. Null for a job that is done by its children. */
  queue: Queue | null;
  /** After this many failures, including processes that died, the job is not retried. */
  mostFailures: number;
  /** Messages for the requester: for a failure that only the log explains, and after cancelling. */
  failed: string;
  cancelled: Pick<JobError, 'code' | 'message'>;
  logged: string;
  counter: 'articles_total' | 'answers_total' | 'none';
}

const whatFailed = (what: string, again: string): string =>
  `${what} after several attempts. ${again} If that fails too, report the job id.`;

const written = {
  failed: whatFailed('The article could not be written', 'Request it again.'),
  logged: 'writing an article failed',
};

const tried = {
  queue: 'models',
  mostFailures: 2,
  counter: 'none',
} as const;

const mirrored = {
  failed: 'The repository could not be copied. Add it again.',
  cancelled: {
    code: 'REPOSITORY_NOT_FOUND',
    message: 'This was cancelled, and the copied data was deleted. To try again, add the repository again.',
  },
} as const;

export const jobKinds: Record<Work, JobKind> = {
  article: {
    ...written,
    queue: 'writing',
    mostFailures: 3,
    cancelled: {
      code: 'ARTICLE_NOT_FOUND',
      message: 'This job was cancelled before the article was written. Request the article again to get it.',
    },
    counter: 'articles_total',
  },
  answer: {
    queue: 'writing',
    mostFailures: 3,
    failed: whatFailed('The question could not be answered', 'Ask it again.'),
    cancelled: {
      code: 'ARTICLE_NOT_FOUND',
      message: 'This job was cancelled before the question was answered. Ask again to get an answer.',
    },
    logged: 'answering a question failed',
    counter: 'answers_total',
  },
  import: {
    ...written,
    queue: null,
    mostFailures: Number.POSITIVE_INFINITY,
    cancelled: {
      code: 'ARTICLE_NOT_FOUND',
      message: 'This import was cancelled. Finished articles are kept; start another import for the rest.',
    },
    counter: 'none',
  },
  planned: {
    ...written,
    queue: 'planned',
    mostFailures: Number.POSITIVE_INFINITY,
    cancelled: { code: 'ARTICLE_NOT_FOUND', message: 'This article was cancelled.' },
    logged: 'a planned article failed',
    counter: 'none',
  },
  digest: {
    queue: 'digests',
    mostFailures: 3,
    failed: 'The first paragraph of the digest could not be written.',
    cancelled: { code: 'NOT_FOUND', message: 'This paragraph was cancelled.' },
    logged: 'writing the first paragraph of a digest failed',
    counter: 'none',
  },
  mirror: {
    ...mirrored,
    queue: 'mirrors',
    mostFailures: 10,
    logged: 'a repository could not be mirrored',
    counter: 'none',
  },
  refresh: {
    ...mirrored,
    queue: 'refreshes',
    mostFailures: Number.POSITIVE_INFINITY,
    logged: 'a mirror could not be refreshed; its old state is kept',
    counter: 'none',
  },
  test: {
    ...tried,
    failed: 'The models could not be tested. See the log of the service.',
    cancelled: { code: 'NOT_FOUND', message: 'This test was cancelled.' },
    logged: 'a test of models failed',
  },
  preview: {
    ...tried,
    failed: 'The article could not be written. See the log of the service.',
    cancelled: { code: 'NOT_FOUND', message: 'This preview was cancelled.' },
    logged: 'a preview failed',
  },
};

export const errorOf = ({ work, state, error }: Job): JobError | null =>
  state === 'cancelled' ? jobKinds[work].cancelled : error;
