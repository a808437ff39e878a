import { Check } from 'typebox/value';
import { Type } from '../../contract/type.ts';
import { completeIdentity, type Identity } from '../../domain/accounts.ts';
import type { Finding } from '../../domain/errors.ts';
import { type CodeHost, githubLinesUrl, type HostRepository } from '../code-host.ts';
import type { Connect, Examined, NetworkHostDeps } from '../host-definition.ts';
import { examineHost, findingsAbout } from '../host-definition.ts';
import { anonymous, type HostCaller } from '../http/host-api.ts';
import {
  type AsShownTo,
  createNetworkHost,
  findWithRepository,
  ifVisibleTo,
  openTransports,
} from '../http/network-host.ts';
import type { PullPages } from '../http/pull-payloads.ts';
import { ghost } from '../payload-types.ts';
import {
  AccountPayload,
  GitHubClient,
  gitHubRepository,
  PullRequestPayload,
  RepositoryPayload,
} from './github-api.ts';
import { createGitHubApp, createGitHubWebhooks } from './github-app.ts';
import { createGitHubLists } from './github-lists.ts';
import {
  type GitHubAddresses,
  type GitHubSettings,
  gitHubAddresses,
  isGitHubAppToken,
  isGitHubToken,
} from './github-settings.ts';
import {
  gitHubGlance,
  gitHubVersion,
  pullRequestPath,
  readGitHubPullRequest,
} from './read-github-pull-request.ts';

const notOurs =
  'This token is revoked or belongs to another app, like a token from `gh auth token`. Create a personal access token, or sign in at /sign-in.';

export async function openGitHubHost(settings: GitHubSettings, deps: NetworkHostDeps): Promise<CodeHost> {
  const { githubClientId: clientId, githubClientSecret: clientSecret, githubScopes: scopes } = settings;
  const { githubToken: serviceToken = null, githubWebhookSecrets: secrets } = settings;
  const { clock, responseMs } = deps;
  const addresses = gitHubAddresses(settings.githubUrl);
  const { web, api, isOwn: mayBePrivate } = addresses;
  const destination = { id: 'github', name: 'GitHub', web, api, mayBePrivate, gitUser: 'x-access-token' };
  const { fetch, fetchAsApp, fetchByGit, trees, close } = await openTransports(destination, settings, deps);
  const client = new GitHubClient({ addresses, fetch, clock, responseMs });
  const readAccount = async (path: string, caller: HostCaller): Promise<Identity | null> => {
    const account = await client.get(path, AccountPayload, caller);
    return account && gitHubIdentity(account, addresses.domain);
  };
  const pages: PullPages = { web, path: 'pull', ghost };
  const grants = { scopes, fetch: fetchAsApp, clock };
  return createNetworkHost({
    id: 'github',
    signIn: 'githubToken',
    recognizes: isGitHubToken,
    webUrl: web,
    avatarOrigins: addresses.avatars,
    linesUrl: githubLinesUrl,
    client,
    trees,
    serviceToken,
    clock,
    close,
    app: clientId && clientSecret ? createGitHubApp(addresses, { clientId, clientSecret, ...grants }) : null,
    webhooks: secrets.length > 0 ? createGitHubWebhooks(secrets) : null,
    tokens: {
      isAppToken: isGitHubAppToken,
      notOurs,
      whose: (token, signal) => readAccount('/user', { isService: false, token, signal }),
    },
    readAccount: (hostUserId, caller) => readAccount(`/user/${hostUserId}`, caller),
    ...findGitHubRepositories(client, addresses, serviceToken, clock),
    versionOf: gitHubVersion,
    glanceAt: async (_, pull) => gitHubGlance(pull, pages),
    readPullRequest: (_, pull, caller) => readGitHubPullRequest({ client, fetchByGit, pages }, pull, caller),
    ...createGitHubLists(client, pages),
  });
}

function findGitHubRepositories(
  client: GitHubClient,
  { isOwn }: GitHubAddresses,
  serviceToken: string | null,
  clock: () => Date,
) {
  const asShownTo = isOwn && serviceToken === null ? checkSignIn(client, clock) : asDescribed;
  const { readAt, ...found } = findWithRepository({
    find: (named, caller) => client.get(pullRequestPath(named), PullRequestPayload, caller),
    repositoryOf: ({ base }) => gitHubRepository(base.repo),
    async describeAt(path, caller) {
      const repository = await client.get(path, RepositoryPayload, caller);
      return repository && gitHubRepository(repository);
    },
    pathOf: ({ owner, name }) => `/repos/${owner}/${name}`,
    asShownTo,
    ifShownTo: asShownTo,
  });
  return {
    ...found,
    asShownTo,
    readRepositoryById: ({ hostRepoId }: Pick<HostRepository, 'hostRepoId'>, caller: HostCaller) =>
      readAt(`/repositories/${hostRepoId}`, caller),
  };
}

