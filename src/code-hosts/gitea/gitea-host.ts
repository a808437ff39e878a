import { createHash } from 'node:crypto';
import { Check } from 'typebox/value';
import { type Finding, StartupProblem } from '../../domain/errors.ts';
import { type CodeHost, type DiffLines, fileUrl, type HostRepository } from '../code-host.ts';
import type { Connect, Examined, NetworkHostDeps } from '../host-definition.ts';
import { examineHost, findingsAbout } from '../host-definition.ts';
import type { HostCaller } from '../http/host-api.ts';
import { HostClient } from '../http/host-client.ts';
import {
  createNetworkHost,
  createVisibility,
  findWithRepository,
  openTransports,
} from '../http/network-host.ts';
import type { PullPages } from '../http/pull-payloads.ts';
import {
  AccountsPayload,
  ghost,
  giteaApi,
  giteaRepository,
  lacksScope,
  mustChangePassword,
  RepositoryPayload,
  repositoryApiPath,
  showsPullRequests,
  VersionPayload,
} from './gitea-api.ts';
import { createGiteaApp, createGiteaWebhooks, giteaIdentity, giteaTokens } from './gitea-app.ts';
import { createGiteaLists } from './gitea-lists.ts';
import { type GiteaSettings, giteaAddresses, isGiteaToken } from './gitea-settings.ts';
import {
  createFindPull,
  type FindPull,
  giteaGlance,
  giteaVersion,
  readGiteaPullRequest,
} from './read-gitea-pull-request.ts';

export async function openGiteaHost(settings: GiteaSettings, deps: NetworkHostDeps): Promise<CodeHost> {
  const { giteaClientId: clientId, giteaClientSecret: clientSecret } = settings;
  const { giteaUrl, giteaToken: serviceToken = null, giteaWebhookSecrets: secrets } = settings;
  const { clock, responseMs } = deps;
  if (!giteaUrl) throw new StartupProblem('GITEA_URL is not set. Set it to the URL of your Gitea server.');
  const addresses = giteaAddresses(giteaUrl);
  const { web, api } = addresses;
  // Gitea ignores the user name that git sends with a token.
  const destination = { id: 'gitea', name: 'Gitea', web, api, mayBePrivate: true, gitUser: 'x-access-token' };
  const { fetch, fetchAsApp, fetchByGit, trees, close } = await openTransports(destination, settings, deps);
  const client = new HostClient({ api: giteaApi(addresses), fetch, clock, responseMs });
  const findPull = createFindPull(client);
  const pages: PullPages = { web, path: 'pulls', ghost };
  const visibility = createVisibility((repository, caller) => showsPullRequests(client, repository, caller));
  const pullDeps = { client, findPull, fetchByGit, pages, ...visibility };
  const grants = { addresses, fetch: fetchAsApp, clock };
  return createNetworkHost({
    id: 'gitea',
    signIn: 'giteaToken',
    recognizes: isGiteaToken,
    webUrl: web,
    avatarOrigins: [addresses.origin],
    linesUrl: giteaLinesUrl,
    client,
    trees,
    serviceToken,
    clock,
    close,
    app: clientId && clientSecret ? createGiteaApp({ clientId, clientSecret, ...grants }) : null,
    webhooks: secrets.length > 0 ? createGiteaWebhooks(secrets) : null,
    tokens: giteaTokens(client, addresses),
    callsForRights: Object.values(shownBy),
    async readAccount(hostUserId, caller) {
      const path = `/users/search?uid=${hostUserId}&limit=1`;
      const account = (await client.get(path, AccountsPayload, caller))?.data.find(
        ({ id }) => id === hostUserId,
      );
      return account ? giteaIdentity(account, addresses) : null;
    },
    ...findGiteaRepositories(client, findPull, visibility),
    asksAnonymously: true,
    versionOf: giteaVersion,
    glanceAt: (_, found, caller) => giteaGlance(pullDeps, found, caller),
    readPullRequest: (repository, found, caller) => readGiteaPullRequest(pullDeps, repository, found, caller),
    ...createGiteaLists(client, pages),
    readsByName: true,
  });
}

function findGiteaRepositories(
  client: HostClient,
  findPull: FindPull,
  visibility: ReturnType<typeof createVisibility>,
) {
  const { readAt, ...found } = findWithRepository({
    find: (named, caller) => findPull(named, named.number, caller),
    repositoryOf: ({ pull }) => giteaRepository(pull.base.repo),
    async describeAt(path, caller) {
      const described = await client.get(path, RepositoryPayload, caller);
      return described && giteaRepository(described);
    },
    pathOf: repositoryApiPath,
    ...visibility,
  });
  return {
    ...found,
    /**
     * Gitea finds repositories by id only for callers with a token. For others they are found by name, if the name is
     * still theirs.
     */
    async readRepositoryById(known: Omit<HostRepository, 'isPrivate'>, caller: HostCaller) {
      const path = caller.token === null ? repositoryApiPath(known) : `/repositories/${known.hostRepoId}`;
      const repository = await readAt(path, caller);
      return repository?.hostRepoId === known.hostRepoId ? repository : null;
    },
  };
}

