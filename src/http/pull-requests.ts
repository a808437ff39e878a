import type { Viewer } from '../actions/deps.ts';
import { findVisiblePullRequest } from '../actions/pull-requests/find-pull-request.ts';
import { listPullRequests } from '../actions/pull-requests/list-pull-requests.ts';
import { streamStoredDiff, streamStoredFile } from '../actions/pull-requests/stored-diff.ts';
import { listOf, Owner, pageQuery, RepositoryName, ref } from '../contract/formats.ts';
import { ChangedFile, PullRequest, PullRequestSummary } from '../contract/pull-request.ts';
import { Type } from '../contract/type.ts';
import { listFiles, type StoredPullRequest } from '../db/pull-requests.ts';
import { Failure } from '../domain/errors.ts';
import { content, created, listAnswer, ok, pageOf } from './answers/answer.ts';
import { presentListedPullRequest, presentPullRequest } from './answers/present.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import { chooseCodeHost, hostQuery } from './requests/choose-code-host.ts';
import { abortOnDisconnect } from './requests/parse-requests.ts';

const tag = 'Pull Request';
const diffType = 'text/x-diff; charset=utf-8';

export const repositoryParams = {
  owner: Owner(),
  repo: RepositoryName(),
};

export const pullRequestParams = Type.Object({
  ...repositoryParams,
  number: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Number of the pull request',
  }),
});

interface Call {
  params: { owner: string; repo: string; number: number };
  query: { host?: string };
  viewer: Viewer | null;
}

function findAsked(deps: Deps, { params, query, viewer }: Call): Promise<StoredPullRequest> {
  const codeHost = chooseCodeHost(deps.codeHosts, query.host);
  return findVisiblePullRequest(deps, { codeHost, name: params.repo, ...params }, viewer);
}

export const postIngest = (deps: Deps) =>
  endpoint({
    operationId: 'ingestPullRequest',
    summary: 'Fetch a pull request and store it',
    description:
      'Fetches a pull request from the code host with the rights of the caller and stores it whole. Called again, it is ' +
      'brought up to date; its diff is read again only when it is another: when its head has moved, or where it begins. ' +
      'What is stored counts against a quota for each person and day. Without an article, a pull request goes a week after ' +
      'it was last fetched or read.',
    tag,
    access: 'user',
    params: pullRequestParams,
    query: Type.Object(hostQuery(deps.codeHosts), { additionalProperties: false }),
    data: ref(PullRequest),
    success: { 200: 'It was stored before and is up to date now.', 201: 'Stored for the first time.' },
    failures: ['REPOSITORY_NOT_FOUND', 'PULL_REQUEST_NOT_FOUND', 'UNREADABLE', 'QUOTA_EXHAUSTED'],
    async handle({ params, query, viewer }) {
      const { owner, repo, number } = params;
      const address = { codeHost: chooseCodeHost(deps.codeHosts, query.host), owner, name: repo };
      const { pullRequest, isNew } = await deps.ingest(address, number, viewer);
      return isNew
        ? created(presentPullRequest(pullRequest), 'The pull request is stored.')
        : ok(presentPullRequest(pullRequest), 'The pull request is up to date.');
    },
  });

export const getPullRequest = (deps: Deps) =>
  endpoint({
    operationId: 'getPullRequest',
    summary: 'Get a stored pull request',
    description:
      'Answers what is stored and fetches no content. Those of public repositories can be read by anybody.',
    tag,
    access: 'viewer',
    params: pullRequestParams,
    query: Type.Object(hostQuery(deps.codeHosts), { additionalProperties: false }),
    data: ref(PullRequest),
    success: { 200: 'The pull request.' },
    failures: ['PULL_REQUEST_NOT_FOUND'],
    handle: async (call) =>
      ok(presentPullRequest(await findAsked(deps, call)), 'The pull request as it is stored.'),
  });

export const getFiles = (deps: Deps) =>
  endpoint({
    operationId: 'listPullRequestFiles',
    summary: 'List the files of a stored pull request',
    description:
      'All files that it changes, in the order of the diff; those that are listed as unread come last.',
    tag,
    access: 'viewer',
    params: pullRequestParams,
    query: Type.Object({ ...hostQuery(deps.codeHosts), ...pageQuery }, { additionalProperties: false }),
    data: listOf(ref(ChangedFile)),
    success: { 200: 'Files.' },
    failures: ['PULL_REQUEST_NOT_FOUND'],
    async handle(call) {
      const { id: pullRequestId } = await findAsked(deps, call);
      const page = pageOf(call.query);
      const { rows, total } = await listFiles(deps.database, { pullRequestId, ...page });
      return ok(
        listAnswer(call.request, call.reply, page, { items: rows, total }),
        'Files of the pull request.',
      );
    },
  });

export const getPullRequests = (deps: Deps) =>
  endpoint({
    operationId: 'listPullRequests',
    summary: 'List the pull requests of a repository',
    description:
      'As the code host lists them now, newest first, stored here or not. Closed ones include merged ones.',
    tag,
    access: 'user',
    params: Type.Object(repositoryParams),
    query: Type.Object(
      {
        ...hostQuery(deps.codeHosts),
        state: Type.Optional(
          Type.Enum(['open', 'closed', 'all'], {
            type: 'string',
            default: 'all',
            description: 'Which to list',
          }),
        ),
        ...pageQuery,
      },
      { additionalProperties: false },
    ),
    data: listOf(ref(PullRequestSummary)),
    success: { 200: 'Pull requests.' },
    failures: ['REPOSITORY_NOT_FOUND'],
    async handle({ params, query, viewer, request, reply }) {
      const address = {
        codeHost: chooseCodeHost(deps.codeHosts, query.host),
        owner: params.owner,
        name: params.repo,
      };
      const page = pageOf(query);
      const wanted = { state: query.state ?? 'all', ...page };
      const listed = await listPullRequests(deps, address, wanted, {
        viewer,
        signal: abortOnDisconnect(reply),
      });
      const items = listed.items.map(presentListedPullRequest);
      const { pullRequestHint } = address.codeHost;
      const isBare = listed.total === 0 && wanted.state === 'all';
      return ok(
        listAnswer(request, reply, page, { items, total: listed.total }),
        isBare
          ? ['The repository has no pull requests.', pullRequestHint].filter(Boolean).join(' ')
          : 'Pull requests of the repository.',
      );
    },
  });

export const getDiff = (deps: Deps) =>
  endpoint({
    operationId: 'getPullRequestDiff',
    summary: 'Get the diff of a stored pull request',
    description: 'What git printed for it, whole or for one of its files. Files listed as unread have none.',
    tag,
    access: 'viewer',
    params: pullRequestParams,
    query: Type.Object(
      {
        ...hostQuery(deps.codeHosts),
        file: Type.Optional(Type.String({ minLength: 1, maxLength: 4096, description: 'Path of one file' })),
      },
      { additionalProperties: false },
    ),
    data: Type.String(),
    contentType: diffType,
    success: { 200: 'The diff.' },
    failures: ['PULL_REQUEST_NOT_FOUND', 'NOT_FOUND'],
    async handle(call) {
      const stored = await findAsked(deps, call);
      // One that went and was fetched again counts its diffs from the first.
      call.reply.header('etag', `"${stored.id}-${stored.diffRevision}"`);
      const { file } = call.query;
      const found =
        file === undefined
          ? streamStoredDiff(deps.database, stored)
          : await streamStoredFile(deps.database, stored, file);
      if (found) return content(diffType, found);
      throw new Failure(
        'NOT_FOUND',
        'The stored diff has no such file. GET the pull request to see its files.',
      );
    },
  });
