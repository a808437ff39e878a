import type { FastifyReply } from 'fastify';
import { type ImportWish, importPullRequests } from '../actions/articles/import-pull-requests.ts';
import { requestArticle } from '../actions/articles/request-article.ts';
import type { Seen } from '../actions/repositories/find-repository.ts';
import { PullRequestArticle } from '../contract/article.ts';
import { Flag, LanguageCode, record, ref } from '../contract/formats.ts';
import { Job } from '../contract/job.ts';
import { Type } from '../contract/type.ts';
import type { StoredArticle } from '../db/articles.ts';
import { unlessAborted } from '../domain/concurrency.ts';
import { Failure } from '../domain/errors.ts';
import { isOver, type Job as RunningJob } from '../domain/jobs.ts';
import { mostImported } from '../domain/pull-requests.ts';
import { parseMoment } from '../domain/time.ts';
import type { AgentDeps } from '../mcp/tool.ts';
import { accepted, write } from './answers/answer.ts';
import { encodeArticle } from './answers/present.ts';
import type { Deps } from './deps.ts';
import { type Call, endpoint } from './endpoint.ts';
import { jobFinders, requireResult } from './jobs.ts';
import { pullRequestPath, repositoryParams } from './pull-requests.ts';
import { addressOf, hostQuery } from './requests/choose-code-host.ts';
import { abortOnDisconnect, InvalidPart } from './requests/parse-requests.ts';

/** Longer than nearly every article takes, shorter than proxies keep a silent connection. */
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
      const { language = viewer.user.language, regenerate = false } = body;
      const address = addressOf(deps.codeHosts, params, query);
      const wish = { address, number: params.number, language, regenerate };
      const { article, jobId } = await requestArticle(deps, wish, { viewer, watched: null });
      if (article) return write(200, encodeArticle(article), 'The article is up to date.');
      const { job, later } = await answerLater(waiting, jobId, { viewer, request, reply });
      return later ?? write(201, encodeArticle(await articleOf(waiting, job)), 'The article is written.');
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
    const { article, jobId } = requested;
    if (article) return article;
    await deps.jobs.untilOver(jobId, signal);
    const look = { viewer, now: deps.clock() };
    const job = await waiting.requireJob(jobId, look, noLongerVisible);
    return isOver(job.found.state) ? articleOf(waiting, job) : null;
  };
}

export const withFinders = (deps: Deps) => ({ ...deps, ...jobFinders(deps) });

type WaitingDeps = ReturnType<typeof withFinders>;

/** Waits for a job, unless its requester does not want to; `later` is the answer where it goes on. */
export async function answerLater(
  deps: WaitingDeps,
  jobId: string,
  { viewer, request, reply }: Pick<Call<'user'>, 'viewer' | 'request' | 'reply'>,
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
    const later = accepted(shown, `The ${work} is ${waits ? 'waiting for a writer' : 'being written'}.`);
    return { job, later };
  }
  return { job, later: null };
}

async function articleOf(
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

const importBody = record(
  {
    numbers: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
        minItems: 1,
        maxItems: mostImported,
        description:
          'Numbers of pull requests. Numbers that do not exist or are not merged are listed as failures of the job.',
      }),
    ),
    last: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: mostImported,
        description:
          'How many merged pull requests to include, the most recently opened first, among the newest 2,000 closed ones.',
      }),
    ),
    since: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'Pull requests merged since this date or time, in ISO 8601; a date begins at 00:00 UTC. At most 2,000 closed ones may have changed since.',
        examples: ['2026-03-01'],
      }),
    ),
    language: Type.Optional(LanguageCode()),
  },
  { example: { last: 10, language: 'en' } },
);

type Given = { numbers?: number[]; last?: number; since?: string };

export function readImportWish({ numbers, last, since }: Given, now: Date): ImportWish {
  const given = [numbers, last, since].filter((one) => one !== undefined);
  if (given.length !== 1) throw refused('body', 'must contain exactly one of numbers, last and since');
  if (numbers) {
    if (numbers.length > mostImported || numbers.some((number) => number < 1))
      throw refused('numbers', `must be at most ${mostImported} positive integers`);
    return { numbers };
  }
  if (last !== undefined) {
    if (last < 1 || last > mostImported)
      throw refused('last', `must be a whole number from 1 to ${mostImported}`);
    return { last };
  }
  const moment = parseMoment(since ?? '');
  if (!moment) throw refused('since', 'must be a date or time, such as 2026-03-01 or 2026-03-01T09:30:00Z');
  if (moment > now) throw refused('since', 'must not be in the future');
  return { since: moment };
}

const refused = (field: string, problem: string): InvalidPart =>
  new InvalidPart([{ field, problem }], 'body');

export const postImport = (deps: Deps) => {
  const finders = jobFinders(deps);
  return endpoint({
    operationId: 'importPullRequests',
    summary: 'Write articles about many pull requests',
    description: `Writes about at most ${mostImported} merged pull requests in the order in which they were merged, with the rights of the caller. For private repositories, the caller must have saved a token for the host. Articles that are up to date are not rewritten. The job counts pull requests and lists failures. If the host is unavailable or limits the service, the job waits. If a quota is used up, the job ends; finished articles are kept. Repeating the request while the job runs returns the same job.`,
    tag: 'Article',
    access: 'user',
    params: repositoryParams,
    query: hostQuery(deps.codeHosts),
    body: importBody,
    refuseBody: (body) => void readImportWish(body, deps.clock()),
    data: ref(Job),
    success: { 202: 'The articles are being written. Returns the job, which is also linked in `Location`.' },
    failures: ['REPOSITORY_NOT_FOUND', 'LANGUAGE_UNAVAILABLE'],
    async handle({ params, query, body, viewer, request, reply }) {
      const { language = viewer.user.language, ...given } = body;
      const wish = readImportWish(given, deps.clock());
      const address = addressOf(deps.codeHosts, params, query);
      const requester = { viewer, signal: abortOnDisconnect(reply) };
      const jobId = await importPullRequests(deps, { address, wish, language }, requester);
      const job = await finders.findJob(jobId, { viewer, now: deps.clock() });
      if (!job) throw new Failure('REPOSITORY_NOT_FOUND', 'You no longer have access to this repository.');
      reply.header('location', `/jobs/${jobId}`);
      return accepted(await finders.present(job, request.id));
    },
  });
};