/** The anchor of a line in Gitea contains a hash of the file's path. */
export function giteaLinesUrl(
  pullRequestUrl: string | null,
  headSha: string,
  lines: DiffLines,
): string | null {
  if (!pullRequestUrl) return null;
  if (lines.unchanged)
    return fileUrl(pullRequestUrl.replace(/\/pulls\/\d+$/, `/src/commit/${headSha}`), lines, 'L');
  const file = createHash('sha1').update(lines.fileName).digest('hex');
  return `${pullRequestUrl}/files#diff-${file}${lines.side === 'old' ? 'L' : 'R'}${lines.startLine}`;
}

const { ok, warning, failure } = findingsAbout('gitea');

/** The oldest versions whose responses have all fields that we read. */
const oldest = { Gitea: [1, 21], Forgejo: [7, 0] } as const;

/** Calls that need a scope, because Gitea does not list the scopes of a token. */
const shownBy = { 'read:repository': '/repos/search?limit=1', 'read:issue': '/repos/issues/search?limit=1' };

const withScopes = 'with the scopes read:repository and read:issue';

const errorMessageIn = (response: unknown): string =>
  typeof response === 'object' && response !== null && 'message' in response ? String(response.message) : '';

const giteaScopesMissing = (web: string, lacking: string[]): Finding =>
  failure(
    `${web} accepts GITEA_TOKEN, but the token lacks ${lacking.join(' and ')}.`,
    `Create another one, ${withScopes}.`,
  );

export async function examineGitea(
  { giteaUrl, giteaToken }: Pick<GiteaSettings, 'giteaUrl' | 'giteaToken'>,
  connect: Connect,
): Promise<Examined> {
  if (!giteaUrl) return { findings: [failure('GITEA_URL is not set.', 'Set it.')], aheadMs: null };
  const { web, api } = giteaAddresses(giteaUrl);
  const context = { web, hasToken: giteaToken !== undefined };
  return examineHost(
    {
      id: 'gitea',
      urlSetting: 'GITEA_URL',
      web,
      address: `${api}/version`,
      token: giteaToken,
      mayBePrivate: true,
      async judge({ status, response }, ask) {
        const version = Check(VersionPayload, response) ? response.version : null;
        const finding = judgeGitea(context, { status, version, message: errorMessageIn(response) });
        if (finding.state !== 'ok' || !context.hasToken) return [finding];
        const lacking: string[] = [];
        for (const [scope, path] of Object.entries(shownBy))
          if (lacksScope.test(errorMessageIn((await ask(`${api}${path}`)).response))) lacking.push(scope);
        return [lacking.length === 0 ? finding : giteaScopesMissing(web, lacking)];
      },
    },
    connect,
  );
}

export function judgeGitea(
  { web, hasToken }: { web: string; hasToken: boolean },
  { status, version, message = '' }: { status: number; version: string | null; message?: string },
): Finding {
  if (status === 401 && hasToken)
    return failure(`${web} rejects GITEA_TOKEN.`, `Create another one, ${withScopes}.`);
  if (status === 403 && hasToken && mustChangePassword.test(message))
    return failure(
      `${web} rejects the account of GITEA_TOKEN until it changes its password.`,
      'Sign in there once as that account and change the password. To avoid this for new accounts: gitea admin user create --must-change-password=false.',
    );
  if (status === 403 && hasToken && message !== '')
    return failure(
      `${web} rejects the account of GITEA_TOKEN: ${message.slice(0, 200)}`,
      'Ask a Gitea administrator to enable that account, or set GITEA_TOKEN to a token from another account.',
    );
  if ((status === 401 || status === 403) && !hasToken)
    return warning(
      `${web} requires everyone to sign in, so nothing there is public.`,
      'To read it, sign in with a browser, or save your own token in Settings.',
    );
  if (version === null)
    return failure(
      `${web} answered HTTP ${status}, which does not look like Gitea.`,
      'Check GITEA_URL, including its path, and any proxy in between.',
    );
  // Forgejo names the compatible Gitea version after its own.
  const name = version.includes('+gitea-') ? 'Forgejo' : 'Gitea';
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  const [oldestMajor, oldestMinor] = oldest[name];
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
    return failure(
      `${web} is ${name} ${version.split('+')[0]}, which is too old.`,
      `Update it to ${oldestMajor}.${oldestMinor} or newer.`,
    );
  const responses = `${web} is ${name} ${version.split('+')[0]}`;
  return ok(hasToken ? `${responses} and accepts GITEA_TOKEN.` : `${responses}. GITEA_TOKEN is not set.`);
}
