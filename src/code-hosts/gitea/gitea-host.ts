import { createHash } from 'node:crypto';
import { StartupProblem } from '../../domain/errors.ts';
import type { CodeHost, DiffLines, HostRepository } from '../code-host.ts';
import type { NetworkHostDeps } from '../host-definition.ts';
import { type HostCaller, unlessClosed } from '../http/host-api.ts';
import { HostClient } from '../http/host-client.ts';
import { createNetworkHost, createSignInCheck, ifVisibleTo, openTransports } from '../http/network-host.ts';
import {
  AccountsPayload,
  giteaApi,
  pathOf,
  readRepository,
  repositoryOf,
  showsPullRequests,
} from './gitea-api.ts';
import { createGiteaApp, createGiteaWebhooks, giteaTokens, identityOf } from './gitea-app.ts';
import { listChanged, listGiteaPullRequests, listGiteaTags, readGiteaRanges } from './gitea-lists.ts';
import { addressesOf, type GiteaSettings, isGiteaToken } from './gitea-settings.ts';
import {
  createFindPull,
  type FindPull,
  type FoundPull,
  glanceOf,
  readGiteaPullRequest,
  versionOf,
} from './read-gitea-pull-request.ts';

export async function openGiteaHost(settings: GiteaSettings, deps: NetworkHostDeps): Promise<CodeHost> {
  const { giteaClientId: clientId, giteaClientSecret: clientSecret } = settings;
  const { giteaUrl, giteaToken: serviceToken = null, giteaWebhookSecrets: secrets } = settings;
  const { clock } = deps;
  if (!giteaUrl) throw new StartupProblem('GITEA_URL says where Gitea is: set it.');
  const addresses = addressesOf(giteaUrl);
  const { web, api } = addresses;
  // Gitea ignores the user name that git sends with a token.
  const destination = { id: 'gitea', name: 'Gitea', web, api, mayBePrivate: true, gitUser: 'x-access-token' };
  const { fetch, fetchAsApp, fetchByGit, close } = await openTransports(destination, settings, deps);
  const client = new HostClient({ api: giteaApi(addresses), fetch, clock });
  const findPull = createFindPull(client);
  const pullDeps = { client, findPull, fetchByGit, web };
  const grants = { addresses, fetch: fetchAsApp, clock };
  return createNetworkHost({
    id: 'gitea',
    signIn: 'giteaToken',
    recognizes: isGiteaToken,
    webUrl: web,
    avatarOrigins: [addresses.origin],
    linesUrl,
    client,
    serviceToken,
    clock,
    close,
    app: clientId && clientSecret ? createGiteaApp({ clientId, clientSecret, ...grants }) : null,
    webhooks: secrets.length > 0 ? createGiteaWebhooks(secrets) : null,
    tokens: giteaTokens(client, addresses),
    async readAccount(hostUserId, caller) {
      const path = `/users/search?uid=${hostUserId}&limit=1`;
      const account = (await client.get(path, AccountsPayload, caller))?.data.find(
        ({ id }) => id === hostUserId,
      );
      return account ? identityOf(account, addresses) : null;
    },
    ...findRepositories(client, findPull, serviceToken, clock),
    versionOf,
    glanceAt: (_, found, caller) => glanceOf(pullDeps, found, caller),
    readPullRequest: (_, found, caller) => readGiteaPullRequest(pullDeps, found, caller),
    listPullRequests: (repository, page, caller) =>
      listGiteaPullRequests(client, web, repository, page, caller),
    listChanged: (repository, caller) => listChanged(client, repository, caller),
    listTags: (repository, atMost, caller) => listGiteaTags(client, repository, atMost, caller),
    ranges: readGiteaRanges(client, web),
    readsByName: true,
  });
}

function findRepositories(
  client: HostClient,
  findPull: FindPull,
  serviceToken: string | null,
  clock: () => Date,
) {
  const checkSignIn = createSignInCheck({
    isOpen: serviceToken !== null,
    shows: (repository, caller) => showsPullRequests(client, repository, caller),
    clock,
  });
  const findAt = async (path: string, caller: HostCaller): Promise<HostRepository | null> => {
    const found = await readRepository(client, path, caller);
    return found && checkSignIn(found, caller);
  };
  return {
    checkSignIn,
    readRepository: (named: Pick<HostRepository, 'owner' | 'name'>, caller: HostCaller) =>
      findAt(pathOf(named), caller),
    /** Gitea finds repositories by id only for callers with a token; for others, by name if it is still theirs. */
    async readRepositoryById(known: Omit<HostRepository, 'isPrivate'>, caller: HostCaller) {
      const path = caller.token === null ? pathOf(known) : `/repositories/${known.hostRepoId}`;
      const found = await findAt(path, caller);
      return found?.hostRepoId === known.hostRepoId ? found : null;
    },
    async findPullRequest(
      { number, ...named }: { owner: string; name: string; number: number },
      caller: HostCaller,
    ): Promise<[HostRepository | null, FoundPull | null]> {
      const found = await unlessClosed(findPull(named, number, caller));
      const shown = found && ifVisibleTo(caller, repositoryOf(found.pull.base.repo));
      if (shown) return [await checkSignIn(shown, caller), found];
      // Also for a pull request that exists and may not be shown, so that both take equally long.
      return [await unlessClosed(findAt(pathOf(named), caller)), null];
    },
  };
}

/** Gitea makes the anchor of a line from a hash of the file's path. */
export function linesUrl(pullRequestUrl: string | null, _headSha: string, lines: DiffLines): string | null {
  if (!pullRequestUrl) return null;
  const file = createHash('sha1').update(lines.fileName).digest('hex');
  return `${pullRequestUrl}/files#diff-${file}${lines.side === 'old' ? 'L' : 'R'}${lines.startLine}`;
}
