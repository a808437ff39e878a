import {
  findVisibleFiles,
  findVisiblePullRequest,
  type PullRequestAddress,
} from '../actions/pull-requests/find-pull-request.ts';
import { listPullRequests } from '../actions/pull-requests/list-pull-requests.ts';
import { streamStoredDiff, streamStoredFile } from '../actions/pull-requests/stored-diff.ts';
import { OneOf, Owner, RepositoryName, ref } from '../contract/formats.ts';
import { ChangedFile, PullRequest, PullRequestSummary } from '../contract/pull-requests.ts';
import { Type } from '../contract/type.ts';
import { listChangedFiles, type StoredFiles } from '../db/pull-requests.ts';
import { Failure } from '../domain/errors.ts';
import type { Deps } from './deps.ts';
import { type Call, endpoint, listEndpoint } from './endpoint.ts';
import { hostQuery, requestedAddress } from './requests/choose-code-host.ts';
import { abortOnDisconnect } from './requests/parse-requests.ts';
import { presentListedPullRequest, presentPullRequest } from './responses/present.ts';
import { content, created, ok } from './responses/response.ts';

const tag = 'Pull Request';
const diffType = 'text/x-diff; charset=utf-8';

export const repositoryParams = {
  owner: Owner(),
  repo: RepositoryName(),
};

export const pullRequestPath = {
  ...repositoryParams,
  number: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Number of the pull request',
  }),
};

type Addressed = Pick<
  Call<'viewer', typeof pullRequestPath, ReturnType<typeof hostQuery>>,
  'params' | 'query' | 'viewer'
>;

export const pullRequestAddress = (
  { codeHosts }: Deps,
  { params, query }: Omit<Addressed, 'viewer'>,
): PullRequestAddress => ({ ...requestedAddress(codeHosts, params, query), number: params.number });

const findStored = (deps: Deps, call: Addressed): Promise<StoredFiles> =>
  findVisibleFiles(deps, pullRequestAddress(deps, call), call.viewer);

export const postIngest = (deps: Deps) =>
  endpoint({
    operationId: 'ingestPullRequest',
    summary: 'Fetch and store a pull request',
    description:
      'Fetches a pull request from the code host with the rights of the caller and stores it. Calling it again updates the pull request; the diff is read again only if its head or base has moved. Stored pull requests count against a daily quota per person. A pull request without an article is deleted a week after it was last fetched or read.',
    tag,
    access: 'user',
    params: pullRequestPath,
    query: hostQuery(deps.codeHosts),
    data: ref(PullRequest),
    success: { 200: 'The pull request is up to date.', 201: 'The pull request is stored.' },
    failures: ['REPOSITORY_NOT_FOUND', 'PULL_REQUEST_NOT_FOUND', 'UNREADABLE', 'QUOTA_EXHAUSTED'],
    async handle({ params, query, viewer }) {
      const address = requestedAddress(deps.codeHosts, params, query);
      const { pullRequest, isNew } = await deps.ingest(address, params.number, viewer, { readsTexts: true });
      return (isNew ? created : ok)(presentPullRequest(pullRequest));
    },
  });

export const getPullRequest = (deps: Deps) =>
  endpoint({
    operationId: 'getPullRequest',
    summary: 'Get a stored pull request',
    description:
      'Returns the stored pull request without fetching it again. Public pull requests need no credential.',
    tag,
    access: 'viewer',
    params: pullRequestPath,
    query: hostQuery(deps.codeHosts),
    data: ref(PullRequest),
    success: { 200: 'The stored pull request.' },
    failures: ['PULL_REQUEST_NOT_FOUND'],
    handle: async (call) =>
      ok(presentPullRequest(await findVisiblePullRequest(deps, pullRequestAddress(deps, call), call.viewer))),
  });

export const getFiles = (deps: Deps) =>
  listEndpoint({
    operationId: 'listPullRequestFiles',
    summary: 'List the files of a stored pull request',
    description: 'All changed files in the order of the diff; files listed as unread come last.',
    tag,
    access: 'viewer',
    params: pullRequestPath,
    query: hostQuery(deps.codeHosts),
    item: ref(ChangedFile),
    success: { 200: 'The files of the pull request.' },
    failures: ['PULL_REQUEST_NOT_FOUND'],
    async list(call, page) {
      const { id: pullRequestId } = await findStored(deps, call);
      const { rows: items, total } = await listChangedFiles(deps.database, { pullRequestId, ...page });
      return { items, total };
    },
  });

export const getPullRequests = (deps: Deps) =>
  listEndpoint({
    operationId: 'listPullRequests',
    summary: 'List the pull requests of a repository',
    description:
      'Lists the current pull requests on the code host, newest first, whether or not they are stored here. `closed` includes merged ones.',
    tag,
    access: 'user',
    params: repositoryParams,
    query: {
      ...hostQuery(deps.codeHosts),
      state: Type.Optional(
        OneOf(['open', 'closed', 'all'], 'State of the pull requests to list', { default: 'all' }),
      ),
    },
    item: ref(PullRequestSummary),
    success: { 200: 'The pull requests of the repository.' },
    failures: ['REPOSITORY_NOT_FOUND'],
    async list({ params, query, viewer, reply }, page) {
      const address = requestedAddress(deps.codeHosts, params, query);
      const wanted = { state: query.state ?? 'all', ...page };
      const by = { viewer, signal: abortOnDisconnect(reply) };
      const { items, total } = await listPullRequests(deps, address, wanted, by);
      const isBare = total === 0 && wanted.state === 'all';
      const hint = ['The repository has no pull requests.', address.codeHost.pullRequestHint];
      return {
        items: items.map(presentListedPullRequest),
        total,
        message: isBare ? hint.filter(Boolean).join(' ') : undefined,
      };
    },
  });

export const getDiff = (deps: Deps) =>
  endpoint({
    operationId: 'getPullRequestDiff',
    summary: 'Get the diff of a stored pull request',
    description:
      'Returns the diff as printed by git, of all files or one. Files listed as unread have no diff.',
    tag,
    access: 'viewer',
    params: pullRequestPath,
    query: {
      ...hostQuery(deps.codeHosts),
      file: Type.Optional(Type.String({ minLength: 1, maxLength: 4096, description: 'Path of one file' })),
    },
    data: Type.String(),
    contentType: diffType,
    success: { 200: 'The diff.' },
    failures: ['PULL_REQUEST_NOT_FOUND', 'NOT_FOUND'],
    async handle(call) {
      const stored = await findStored(deps, call);
      // The id is part of the tag, because a pull request that was deleted and fetched again counts its diffs from 1.
      call.reply.header('etag', `"${stored.id}-${stored.diffRevision}"`);
      const { file } = call.query;
      const found =
        file === undefined
          ? streamStoredDiff(deps.database, stored)
          : await streamStoredFile(deps.database, stored, file);
      if (found) return content(diffType, found);
      throw new Failure(
        'NOT_FOUND',
        'The stored diff does not contain this file. GET the pull request to list its files.',
      );
    },
  });
