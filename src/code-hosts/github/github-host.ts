import { completeIdentity, type Identity } from '../../domain/accounts.ts';
import { type CodeHost, githubLinesUrl, type HostRepository } from '../code-host.ts';
import type { NetworkHostDeps } from '../host-definition.ts';
import { type HostCaller, unlessClosed } from '../http/host-api.ts';
import { createNetworkHost, createSignInCheck, ifVisibleTo, openTransports } from '../http/network-host.ts';
import {
  AccountPayload,
  GitHubClient,
  PullRequestPayload,
  RepositoryPayload,
  readRepository,
  repositoryOf,
} from './github-api.ts';
import { createGitHubApp, createGitHubWebhooks } from './github-app.ts';
import { listChanged, listGitHubPullRequests, listGitHubTags, readGitHubRanges } from './github-lists.ts';
import {
  addressesOf,
  type GitHubAddresses,
  type GitHubSettings,
  isAppToken,
  isGitHubToken,
} from './github-settings.ts';
import { glanceOf, pullRequestPath, readGitHubPullRequest, versionOf } from './read-github-pull-request.ts';

const notOurs =
  'This token was not made for this service, or is revoked: `gh auth token`, for one, prints that of another app. ' +
  'Make a personal access token, or sign in at /sign-in.';

export async function openGitHubHost(settings: GitHubSettings, deps: NetworkHostDeps): Promise<CodeHost> {
  const { githubClientId: clientId, githubClientSecret: clientSecret, githubScopes: scopes } = settings;
  const { githubToken: serviceToken = null, githubWebhookSecrets: secrets } = settings;
  const { clock } = deps;
  const addresses = addressesOf(settings.githubUrl);
  const { web, api, isOwn: mayBePrivate } = addresses;
  const destination = { id: 'github', name: 'GitHub', web, api, mayBePrivate, gitUser: 'x-access-token' };
  const { fetch, fetchAsApp, fetchByGit, close } = await openTransports(destination, settings, deps);
  const client = new GitHubClient({ addresses, fetch, clock });
  const { checkSignIn, ...repositories } = findRepositories(client, addresses, serviceToken, clock);
  const grants = { scopes, fetch: fetchAsApp, clock };
  return createNetworkHost({
    id: 'github',
    signIn: 'githubToken',
    recognizes: isGitHubToken,
    webUrl: web,
    avatarOrigins: addresses.avatars,
    linesUrl: githubLinesUrl,
    client,
    serviceToken,
    clock,
    close,
    app: clientId && clientSecret ? createGitHubApp(addresses, { clientId, clientSecret, ...grants }) : null,
    webhooks: secrets.length > 0 ? createGitHubWebhooks(secrets) : null,
    tokens: {
      isAppToken,
      notOurs,
      whose: (token, signal) => readAccount(client, '/user', addresses, { isService: false, token, signal }),
    },
    readAccount: (hostUserId, caller) => readAccount(client, `/user/${hostUserId}`, addresses, caller),
    ...repositories,
    checkSignIn,
    versionOf,
    glanceAt: async (_, pull) => glanceOf(pull, web),
    readPullRequest: (_, pull, caller) => readGitHubPullRequest({ client, fetchByGit, web }, pull, caller),
    listPullRequests: (repository, page, caller) =>
      listGitHubPullRequests(client, web, repository, page, caller),
    listChanged: (repository, caller) => listChanged(client, repository, caller),
    listTags: (repository, atMost, caller) => listGitHubTags(client, repository, atMost, caller),
    ranges: readGitHubRanges(client, web),
  });
}

function findRepositories(
  client: GitHubClient,
  { isOwn }: GitHubAddresses,
  serviceToken: string | null,
  clock: () => Date,
) {
  const checkSignIn = createSignInCheck({
    isOpen: !isOwn || serviceToken !== null,
    shows: async ({ hostRepoId }, caller) =>
      (await client.get(`/repositories/${hostRepoId}`, RepositoryPayload, caller)) !== null,
    clock,
  });
  const findAt = async (path: string, caller: HostCaller): Promise<HostRepository | null> => {
    const found = await readRepository(client, path, caller);
    return found && checkSignIn(found, caller);
  };
  // Owners with slashes, as other hosts have them, do not exist here.
  const readNamed = async ({ owner, name }: Pick<HostRepository, 'owner' | 'name'>, caller: HostCaller) =>
    owner.includes('/') ? null : findAt(`/repos/${owner}/${name}`, caller);
  return {
    checkSignIn,
    readRepository: readNamed,
    readRepositoryById: ({ hostRepoId }: Pick<HostRepository, 'hostRepoId'>, caller: HostCaller) =>
      findAt(`/repositories/${hostRepoId}`, caller),
    async findPullRequest(
      { owner, name, number }: { owner: string; name: string; number: number },
      caller: HostCaller,
    ): Promise<[HostRepository | null, PullRequestPayload | null]> {
      if (owner.includes('/')) return [null, null];
      const path = pullRequestPath(owner, name, number);
      const pull = await unlessClosed(client.get(path, PullRequestPayload, caller));
      const shown = pull && ifVisibleTo(caller, repositoryOf(pull.base.repo));
      if (shown) return [await checkSignIn(shown, caller), pull];
      // Also for a pull request that exists and may not be shown, so that both take equally long.
      return [await unlessClosed(readNamed({ owner, name }, caller)), null];
    },
  };
}

async function readAccount(
  client: GitHubClient,
  path: string,
  { domain }: GitHubAddresses,
  caller: HostCaller,
): Promise<Identity | null> {
  const account = await client.get(path, AccountPayload, caller);
  return (
    account &&
    completeIdentity({
      host: 'github',
      hostUserId: account.id,
      hostUsername: account.login,
      hostDisplayName: account.name ?? null,
      email: account.email ?? null,
      avatarUrl: account.avatar_url ?? null,
      noReplyDomain: domain,
    })
  );
}
