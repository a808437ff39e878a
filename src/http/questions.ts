import { saidOfLanguage } from '../actions/articles/request-article.ts';
import type { SignedUpViewer } from '../actions/deps.ts';
import { findVisibleFiles } from '../actions/pull-requests/find-pull-request.ts';
import {
  type QuestionRequest,
  requestAnswer,
  requireOwnAnswer,
  requireQuestion,
} from '../actions/questions/request-answer.ts';
import {
  type RepositoryAddress,
  requireVisibleRepository,
  type Seen,
  seenBy,
} from '../actions/repositories/find-repository.ts';
import { Flag, LanguageCode, record, ref, Uuid } from '../contract/formats.ts';
import { Job } from '../contract/jobs.ts';
import { Answer, longestAsked } from '../contract/questions.ts';
import { Type } from '../contract/type.ts';
import { countAnswers, deleteAnswer, listAnswers, type StoredAnswer, shareAnswer } from '../db/questions.ts';
import type { DetailScope } from '../db/visibility.ts';
import { unlessAborted } from '../domain/concurrency.ts';
import { Failure } from '../domain/errors.ts';
import { type Job as AskedJob, isOver } from '../domain/jobs.ts';
import { answerLater, withFinders } from './article-requests.ts';
import type { Deps } from './deps.ts';
import { type Call, endpoint, listEndpoint } from './endpoint.ts';
import { requireResult } from './jobs.ts';
import { pullRequestAddress, pullRequestPath, repositoryParams } from './pull-requests.ts';
import { hostQuery, requestedAddress } from './requests/choose-code-host.ts';
import { presentAnswer } from './responses/present.ts';
import { created, ok, type Page } from './responses/response.ts';

const tag = 'Question';

const questionBody = record(
  {
    question: Type.String({
      minLength: 1,
      maxLength: longestAsked,
      description: 'The question. It is never treated as an instruction.',
    }),
    language: Type.Optional(LanguageCode()),
  },
  { example: { question: 'Does it change the default?', language: 'en' } },
);

const answered =
  'Every statement is checked as in articles. The same question about the same diff in the same language is ' +
  'answered once and stored; for a private repository, once for each person who asks. With a model, it counts as an article in the ' +
  'quota. Without one, it is a search that returns the lines and words that match best. After a minute, or immediately with `Prefer: ' +
  'respond-async`, the response is the job.';

const success = {
  200: 'The question was already answered.',
  201: 'The answer.',
  202: 'The question is being answered. Returns the job, which is also linked in `Location`.',
};

const failures = [
  'REPOSITORY_NOT_FOUND',
  'PULL_REQUEST_NOT_FOUND',
  'NOT_FOUND',
  'LANGUAGE_UNAVAILABLE',
  'UNREADABLE',
  'QUOTA_EXHAUSTED',
  'AI_ERROR',
  'AI_TIMEOUT',
] as const;

type Asking = Pick<Call<'user'>, 'viewer' | 'request' | 'reply'> & {
  params: { owner: string; repo: string; number?: number };
  query: { host?: string };
  body: { question: string; language?: string };
};

function answerQuestions(deps: Deps) {
  const waiting = withFinders(deps);
  return async ({ params, query, body, viewer, request, reply }: Asking) => {
    const { question, language = null } = body;
    const address = requestedAddress(deps.codeHosts, params, query);
    const wish = { address, number: params.number ?? null, question, language };
    const requested = await requestAnswer(deps, wish, viewer);
    const { jobId } = requested;
    const say = (answered: typeof created, answer: StoredAnswer) =>
      answered(
        presentAnswer(answer, viewer.user.id),
        `The question is answered.${saidOfLanguage(language, viewer.user, answer.languageCode)}`,
      );
    if (jobId === null) {
      const { answer, isNew } = requested;
      return say(isNew ? created : ok, answer);
    }
    const { job, later } = await answerLater(waiting, jobId, { viewer, request, reply });
    return later ?? say(created, await answerOfJob(waiting, job));
  };
}

/** If the signal is aborted first, the result has no answer, and no job if none had begun. */
export function createAnswerer(deps: Deps) {
  const waiting = withFinders(deps);
  return async (
    { number, question, language, ...address }: RepositoryAddress & Omit<QuestionRequest, 'address'>,
    viewer: SignedUpViewer,
    signal: AbortSignal,
  ): Promise<{ answer: Answer | null; jobId: string | null }> => {
    requireQuestion(question);
    const requesting = requestAnswer(deps, { address, number, question, language }, viewer);
    const requested = await unlessAborted(requesting, signal);
    if (requested === null) return { answer: null, jobId: null };
    if (requested.answer) return { answer: presentAnswer(requested.answer, viewer.user.id), jobId: null };
    const { jobId } = requested;
    await deps.jobs.untilOver(jobId, signal);
    const look = { viewer, now: deps.clock() };
    const job = await waiting.requireJob(jobId, look, noAnswer);
    const answer = isOver(job.found.state)
      ? presentAnswer(await answerOfJob(waiting, job), viewer.user.id)
      : null;
    return { answer, jobId };
  };
}

