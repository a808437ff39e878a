import { saidOfLanguage, usualLanguage } from '../actions/articles/request-article.ts';
import { type ImportWish, importPullRequests, noModel } from '../actions/imports/import-pull-requests.ts';
import { estimateRewriting } from '../actions/models/estimate-writing.ts';
import { requireVisibleRepository } from '../actions/repositories/find-repository.ts';
import { LanguageCode, record, ref } from '../contract/formats.ts';
import { Job } from '../contract/jobs.ts';
import { WritingEstimate } from '../contract/models.ts';
import { Type } from '../contract/type.ts';
import { Failure } from '../domain/errors.ts';
import { mostImported, mostRewritten } from '../domain/pull-requests.ts';
import { parseMoment } from '../domain/time.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import { jobFinders } from './jobs.ts';
import { repositoryParams } from './pull-requests.ts';
import { hostQuery, requestedAddress } from './requests/choose-code-host.ts';
import { abortOnDisconnect, InvalidPart } from './requests/parse-requests.ts';
import { accepted, ok } from './responses/response.ts';

const rewriteField = Type.Integer({
  minimum: 1,
  maximum: mostRewritten,
  description:
    'How many articles without a model to write with it, the newest first. Articles by a model stay, and those in which nothing needs one.',
});

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
    rewrite: Type.Optional(rewriteField),
    language: Type.Optional(LanguageCode()),
  },
  { example: { last: 10, language: 'en' } },
);

type Given = { numbers?: number[]; last?: number; since?: string; rewrite?: number };

export function readImportWish({ numbers, last, since, rewrite }: Given, now: Date): ImportWish {
  const given = [numbers, last, since, rewrite].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw refusedField('body', 'must contain exactly one of numbers, last, since and rewrite');
  if (rewrite !== undefined) {
    if (rewrite < 1 || rewrite > mostRewritten)
      throw refusedField('rewrite', `must be a whole number from 1 to ${mostRewritten}`);
    return { rewrite };
  }
  if (numbers) {
    if (numbers.length > mostImported || numbers.some((number) => number < 1))
      throw refusedField('numbers', `must be at most ${mostImported} positive integers`);
    return { numbers };
  }
  if (last !== undefined) {
    if (last < 1 || last > mostImported)
      throw refusedField('last', `must be a whole number from 1 to ${mostImported}`);
    return { last };
  }
  const moment = parseMoment(since ?? '');
  if (!moment)
    throw refusedField('since', 'must be a date or time, such as 2026-03-01 or 2026-03-01T09:30:00Z');
  if (moment > now) throw refusedField('since', 'must not be in the future');
  return { since: moment };
}

const refusedField = (field: string, problem: string): InvalidPart =>
  new InvalidPart([{ field, problem }], 'body');

export const postImport = (deps: Deps) => {
  const finders = jobFinders(deps);
  return endpoint({
    operationId: 'importPullRequests',
    summary: 'Write articles about many pull requests',
    description: `Writes about at most ${mostImported} merged pull requests in the order in which they were merged, with the rights of the caller. For private repositories, the caller must have saved a token for the host. Articles that are up to date are not rewritten, except with \`rewrite\`, whose cost \`GET …/import/estimate\` estimates. The job counts pull requests and lists failures. If the host is unavailable or limits the service, the job waits. If a quota is used up, the job ends; finished articles are kept. Repeating the request while the job runs returns the same job.`,
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
      const { language = null, ...given } = body;
      const wish = readImportWish(given, deps.clock());
      const address = requestedAddress(deps.codeHosts, params, query);
      const requester = { viewer, signal: abortOnDisconnect(reply) };
      const { jobId, language: used } = await importPullRequests(
        deps,
        { address, wish, language },
        requester,
      );
      const job = await finders.findJob(jobId, { viewer, now: deps.clock() });
      if (!job) throw new Failure('REPOSITORY_NOT_FOUND', 'You no longer have access to this repository.');
      reply.header('location', `/jobs/${jobId}`);
      const said = `The articles are being written.${saidOfLanguage(language, viewer.user, used)}`;
      return accepted(await finders.present(job, request.id), said);
    },
  });
};

export const getImportEstimate = (deps: Deps) =>
  endpoint({
    operationId: 'estimateRewriting',
    summary: 'Estimate what rewriting articles with the model would cost',
    description:
      'Counts the newest articles without a model that `POST …/import` with the same `rewrite` would write with it, and estimates their tokens and cost from the size of the changes. Repairs, retries and thinking cost more.',
    tag: 'Article',
    access: 'user',
    params: repositoryParams,
    query: {
      ...hostQuery(deps.codeHosts),
      rewrite: Type.Optional(rewriteField),
      language: Type.Optional(LanguageCode()),
    },
    data: ref(WritingEstimate),
    success: { 200: 'The estimate.' },
    failures: ['REPOSITORY_NOT_FOUND', 'LANGUAGE_UNAVAILABLE'],
    async handle({ params, query, viewer }) {
      const { rewrite: most = mostRewritten, language } = query;
      const address = requestedAddress(deps.codeHosts, params, query);
      const look = { viewer, now: deps.clock() };
      const { found } = await requireVisibleRepository(deps, address, look);
      const languageCode = language ?? usualLanguage(deps, viewer.user, found.isPrivate);
      const estimate = await estimateRewriting(deps, found, { languageCode, most });
      if (!estimate) throw noModel();
      const { costUsd, ...counted } = estimate;
      return ok({ ...counted, ...(costUsd !== null && { estimatedCostUsd: costUsd }) });
    },
  });
