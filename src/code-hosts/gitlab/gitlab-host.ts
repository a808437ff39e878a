import { createHash } from 'node:crypto';
import { completeIdentity, type Identity } from '../../domain/accounts.ts';
import type { Finding } from '../../domain/errors.ts';
import {
  type CodeHost,
  type DiffLines,
  fileUrl,
  type HostRepository,
  type PullRequestName,
} from '../code-host.ts';
import type { Connect, Examined, NetworkHostDeps } from '../host-definition.ts';
import { examineHost, findingsAbout } from '../host-definition.ts';
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
import { createGitLabLists } from './gitlab-lists.ts';
import {
  type GitLabSettings,
  gitLabAddresses,
  isGitLabAppToken,
  isGitLabToken,
  ownersNest,
} from './gitlab-settings.ts';
import {
  type FoundMergeRequest,
  isIssueHidden,
  mergeRequestGlance,
  mergeRequestVersion,
  readGitLabIssues,
  readMergeRequest,
} from './read-merge-request.ts';

const notOurs =
  'This token is revoked or belongs to another app. Create a personal access token, or sign in at /sign-in.';

export async function openGitLabHost(settings: GitLabSettings, deps: NetworkHostDeps): Promise<CodeHost> {
  const { gitlabClientId: clientId, gitlabClientSecret: clientSecret, gitlabScopes: scopes } = settings;
  const { gitlabToken: serviceToken = null, gitlabWebhookSecrets: secrets } = settings;
  const { clock, responseMs } = deps;
  const addresses = gitLabAddresses(settings.gitlabUrl);
  const { web, api, isOwn: mayBePrivate } = addresses;
  const destination = { id: 'gitlab', name: 'GitLab', web, api, mayBePrivate, gitUser: 'oauth2' };
  const { fetch, fetchAsApp, fetchByGit, trees, close } = await openTransports(destination, settings, deps);
  const client = new HostClient({ api: createGitLabApi(api), fetch, clock, responseMs });
  const readProject = createReadProject(client);
  const readAccount = async (path: string, caller: HostCaller): Promise<Identity | null> => {
    const account = await client.get(path, AccountPayload, caller);
    return account && gitLabIdentity(account, addresses.domain);
  };
  const grants = { scopes, fetch: fetchAsApp, clock };
  return createNetworkHost({
    id: 'gitlab',
    signIn: 'gitlabToken',
    recognizes: isGitLabToken,
    webUrl: web,
    avatarOrigins: addresses.avatars,
    ownersNest,
    linesUrl: gitLabLinesUrl,
    client,
    trees,
    serviceToken,
    clock,
    close,
    app: clientId && clientSecret ? createGitLabApp(addresses, { clientId, clientSecret, ...grants }) : null,
    webhooks:
      secrets.length > 0
        ? createGitLabWebhooks(secrets, clock, (issue) => isIssueHidden(client, issue))
        : null,
    callsForRights: ['/projects?membership=true&simple=true&per_page=1'],
    tokens: {
      isAppToken: isGitLabAppToken,
      notOurs,
      whose: (token, signal) => readAccount('/user', { isService: false, token, signal }),
    },
    readAccount: (hostUserId, caller) => readAccount(`/users/${hostUserId}`, caller),
    readRepository: ({ owner, name }, caller) => readProject(projectPath(owner, name), caller),
    readRepositoryById: (known, caller) => readProject(projectPathById(known), caller),
    findPullRequest: (named, caller) => findMergeRequest(client, readProject, named, caller),
    versionOf: mergeRequestVersion,
    glanceAt: async (repository, { mergeRequest }) => mergeRequestGlance(repository, mergeRequest, web),
    readPullRequest: (repository, found, caller) =>
      readMergeRequest({ client, fetchByGit, readProject, web }, repository, found, caller),
    asksAnonymously: true,
    ...createGitLabLists(client, web, clock),
  });
}

async function findMergeRequest(
  client: HostClient,
  readProject: ReadProject,
  { owner, name, number }: PullRequestName,
  caller: HostCaller,
): Promise<[HostRepository | null, FoundMergeRequest | null]> {
  const path = projectPath(owner, name);
  const [repository, mergeRequest] = await Promise.all([
    unlessClosed(readProject(path, caller)),
    unlessClosed(client.get(`${path}/merge_requests/${number}`, MergeRequestPayload, caller)),
  ]);
  if (!repository || mergeRequest?.project_id !== repository.hostRepoId) return [repository, null];
  return [repository, { mergeRequest, issues: await readGitLabIssues(client, repository, number, caller) }];
}