/** On GitHub a viewer who sees a repository also sees its pull requests. */
const asDescribed: AsShownTo = async (described, caller) => ifVisibleTo(caller, described);

/** The sign-in policy of a server hardly ever changes, and the next renewal notices repositories that it hides. */
const openMs = 60 * 60 * 1000;

/**
 * On an Enterprise Server that requires sign-in, "public" means visible to every account. Here it is public only if the
 * server shows it without a token. That is checked once an hour, because such servers may allow only sixty calls
 * without a token.
 */
function checkSignIn(client: GitHubClient, clock: () => Date): AsShownTo {
  let openUntil = 0;
  return async (described, caller) => {
    const shown = ifVisibleTo(caller, described);
    const isSure = caller.isService || described.isPrivate || openUntil > clock().getTime();
    if (!shown || isSure) return shown;
    const path = `/repositories/${shown.hostRepoId}`;
    if (!(await client.get(path, RepositoryPayload, anonymous(caller)))) return { ...shown, isPrivate: true };
    openUntil = clock().getTime() + openMs;
    return shown;
  };
}

const gitHubIdentity = (account: AccountPayload, noReplyDomain: string): Identity =>
  completeIdentity({
    host: 'github',
    hostUserId: account.id,
    hostUsername: account.login,
    hostDisplayName: account.name ?? null,
    email: account.email ?? null,
    avatarUrl: account.avatar_url ?? null,
    noReplyDomain,
  });

const { ok, warning, failure } = findingsAbout('github');

const Limits = Type.Object({
  resources: Type.Object({
    core: Type.Object({ limit: Type.Number(), remaining: Type.Number(), reset: Type.Number() }),
  }),
});

interface GitHubResponse {
  status: number;
  isUnlimited?: boolean;
  left: { limit: number; remaining: number; resetAt: Date } | null;
  tokenEndsAt: Date | null;
}

export async function examineGitHub(
  { githubUrl, githubToken }: Pick<GitHubSettings, 'githubUrl' | 'githubToken'>,
  connect: Connect,
): Promise<Examined> {
  const { web, api, isOwn } = gitHubAddresses(githubUrl);
  const context = { web, hasToken: githubToken !== undefined, now: new Date() };
  return examineHost(
    {
      id: 'github',
      urlSetting: 'GITHUB_URL',
      web,
      address: `${api}/rate_limit`,
      token: githubToken,
      mayBePrivate: isOwn,
      judge({ status, headers, response }) {
        const core = Check(Limits, response) ? response.resources.core : null;
        return judgeGitHub(context, {
          status,
          // The answer of an Enterprise Server without rate limits.
          isUnlimited: status === 404 && /rate limit/i.test(JSON.stringify(response ?? '')),
          left: core && { ...core, resetAt: new Date(core.reset * 1000) },
          tokenEndsAt: dateOf(headers.get('github-authentication-token-expiration')),
        });
      },
    },
    connect,
  );
}

function dateOf(text: string | null): Date | null {
  const date = new Date(text?.replace(' UTC', 'Z').replace(' ', 'T') ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
}

const day = 24 * 60 * 60 * 1000;

export function judgeGitHub(
  { web, hasToken, now }: { web: string; hasToken: boolean; now: Date },
  { status, isUnlimited, left, tokenEndsAt }: GitHubResponse,
): Finding[] {
  if (status === 401)
    return [failure(`${web} rejects GITHUB_TOKEN.`, 'Create another one. It needs no permissions.')];
  if (isUnlimited) return [ok(`${web} is reachable and has no rate limit.`)];
  if (!left)
    return [
      failure(
        `${web} answered HTTP ${status}, which does not look like GitHub.`,
        'Check GITHUB_URL, and any proxy in between.',
      ),
    ];
  const amount = `${left.remaining} of ${left.limit} calls left until ${left.resetAt.toISOString()}`;
  return [
    judgeLimit(web, hasToken, left, amount),
    ...(tokenEndsAt && tokenEndsAt.getTime() - now.getTime() < 14 * day
      ? [warning(`GITHUB_TOKEN expires at ${tokenEndsAt.toISOString()}.`, 'Create a new one before then.')]
      : []),
  ];
}

function judgeLimit(
  web: string,
  hasToken: boolean,
  { limit, remaining }: { limit: number; remaining: number },
  amount: string,
): Finding {
  if (!hasToken)
    return warning(
      `${web} is reachable. GITHUB_TOKEN is not set: ${amount}.`,
      'Set GITHUB_TOKEN. It needs no permissions.',
    );
  if (remaining * 10 < limit)
    return warning(
      `${web} is reachable, but the rate limit is nearly used up: ${amount}.`,
      'Wait, or use a different token for other programs.',
    );
  return ok(`${web} is reachable and accepts GITHUB_TOKEN: ${amount}.`);
}
