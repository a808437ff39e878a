import { createHash } from 'node:crypto';
import { completeIdentity, type Identity } from '../../domain/accounts.ts';
import type { CodeHost, DiffLines, HostRepository } from '../code-host.ts';
import type { NetworkHostDeps } from '../host-definition.ts';
import { type HostCaller, unlessClosed } from '../http/host-api.ts';
import { HostClient } from '../http/host-client.ts';
import { createNetworkHost, openTransports } from '../http/network-host.ts';
import {
  AccountPayload,
  createGitLabApi,
  createReadProject,
  MergeRequestPayload,
  projectPath,
  projectPathById,
  type ReadProject,
} from './gitlab-api.ts';
import { createGitLabApp, createGitLabWebhooks } from './gitlab-app.ts';
import { listChanged, listGitLabTags, listMergeRequests, readGitLabRanges } from './gitlab-lists.ts';
import {
  addressesOf,
  type GitLabAddresses,
  type GitLabSettings,
  isAppToken,
  isGitLabToken,
  ownersNest,
} from './gitlab-settings.ts';
import {
  type FoundMergeRequest,
  glanceOf,
  isIssueHidden,
  readIssues,
  readMergeRequest,
  versionOf,
} from './read-merge-request.ts';

const notOurs =
  'This token was not made for this service, or is revoked. Make a personal access token, or sign in at /sign-in.';

export async function openGitLabHost(settings: GitLabSettings, deps: NetworkHostDeps): Promise<CodeHost> {
  const { gitlabClientId: clientId, gitlabClientSecret: clientSecret, gitlabScopes: scopes } = settings;
  const { gitlabToken: serviceToken = null, gitlabWebhookSecrets: secrets } = settings;
  const { clock } = deps;
  const addresses = addressesOf(settings.gitlabUrl);
  const { web, api, isOwn: mayBePrivate } = addresses;
  const destination = { id: 'gitlab', name: 'GitLab', web, api, mayBePrivate, gitUser: 'oauth2' };
  const { fetch, fetchAsApp, fetchByGit, close } = await openTransports(destination, settings, deps);
  const client = new HostClient({ api: createGitLabApi(api), fetch, clock });
  const readProject = createReadProject(client, addresses, serviceToken, clock);
  const grants = { scopes, fetch: fetchAsApp, clock };
  return createNetworkHost({
    id: 'gitlab',
    signIn: 'gitlabToken',
    recognizes: isGitLabToken,
    webUrl: web,
    avatarOrigins: addresses.avatars,
    ownersNest,
    linesUrl,
    client,
    serviceToken,
    clock,
    close,
    app: clientId && clientSecret ? createGitLabApp(addresses, { clientId, clientSecret, ...grants }) : null,
    webhooks:
      secrets.length > 0
        ? createGitLabWebhooks(secrets, clock, (issue) => isIssueHidden(client, issue))
        : null,
    tokens: {
      isAppToken,
      notOurs,
      whose: (token, signal) => readAccount(client, '/user', addresses, { isService: false, token, signal }),
    },
    readAccount: (hostUserId, caller) => readAccount(client, `/users/${hostUserId}`, addresses, caller),
    readRepository: ({ owner, name }, caller) => readProject(projectPath(owner, name), caller),
    readRepositoryById: (known, caller) => readProject(projectPathById(known), caller),
    findPullRequest: (named, caller) => findMergeRequest(client, readProject, named, caller),
    versionOf,
    glanceAt: async (repository, { mergeRequest }) => glanceOf(repository, mergeRequest, web),
    readPullRequest: (repository, found, caller) =>
      readMergeRequest({ client, fetchByGit, readProject, web }, repository, found, caller),
    async listPullRequests(repository, page, caller) {
      const listed = await listMergeRequests(client, web, repository, page, caller);
      // Lists do not say whether the project has become private, which hides nothing from the service's own token.
      const mayBeHidden = caller.isService && caller.token !== null;
      const isShown = !mayBeHidden || (await readProject(projectPathById(repository), caller)) !== null;
      return isShown ? listed : { items: [], total: null };
    },
    listChanged: (repository, caller) => listChanged(client, repository, caller),
    listTags: (repository, atMost, caller) => listGitLabTags(client, repository, atMost, caller),
    ranges: readGitLabRanges(client, web, clock),
  });
}

async function findMergeRequest(
  client: HostClient,
  readProject: ReadProject,
  { owner, name, number }: { owner: string; name: string; number: number },
  caller: HostCaller,
): Promise<[HostRepository | null, FoundMergeRequest | null]> {
  const path = projectPath(owner, name);
  const [repository, mergeRequest] = await Promise.all([
    unlessClosed(readProject(path, caller)),
    unlessClosed(client.get(`${path}/merge_requests/${number}`, MergeRequestPayload, caller)),
  ]);
  if (!repository || mergeRequest?.project_id !== repository.hostRepoId) return [repository, null];
  return [repository, { mergeRequest, issues: await readIssues(client, repository, number, caller) }];
}

async function readAccount(
  client: HostClient,
  path: string,
  { domain }: GitLabAddresses,
  caller: HostCaller,
): Promise<Identity | null> {
  const account = await client.get(path, AccountPayload, caller);
  return (
    account &&
    completeIdentity({
      host: 'gitlab',
      hostUserId: account.id,
      hostUsername: account.username,
      hostDisplayName: account.name ?? null,
      email: account.public_email ?? null,
      avatarUrl: account.avatar_url ?? null,
      noReplyDomain: domain,
    })
  );
}

const mergeRequestPage = /\/-\/merge_requests\/\d+$/;

/**
 * GitLab's anchors need the line numbers of both sides, and only one is known: new lines are linked in the file itself, old ones to the
 * file within the diff.
 */
export function linesUrl(pullRequestUrl: string | null, headSha: string, lines: DiffLines): string | null {
  if (!pullRequestUrl) return null;
  const { fileName, startLine, endLine, side } = lines;
  if (side === 'old') return `${pullRequestUrl}/diffs#${createHash('sha1').update(fileName).digest('hex')}`;
  const path = fileName.split('/').map(encodeURIComponent).join('/');
  const file = pullRequestUrl.replace(mergeRequestPage, `/-/blob/${headSha}/${path}`);
  return `${file}#L${startLine}${endLine > startLine ? `-${endLine}` : ''}`;
}
