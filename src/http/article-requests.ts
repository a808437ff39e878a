import type { FastifyReply } from 'fastify';
import { requestArticle, saidOfLanguage } from '../actions/articles/request-article.ts';
import type { Seen } from '../actions/repositories/find-repository.ts';
import { PullRequestArticle } from '../contract/articles.ts';
import { Flag, LanguageCode, record, ref } from '../contract/formats.ts';
import { Job } from '../contract/jobs.ts';
import { Type } from '../contract/type.ts';
import type { StoredArticle } from '../db/articles.ts';
import { unlessAborted } from '../domain/concurrency.ts';
import { Failure } from '../domain/errors.ts';
import { isOver, type Job as RunningJob } from '../domain/jobs.ts';
import type { AgentDeps } from '../mcp/tool.ts';
import type { Deps } from './deps.ts';
import { type Call, endpoint } from './endpoint.ts';
import { jobFinders, requireResult } from './jobs.ts';
import { pullRequestPath } from './pull-requests.ts';
import { hostQuery, requestedAddress } from './requests/choose-code-host.ts';
import { abortOnDisconnect } from './requests/parse-requests.ts';
import { encodeArticle } from './responses/present.ts';
import { accepted, writeStored } from './responses/response.ts';

/**
 * How long a request waits for its article: longer than nearly every article takes, and shorter than proxies keep a
 * silent connection.
 */
const patienceMs = 60_000;

export const postArticle = (deps: Deps) => {
  const waiting = withFinders(deps);
  return endpoint({
    operationId: 'writeArticle',
    summary: 'Write an article about a pull request',
    description:
      'Fetches the pull request with the rights of the caller, unless that happened in the last five minutes, and writes an article unless there is an up-to-date one. Concurrent requests for the same article share one job. After a minute, or immediately with `Prefer: respond-async`, the response is the job. If the model fails, an English or Japanese article is written without it, unless a model has written one before.',
    tag: 'Article',
    access: 'user',
    params: pullRequestPath,
    query: hostQuery(deps.codeHosts),
    body: record(
      {
        language: Type.Optional(LanguageCode()),
        regenerate: Type.Optional(Flag('Rewrite the article even if it is up to date. Likes are kept.')),
      },
      { example: { language: 'en' } },
    ),
    data: ref(PullRequestArticle),
    later: ref(Job),
    success: {
      200: 'The article is up to date.',
      201: 'The article is written.',
      202: 'The article is being written. Returns the job, which is also linked in `Location`.',
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
      const { language = null, regenerate = false } = body;
      const address = requestedAddress(deps.codeHosts, params, query);
      const wish = { address, number: params.number, language, regenerate };
      const { article, jobId, language: used } = await requestArticle(deps, wish, { viewer, watched: null });
      const said = saidOfLanguage(language, viewer.user, used);
      if (article) return writeStored(200, encodeArticle(article), `The article is up to date.${said}`);
      const { job, later } = await answerLater(waiting, jobId, { viewer, request, reply }, said);
      return (
        later ??
        writeStored(201, encodeArticle(await articleOfJob(waiting, job)), `The article is written.${said}`)
      );
    },
  });
};

export function createArticleWriter(deps: Deps): AgentDeps['writeArticle'] {
  const waiting = withFinders(deps);
  return async ({ number, language, ...address }, viewer, signal) => {
    const wish = { address, number, language, regenerate: false };
    const requesting = requestArticle(deps, wish, { viewer, watched: null });
    const requested = await unlessAborted(requesting, signal);
    if (requested === null) return null;
    const { article, jobId, language: used } = requested;
    if (article) return { article, language: used };
    await deps.jobs.untilOver(jobId, signal);
    const look = { viewer, now: deps.clock() };
    const job = await waiting.requireJob(jobId, look, noLongerVisible);
    return isOver(job.found.state) ? { article: await articleOfJob(waiting, job), language: used } : null;
  };
}

export const withFinders = (deps: Deps) => ({ ...deps, ...jobFinders(deps) });

type WaitingDeps = ReturnType<typeof withFinders>;

/** Waits for a job unless its requester prefers not to; `later` is the response while the job continues. */
export async function answerLater(
  deps: WaitingDeps,
  jobId: string,
  { viewer, request, reply }: Pick<Call<'user'>, 'viewer' | 'request' | 'reply'>,
  said = '',
) {
  const { clock, jobs } = deps;
  const asksForLater = /(^|,)\s*respond-async\s*(,|;|$)/i.test(String(request.headers.prefer ?? ''));
  if (!asksForLater) await jobs.untilOver(jobId, giveUpSignal(reply));
  const look = { viewer, now: clock() };
  const job = await deps.requireJob(jobId, look, noLongerVisible);
  const { work, state } = job.found;
  if (asksForLater || !isOver(state)) {
    reply.header('location', `/jobs/${jobId}`);
    if (asksForLater) reply.header('preference-applied', 'respond-async');
    const shown = await deps.present(job, request.id);
    const waits = state === 'queued';
    const later = accepted(
      shown,
      `The ${work} is ${waits ? 'waiting for a writer' : 'being written'}.${said}`,
    );
    return { job, later };
  }
  return { job, later: null };
}

async function articleOfJob(
  { findArticle, clock }: WaitingDeps,
  { found: job, seen }: Seen<RunningJob>,
): Promise<StoredArticle> {
  requireResult(job, clock());
  const article = job.work === 'article' && job.articleId && (await findArticle(job.articleId, seen));
  if (!article) throw noLongerVisible();
  return article;
}

function noLongerVisible(): Failure {
  return new Failure('ARTICLE_NOT_FOUND', 'You no longer have access to this article. Check the repository.');
}

function giveUpSignal(reply: FastifyReply): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(patienceMs), abortOnDisconnect(reply)]);
}