const gitLabIdentity = (account: AccountPayload, noReplyDomain: string): Identity =>
  completeIdentity({
    host: 'gitlab',
    hostUserId: account.id,
    hostUsername: account.username,
    hostDisplayName: account.name ?? null,
    email: account.public_email ?? null,
    avatarUrl: account.avatar_url ?? null,
    noReplyDomain,
  });

const mergeRequestPage = /\/-\/merge_requests\/\d+$/;

/**
 * Anchors need line numbers of both sides, and one is known: new lines link to the file, and old ones to the file in
 * the diff.
 */
export function gitLabLinesUrl(
  pullRequestUrl: string | null,
  headSha: string,
  lines: DiffLines,
): string | null {
  if (!pullRequestUrl) return null;
  const { fileName, side, unchanged } = lines;
  if (side === 'old' && !unchanged)
    return `${pullRequestUrl}/diffs#${createHash('sha1').update(fileName).digest('hex')}`;
  return fileUrl(pullRequestUrl.replace(mergeRequestPage, `/-/blob/${headSha}`), lines, '');
}

const { ok, warning, failure } = findingsAbout('gitlab');

const oldestKnown = 16;

export async function examineGitLab(
  { gitlabUrl, gitlabToken }: Pick<GitLabSettings, 'gitlabUrl' | 'gitlabToken'>,
  connect: Connect,
): Promise<Examined> {
  const { web, api, isOwn } = gitLabAddresses(gitlabUrl);
  const context = { web, hasToken: gitlabToken !== undefined };
  return examineHost(
    {
      id: 'gitlab',
      urlSetting: 'GITLAB_URL',
      web,
      address: `${api}/version`,
      token: gitlabToken,
      mayBePrivate: isOwn,
      async judge({ status, response }, ask) {
        const finding = judgeGitLab(context, { status, response });
        if (finding.state !== 'ok') return [finding];
        const lacking = lackingScopes((await ask(`${api}/personal_access_tokens/self`)).response);
        return [lacking.length === 0 ? finding : gitLabScopesMissing(web, lacking)];
      },
    },
    connect,
  );
}

const withScopes = 'with the scopes read_api and read_repository';

function lackingScopes(response: unknown): string[] {
  if (typeof response !== 'object' || response === null || !('scopes' in response)) return [];
  const scopes: unknown[] = Array.isArray(response.scopes) ? response.scopes : [];
  return scopes.includes('api') ? [] : ['read_api', 'read_repository'].filter((one) => !scopes.includes(one));
}

const gitLabScopesMissing = (web: string, lacking: string[]): Finding =>
  failure(
    `${web} accepts GITLAB_TOKEN, but the token lacks ${lacking.join(' and ')}.`,
    `Create another one, ${withScopes}.`,
  );

export function judgeGitLab(
  { web, hasToken }: { web: string; hasToken: boolean },
  { status, response }: { status: number; response: unknown },
): Finding {
  const isFromHost = typeof response === 'object' && response !== null;
  if (status === 401 && !hasToken && isFromHost)
    return warning(
      `${web} is reachable. GITLAB_TOKEN is not set, and without a token GitLab shows no discussions.`,
      'Set GITLAB_TOKEN to a token with the scope read_api.',
    );
  const message = isFromHost && 'message' in response ? String(response.message) : '';
  if (status === 403 && message.startsWith('403 Forbidden -'))
    return failure(
      `${web} rejects the account of GITLAB_TOKEN: ${message.slice('403 Forbidden -'.length, 200).trim()}`,
      'Sign in to GitLab as that account and follow its instructions, or set GITLAB_TOKEN to a token from another account.',
    );
  if (status === 401 || (status === 403 && isFromHost))
    return failure(`${web} rejects GITLAB_TOKEN.`, `Create another one, ${withScopes}.`);
  const version = isFromHost && 'version' in response ? String(response.version) : null;
  if (status !== 200 || version === null)
    return failure(
      `${web} answered HTTP ${status}, which does not look like GitLab.`,
      'Check GITLAB_URL, including its path, and any proxy in between.',
    );
  if (Number.parseInt(version, 10) < oldestKnown)
    return warning(
      `${web} is GitLab ${version.slice(0, 40)}, which is older than ${oldestKnown}.`,
      'If something cannot be read, update GitLab.',
    );
  return ok(`${web} is reachable and accepts GITLAB_TOKEN: GitLab ${version.slice(0, 40)}.`);
}