async function answerOfJob(
  { findAnswer, clock }: ReturnType<typeof withFinders>,
  { found: job, seen }: Seen<AskedJob>,
): Promise<StoredAnswer> {
  requireResult(job, clock());
  const answer = job.work === 'answer' && job.answerId && (await findAnswer(job.answerId, seen));
  if (!answer) throw noAnswer();
  return answer;
}

export const postQuestion = (deps: Deps) =>
  endpoint({
    operationId: 'askAboutPullRequest',
    summary: 'Ask about a pull request',
    description: `Answers from the diff, the definitions it uses, and what people wrote about it. ${answered}`,
    tag,
    access: 'user',
    params: pullRequestPath,
    query: hostQuery(deps.codeHosts),
    body: questionBody,
    refuseBody: ({ question }) => requireQuestion(question),
    data: ref(Answer),
    later: ref(Job),
    success,
    failures: [...failures],
    handle: answerQuestions(deps),
  });

export const postRepositoryQuestion = (deps: Deps) =>
  endpoint({
    operationId: 'askAboutRepository',
    summary: 'Ask about the pull requests of a repository',
    description: `Answers from the pull requests whose articles match the question best; each statement says which one it is about. ${answered}`,
    tag,
    access: 'user',
    params: repositoryParams,
    query: hostQuery(deps.codeHosts),
    body: questionBody,
    refuseBody: ({ question }) => requireQuestion(question),
    data: ref(Answer),
    later: ref(Job),
    success,
    failures: [...failures],
    handle: answerQuestions(deps),
  });

const listedAnswers = async (
  deps: Deps,
  about: Parameters<typeof listAnswers>[1]['about'],
  viewer: DetailScope,
  page: Page,
) => {
  const wanted = { about, viewer };
  const [rows, total] = await Promise.all([
    listAnswers(deps.database, { ...wanted, ...page }),
    countAnswers(deps.database, wanted),
  ]);
  return { items: rows.map((row) => presentAnswer(row, viewer.userId)), total };
};

export const getQuestions = (deps: Deps) =>
  listEndpoint({
    operationId: 'listAnswersAboutPullRequest',
    summary: 'List answers about a pull request',
    description:
      'Shared answers and the caller’s own, newest first, in repositories that the caller has access to.',
    tag,
    access: 'user',
    params: pullRequestPath,
    query: hostQuery(deps.codeHosts),
    item: ref(Answer),
    success: { 200: 'The answers.' },
    failures: ['PULL_REQUEST_NOT_FOUND'],
    async list(call, page) {
      const { viewer } = call;
      const { id: pullRequestId } = await findVisibleFiles(deps, pullRequestAddress(deps, call), viewer);
      return listedAnswers(deps, { pullRequestId }, seenBy({ viewer, now: deps.clock() }), page);
    },
  });

export const getRepositoryQuestions = (deps: Deps) =>
  listEndpoint({
    operationId: 'listAnswersAboutRepository',
    summary: 'List answers about a whole repository',
    description:
      'Shared answers and the caller’s own, newest first, in repositories that the caller has access to.',
    tag,
    access: 'user',
    params: repositoryParams,
    query: hostQuery(deps.codeHosts),
    item: ref(Answer),
    success: { 200: 'The answers.' },
    failures: ['REPOSITORY_NOT_FOUND'],
    async list({ params, query, viewer }, page) {
      const address = requestedAddress(deps.codeHosts, params, query);
      const look = { viewer, now: deps.clock() };
      const { found, seen } = await requireVisibleRepository(deps, address, look);
      return listedAnswers(deps, { repositoryId: found.id }, seen, page);
    },
  });

const params = { id: Uuid('The answer.') };

export const patchQuestion = (deps: Deps) =>
  endpoint({
    operationId: 'shareAnswer',
    summary: 'Share an answer, or stop sharing it',
    description:
      'Only for the caller’s own answers. Everyone with access to the repository can see a shared answer. Answers about public repositories are shared from the start.',
    tag,
    access: 'user',
    params,
    body: record({ shared: Flag('Whether others can see it.') }, { example: { shared: true } }),
    data: ref(Answer),
    success: { 200: 'The updated answer.' },
    failures: ['NOT_FOUND'],
    async handle({ params, body, viewer }) {
      const { shared: isShared } = body;
      const answer = await requireOwnAnswer(deps, params.id, { viewer, now: deps.clock() });
      const change = { answerId: answer.id, userId: viewer.user.id, isShared };
      if (!(await shareAnswer(deps.database, change))) throw noAnswer();
      return ok(presentAnswer({ ...answer, isShared }, viewer.user.id));
    },
  });

export const deleteQuestion = (deps: Deps) =>
  endpoint({
    operationId: 'deleteAnswer',
    summary: 'Delete an answer',
    description: 'Deletes one of the caller’s own answers, with its question.',
    tag,
    access: 'user',
    params,
    data: record({ id: Uuid('Id of the deleted answer.') }),
    success: { 200: 'The answer is deleted.' },
    failures: ['NOT_FOUND'],
    async handle({ params, viewer }) {
      const { id: answerId } = await requireOwnAnswer(deps, params.id, { viewer, now: deps.clock() });
      await deleteAnswer(deps.database, { answerId, userId: viewer.user.id });
      return ok({ id: answerId });
    },
  });

const noAnswer = (): Failure =>
  new Failure('NOT_FOUND', 'You no longer have access to this answer. Check the repository.');
