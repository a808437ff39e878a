import { openRepository, printRelease, readRelease } from '../actions/releases/read-release.ts';
import { LanguageCode, ref } from '../contract/formats.ts';
import { Release } from '../contract/releases.ts';
import { Type } from '../contract/type.ts';
import { type ErrorDetail, Failure } from '../domain/errors.ts';
import { preferredLanguages } from '../domain/languages.ts';
import { faultsOf, refMaxLength } from '../domain/releases.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import { repositoryParams } from './pull-requests.ts';
import { hostQuery, requestedAddress } from './requests/choose-code-host.ts';
import { abortOnDisconnect, prefersMarkdown } from './requests/parse-requests.ts';
import { presentRelease } from './responses/present.ts';
import { content, writeStored } from './responses/response.ts';

const markdown = 'text/markdown; charset=utf-8';

const RefName = (what: string) =>
  Type.String({
    minLength: 1,
    maxLength: refMaxLength,
    description: `${what}: a tag, a branch or a commit id`,
  });

const problems = {
  unfit: 'must be a tag, a branch or a commit id',
  same: 'must differ from from',
};

function requireRange<Range extends { from: string; to: string }>(range: Range): Range {
  const details: ErrorDetail[] = faultsOf(range).map(({ field, is }) => ({ field, problem: problems[is] }));
  const [first] = details;
  if (!first) return range;
  throw new Failure('INVALID_REQUEST', `The request is not valid: ${first.field} ${first.problem}.`, {
    details,
  });
}

export const getRelease = (deps: Deps) =>
  endpoint({
    operationId: 'getRelease',
    summary: 'List what changed between two versions',
    description:
      'The pull requests whose commits are in `to` but not in `from`, each once, with their articles. Reverted changes and copies of the same change are listed separately. With `Accept: text/markdown`, as release notes. Public repositories that the service knows, and public clones, need no credential.',
    tag: 'Pull Request',
    access: 'viewer',
    params: repositoryParams,
    query: {
      ...hostQuery(deps.codeHosts),
      from: RefName('Start of the range, not included'),
      to: RefName('End of the range, included'),
      language: Type.Optional(LanguageCode()),
    },
    data: ref(Release),
    success: { 200: 'What changed.' },
    alsoAs: markdown,
    failures: ['REPOSITORY_NOT_FOUND', 'NOT_FOUND'],
    async handle({ params, query, viewer, request, reply }) {
      const range = requireRange({ from: query.from, to: query.to });
      const address = requestedAddress(deps.codeHosts, params, query);
      const languages = languagesInOrder(
        query.language,
        viewer?.user?.language,
        request.headers['accept-language'],
      );
      const open = await openRepository(deps, address, { viewer, signal: abortOnDisconnect(reply) });
      const noting = { database: deps.database, log: request.log };
      const collected = await readRelease(noting, address, open, { ...range, languages });
      const release = presentRelease(deps.codeHosts, collected, range);
      if (!prefersMarkdown(request.headers.accept)) {
        // Serialized here, because the framework would check each item against both kinds.
        const json = JSON.stringify(release);
        return writeStored(200, { json: [json], version: json }, 'What changed.');
      }
      const [language = 'en'] = languages;
      return content(markdown, await printRelease(release, { language, publicUrl: deps.publicUrl }));
    },
  });

const languagesInOrder = (
  language: string | undefined,
  own: string | undefined,
  acceptLanguage: string | undefined,
): string[] => [
  ...new Set(
    [language ?? [], own ?? [], preferredLanguages(acceptLanguage).split(', ').filter(Boolean)].flat(),
  ),
];
