import type { FastifyReply, FastifyRequest } from 'fastify';
import { findArticlesTogether } from '../actions/articles/read-article.ts';
import { findJobsAfterRenewal, type JobLook, requestArticle } from '../actions/articles/request-article.ts';
import type { SignedUpViewer } from '../actions/deps.ts';
import { seenBy } from '../actions/repositories/find-repository.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { PullRequestArticle } from '../contract/article.ts';
import { LanguageCode, ref } from '../contract/formats.ts';
import { Job } from '../contract/job.ts';
import { Type } from '../contract/type.ts';
import type { StoredArticle } from '../db/articles.ts';
import type { AskedJob } from '../db/job-requests.ts';
import type { JobError } from '../db/writing-jobs.ts';
import { unlessAborted } from '../domain/concurrency.ts';
import { Failure } from '../domain/errors.ts';
import { isOver } from '../domain/pull-requests.ts';
import { accepted, write } from './answers/answer.ts';
import { articleJson, errorOf, presentJob } from './answers/present.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import { pullRequestParams } from './pull-requests.ts';
import { chooseCodeHost, hostQuery } from './requests/choose-code-host.ts';
import { abortOnDisconnect } from './requests/parse-requests.ts';

/** Longer than nearly every article takes, shorter than proxies keep a silent connection. */
const patienceMs = 60_000;

export const postArticle = (deps: Deps) => {
  const waiting = withFinders(deps);
  return endpoint({
    operationId: 'writeArticle',
    summary: 'Have an article written about a pull request',
    description:
      'Fetches the pull request with the rights of the caller where that has not happened in the last five minutes, and ' +
      'has the article written unless there is an up-to-date one. Concurrent requests for the same article share one job. ' +
      'After a minute, or at once with `Prefer: respond-async`, the answer is the job that goes on. Where a model writes and ' +
      'fails, the article is written without one in English and Japanese, unless there is one by a model.',
    tag: 'Article',
    access: 'user',
    params: pullRequestParams,
    query: Type.Object(hostQuery(deps.codeHosts), { additionalProperties: false }),
    body: Type.Object(
      {
        language: Type.Optional(LanguageCode()),
        regenerate: Type.Optional(
          Type.Boolean({ description: 'Write it anew also if it is up to date. Likes stay.' }),
        ),
      },
      { additionalProperties: false, examples: [{ language: 'en' }] },
    ),
    data: ref(PullRequestArticle),
    later: ref(Job),
    success: {
      200: 'An up-to-date article existed.',
      201: 'Written.',
      202: 'Being written: the job, which `Location` names too.',
    },
    failures: [
      'REPOSITORY_NOT_FOUND',
      'PULL_REQUEST_NOT_FOUND',
      'ARTICLE_NOT_FOUND',
      'LANGUAGE_UNAVAILABLE',
      'UNREADABLE',
      'QUOTA_EXHAUSTED',
      'AI_ERROR',
      'AI_TIMEOUT',
    ],
    async handle({ params, query, body, viewer, request, reply }) {
      const { owner, repo, number } = params;
      const { language = viewer.user.language, regenerate = false } = body;
      const address = { codeHost: chooseCodeHost(deps.codeHosts, query.host), owner, name: repo };
      const wish = { address, number, language, regenerate };
      const { article, jobId } = await requestArticle(deps, wish, { viewer, watched: null });
      if (article) return write(200, articleJson(article), 'The article is up to date.');
      return answerWhenWritten(waiting, jobId, { viewer, request, reply });
    },
  });
};

interface WantedArticle {
  codeHost: CodeHost;
  owner: string;
  name: string;
  number: number;
  language: string;
}

/** Has an article written as the operation does; null where that is not done when the signal is aborted. */
export function createArticleWriter(deps: Deps) {
  const waiting = withFinders(deps);
  return async (
    { number, language, ...address }: WantedArticle,
    viewer: SignedUpViewer,
    signal: AbortSignal,
  ): Promise<StoredArticle | null> => {
    const wish = { address, number, language, regenerate: false };
    // Reading it may take longer than writing about it.
    const requesting = requestArticle(deps, wish, { viewer, watched: null });
    const requested = await unlessAborted(requesting, signal);
    if (requested === null) return null;
    const { article, jobId } = requested;
    if (article) return article;
    await deps.jobs.untilOver(jobId, signal);
    const look = { viewer, now: deps.clock() };
    const job = await requireJob(waiting, jobId, look);
    return isOver(job.state) ? articleOf(waiting, job, look) : null;
  };
}

interface Call {
  viewer: SignedUpViewer;
  request: FastifyRequest;
  reply: FastifyReply;
}

const withFinders = (deps: Deps) => ({
  ...deps,
  findJob: findJobsAfterRenewal(deps),
  findArticle: findArticlesTogether(deps),
});

type WaitingDeps = ReturnType<typeof withFinders>;

async function answerWhenWritten(deps: WaitingDeps, jobId: string, { viewer, request, reply }: Call) {
  const { clock, jobs } = deps;
  const asksForLater = /(^|,)\s*respond-async\s*(,|;|$)/i.test(String(request.headers.prefer ?? ''));
  if (!asksForLater) await jobs.untilOver(jobId, giveUpSignal(reply));
  const look = { viewer, now: clock() };
  const job = await requireJob(deps, jobId, look);
  if (asksForLater || !isOver(job.state)) {
    reply.header('location', `/jobs/${jobId}`);
    if (asksForLater) reply.header('preference-applied', 'respond-async');
    const shown = await presentJob(deps, job, { viewer: seenBy(look), requestId: request.id });
    const waits = job.state === 'queued';
    return accepted(shown, `The article is ${waits ? 'waiting for a writer' : 'being written'}.`);
  }
  return write(201, articleJson(await articleOf(deps, job, look)), 'The article is written.');
}

async function requireJob({ findJob }: WaitingDeps, jobId: string, look: JobLook): Promise<AskedJob> {
  const job = await findJob(jobId, look);
  if (!job) throw noLongerVisible();
  return job;
}

async function articleOf(
  { findArticle, clock }: WaitingDeps,
  job: AskedJob,
  look: JobLook,
): Promise<StoredArticle> {
  const error = errorOf(job);
  if (error) throw failureOf(error, clock());
  const article = job.articleId && (await findArticle(job.articleId, seenBy(look)));
  if (!article) throw noLongerVisible();
  return article;
}

function noLongerVisible(): Failure {
  return new Failure('ARTICLE_NOT_FOUND', 'You may no longer see this article. Check the repository.');
}

function failureOf({ code, message, details, retryAt }: JobError, now: Date): Failure {
  const seconds = retryAt ? Math.ceil((Date.parse(retryAt) - now.getTime()) / 1000) : 0;
  return new Failure(code, message, {
    ...(details && { details }),
    ...(retryAt && { headers: { 'retry-after': String(Math.max(1, seconds)) } }),
  });
}

/** Aborted when the caller has waited long enough, or has gone. */
function giveUpSignal(reply: FastifyReply): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(patienceMs), abortOnDisconnect(reply)]);
}
