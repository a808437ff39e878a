import { Failure } from '../../domain/errors.ts';
import { completeIdentity, type Identity } from '../../domain/identity.ts';
import {
  type CodeHost,
  type HostApp,
  type HostRepository,
  linesUrl,
  MovedMeanwhile,
  UnknownRef,
  UnrelatedRefs,
} from '../code-host.ts';
import { checkTokens, rememberAnswers } from '../http/check-tokens.ts';
import { callAs, type HostCaller, unlessClosed } from '../http/host-api.ts';
import { lastMerged, mergedSince } from '../http/list-merged.ts';
import { createSignInCheck, type HostWays } from '../http/open-ways.ts';
import { type GitHubAddresses, GitHubClient } from './github-api.ts';
import { createGitHubWebhooks } from './github-webhooks.ts';
import { listChanged, listGitHubPullRequests } from './list-github-pull-requests.ts';
import {
  AccountPayload,
  ifVisibleTo,
  isUnchanged,
  PullRequestPayload,
  RepositoryPayload,
  readRepository,
  repositoryOf,
} from './payloads.ts';
import { glanceOf, pullRequestPath, readGitHubPullRequest, versionOf } from './read-github-pull-request.ts';
import { createGitHubRanges, listGitHubTags } from './read-github-range.ts';
import { isAppToken, isGitHubToken } from './token-shapes.ts';

interface GitHubHostOptions {
  addresses: GitHubAddresses;
  /** What GitHub signs deliveries with, any of them; none where it sends nothing here. */
  webhookSecrets: string[];
  /** The service's own token, for what is public; null to ask without one. */
  token: string | null;
  /** What this service is on GitHub; null where it is nothing there. */
  app: HostApp | null;
  ways: HostWays;
  clock: () => Date;
}

const notOurs =
  'This token was not made for this service, or is revoked: `gh auth token`, for one, prints that of another app. ' +
  'Make a personal access token, or sign in at /sign-in.';

