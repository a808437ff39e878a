import { type ImportWish, importPullRequests } from '../actions/articles/import-pull-requests.ts';
import { findArticlesTogether } from '../actions/articles/read-article.ts';
import { findJobsAfterRenewal } from '../actions/articles/request-article.ts';
import { seenBy } from '../actions/repositories/find-repository.ts';
import { LanguageCode, ref } from '../contract/formats.ts';
import { Job } from '../contract/job.ts';
import { Type } from '../contract/type.ts';
import { Failure } from '../domain/errors.ts';
import { mostImported } from '../domain/pull-requests.ts';
import { parseMoment } from '../domain/time.ts';
import { accepted } from './answers/answer.ts';
import { presentJob } from './answers/present.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import { repositoryParams } from './pull-requests.ts';
import { chooseCodeHost, hostQuery } from './requests/choose-code-host.ts';
import { abortOnDisconnect, InvalidPart } from './requests/parse-requests.ts';

const importBody = Type.Object(
  {
    numbers: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
        minItems: 1,
        maxItems: mostImported,
        description: 'These. Those that are not there, or not merged, are among the failures of the job.',
      }),
    ),
    last: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: mostImported,
        description: 'So many merged ones, those that were opened last. Among the newest 2,000 closed ones.',
      }),
    ),
    since: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'Those that were merged since a day, or a moment, in ISO 8601; a day begins at 00:00 UTC. Among the 2,000 closed ones that have changed last.',
        examples: ['2026-03-01'],
      }),
    ),
    language: Type.Optional(LanguageCode()),
  },
  { additionalProperties: false, examples: [{ last: 10, language: 'en' }] },
);

type Given = { numbers?: number[]; last?: number; since?: string };

/** Exactly one of the three ways to say which are meant. */
export function readImportWish({ numbers, last, since }: Given, now: Date): ImportWish {
  const given = [numbers, last, since].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw refused('body', 'must say which pull requests are meant by exactly one of numbers, last and since');
  if (numbers) {
    if (numbers.length > mostImported || numbers.some((number) => number < 1))
      throw refused('numbers', `must be at most ${mostImported} whole numbers from 1 on`);
    return { numbers };
  }
  if (last !== undefined) {
    if (last < 1 || last > mostImported)
      throw refused('last', `must be a whole number from 1 to ${mostImported}`);
    return { last };
  }
  const moment = parseMoment(since ?? '');
  if (!moment)
    throw refused('since', 'must be a day or a moment, such as 2026-03-01 or 2026-03-01T09:30:00Z');
  if (moment > now) throw refused('since', 'must not lie in the future');
  return { since: moment };
}

const refused = (field: string, problem: string): InvalidPart =>
  new InvalidPart([{ field, problem }], 'body');

export const postImport = (deps: Deps) => {
  const finders = { findJob: findJobsAfterRenewal(deps), findArticle: findArticlesTogether(deps) };
  return endpoint({
    operationId: 'importPullRequests',
    summary: 'Have articles written about many pull requests',
    description:
      `Merged ones, ${mostImported} at most, one after another, what was merged first before all others, with the rights of the caller; for what is private, the caller has to have saved a token of the host. ` +
      'Where an article is up to date, it stays. The progress of the job counts pull requests, and what fails is listed in it. ' +
      'A host that is away or wants to be left alone is waited for; a quota that is used up ends the rest, and nothing that was written is lost. ' +
      'The same request while it is under way returns the same job.',
    tag: 'Article',
    access: 'user',
    params: Type.Object(repositoryParams),
    query: Type.Object(hostQuery(deps.codeHosts), { additionalProperties: false }),
    body: importBody,
    refuseBody: (body) => void readImportWish(body, deps.clock()),
    data: ref(Job),
    success: { 202: 'Under way: the job, which `Location` names too.' },
    failures: ['REPOSITORY_NOT_FOUND', 'LANGUAGE_UNAVAILABLE'],
    async handle({ params, query, body, viewer, request, reply }) {
      const { language = viewer.user.language, ...given } = body;
      const wish = readImportWish(given, deps.clock());
      const codeHost = chooseCodeHost(deps.codeHosts, query.host);
      const address = { codeHost, owner: params.owner, name: params.repo };
      const asker = { viewer, signal: abortOnDisconnect(reply) };
      const jobId = await importPullRequests(deps, { address, wish, language }, asker);
      const look = { viewer, now: deps.clock() };
      const job = await finders.findJob(jobId, look);
      if (!job) throw new Failure('REPOSITORY_NOT_FOUND', 'You may no longer see this repository.');
      reply.header('location', `/jobs/${jobId}`);
      const shown = await presentJob(finders, job, { viewer: seenBy(look), requestId: request.id });
      return accepted(shown, 'The articles are being written.');
    },
  });
};