/** GitHub as a code host, with the rights of the viewer. */
export function createGitHubHost(options: GitHubHostOptions): CodeHost {
  const { addresses, webhookSecrets, token: serviceToken, app, ways, clock } = options;
  const { fetch, fetchByGit, close } = ways;
  const { web } = addresses;
  const client = new GitHubClient({ addresses, fetch, clock });
  const { remember: rememberAccount } = rememberAnswers<Identity | null>(clock);
  const { identify, forgetTokens } = checkTokens({
    name: client.api.name,
    app,
    isAppToken,
    notOurs,
    async whose(token, signal) {
      const account = await client.get('/user', AccountPayload, { isService: false, token, signal });
      return account && identityOf(account, addresses);
    },
    clock,
  });
  const ranges = createGitHubRanges({ client, web, clock });
  const applyPrivateMode = createSignInCheck({
    isOpen: !addresses.isOwn || serviceToken !== null,
    shows: async ({ hostRepoId }, nobody) =>
      (await client.get(`/repositories/${hostRepoId}`, RepositoryPayload, nobody)) !== null,
    clock,
  });

  const as = callAs(serviceToken);

  const findAt = async (path: string, caller: HostCaller): Promise<HostRepository | null> => {
    const found = await readRepository(client, path, caller);
    return found && applyPrivateMode(found, caller);
  };

  const isShown = async ({ hostRepoId }: HostRepository, caller: HostCaller): Promise<boolean> =>
    (await findAt(`/repositories/${hostRepoId}`, caller)) !== null;

  return {
    id: 'github',
    webUrl: addresses.web,
    avatarOrigins: addresses.avatars,
    signIn: 'githubToken',
    whatCounts: null,
    isLocal: false,
    sparePerHour: () => client.sparePerHour(serviceToken),
    limitLeft: () => client.limitLeft(serviceToken),
    recognizes: isGitHubToken,
    ...(webhookSecrets.length > 0 && { webhooks: createGitHubWebhooks(webhookSecrets) }),
    identify,
    forgetTokens,
    app,
    findAccount: (hostUserId, signal) =>
      rememberAccount(String(hostUserId), async () => {
        const asker = { isService: true, token: serviceToken, signal };
        const account = await client.get(`/user/${hostUserId}`, AccountPayload, asker);
        return account && identityOf(account, addresses);
      }),
    // An owner of several names, as other hosts have them, is none here.
    findRepository: async (owner, name, caller) =>
      owner.includes('/') ? null : unlessClosed(findAt(`/repos/${owner}/${name}`, as(caller))),
    findRepositoryById: ({ hostRepoId }, caller) => findAt(`/repositories/${hostRepoId}`, as(caller)),
    async findPullRequest(owner, name, number, caller) {
      if (owner.includes('/')) return null;
      const asker = as(caller);
      const path = pullRequestPath(owner, name, number);
      const find = () => unlessClosed(client.get(path, PullRequestPayload, asker));
      const pull = await find();
      const shown = pull && ifVisibleTo(asker, repositoryOf(pull.base.repo));
      if (!shown) {
        // Also for what is there and not shown, which might as well not exist: it is to take as long.
        const alone = await unlessClosed(findAt(`/repos/${owner}/${name}`, asker));
        return alone && { repository: alone, pullRequest: null };
      }
      let known: PullRequestPayload | null = pull;
      const read = async () => {
        // A second read is made because it has changed.
        const found = known ?? (await find());
        known = null;
        const now = found && ifVisibleTo(asker, repositoryOf(found.base.repo));
        if (!found || !now)
          throw new Failure('PULL_REQUEST_NOT_FOUND', 'This pull request is gone. Check the repository.');
        if (!isUnchanged(shown, now))
          throw new Failure('UNAVAILABLE', 'This repository has changed while it was being read. Try again.');
        return readGitHubPullRequest({ client, fetchByGit, web }, found, asker);
      };
      const repository = await applyPrivateMode(shown, asker);
      return {
        repository,
        pullRequest: { version: versionOf(pull), glance: async () => glanceOf(pull, web), read },
      };
    },
    linesUrl,
    suggestPullRequest: async () => null,
    listPullRequests: async (repository, page, caller) => ({
      items: await listGitHubPullRequests({ client, web }, repository, page, as(caller)),
      total: null,
    }),
    async mergedSince(repository, cursor, caller) {
      const asker = as(caller);
      const told = await mergedSince(listChanged(client, repository, asker), cursor);
      if (!told?.repository) return told;
      return { ...told, repository: await applyPrivateMode(told.repository, asker) };
    },
    lastMerged: (repository, wanted, caller) =>
      lastMerged(listChanged(client, repository, as(caller)), wanted),
    async readRange(repository, wanted, caller) {
      const asker = as(caller);
      try {
        const range = await ranges.read(repository, wanted, asker);
        // Commits do not say of which repository they are, which may no longer be shown.
        return (await isShown(repository, asker)) ? range : null;
      } catch (error) {
        const mayBeHidden = [UnknownRef, UnrelatedRefs, MovedMeanwhile].some((kind) => error instanceof kind);
        if (mayBeHidden && !(await isShown(repository, asker))) return null;
        throw error;
      }
    },
    async listTags(repository, atMost, caller) {
      const asker = as(caller);
      const tags = await listGitHubTags(client, repository, atMost, asker);
      return (await isShown(repository, asker)) ? tags : [];
    },
    close,
  };
}

export function identityOf(account: AccountPayload, { domain }: GitHubAddresses): Identity {
  return completeIdentity({
    host: 'github',
    hostUserId: account.id,
    hostUsername: account.login,
    hostDisplayName: account.name ?? null,
    email: account.email ?? null,
    avatarUrl: account.avatar_url ?? null,
    noReplyDomain: domain,
  });
}
