import type { Caller, CodeHost, HostPullRequest, HostRepository } from '../../src/code-hosts/code-host.ts';
import type { NetworkHostDeps } from '../../src/code-hosts/host-definition.ts';
import { checkTokens } from '../../src/code-hosts/http/check-tokens.ts';
import type { HostApi, HostCaller } from '../../src/code-hosts/http/host-api.ts';
import { HostClient } from '../../src/code-hosts/http/host-client.ts';
import { openTransports } from '../../src/code-hosts/http/network-host.ts';
import { limitHeaders } from '../../src/code-hosts/http/rate-limits.ts';
import { timeOf } from '../../src/code-hosts/payload-types.ts';
import { completeIdentity } from '../../src/domain/identity.ts';
import { Account, Change, Repository } from './payloads.ts';
import { isExampleToken } from './token-shapes.ts';

export interface ExampleSettings {
  exampleUrl: URL;
  dataFolder: string;
  maxDiffBytes: number;
}

const apiOf = (web: string): HostApi => ({
  id: 'example',
  name: 'Example',
  tokenSetting: 'EXAMPLE_TOKEN',
  permissions: 'read repositories',
  address: `${web}/api`,
  headers: (token) => (token === null ? {} : { authorization: `Bearer ${token}` }),
  pages: { sizes: [50, 10, 1], query: (size, page) => `limit=${size}&page=${page}` },
  limits: { read: limitHeaders('ratelimit-'), periodsPerHour: 60 },
  usualLimit: () => 600,
});

const as = ({ token, replaceToken, signal }: Caller): HostCaller => ({
  isService: token === null,
  token,
  signal,
  ...(replaceToken && { replaceToken }),
});

const repositoryOf = ({ id, ...named }: Repository): HostRepository => ({ hostRepoId: id, ...named });

const summaryOf = (change: Change) => ({
  number: change.number,
  title: change.title,
  authorLogin: change.author,
  url: null,
  state: 'open' as const,
  createdAt: timeOf(change.createdAt),
  mergedAt: null,
  updatedAt: timeOf(change.updatedAt),
});

export async function openExampleHost(
  { exampleUrl, dataFolder, maxDiffBytes }: ExampleSettings,
  deps: NetworkHostDeps,
): Promise<CodeHost> {
  const web = exampleUrl.href.replace(/\/$/, '');
  const api = apiOf(web);
  const to = { id: api.id, name: api.name, web, api: api.address, mayBePrivate: true, gitUser: 'example' };
  const transports = await openTransports(to, { dataFolder, maxDiffBytes }, deps);
  const client = new HostClient({ api, fetch: transports.fetch, clock: deps.clock });

  const identityOf = ({ id: hostUserId, login: hostUsername }: Account) =>
    completeIdentity({ host: 'example', hostUserId, hostUsername, noReplyDomain: exampleUrl.hostname });
  const find = async (path: string, caller: Caller): Promise<HostRepository | null> => {
    const found = await client.get(`/repositories/${path}`, Repository, as(caller));
    return found && repositoryOf(found);
  };
  const read = (repository: HostRepository, change: Change, caller: Caller): HostPullRequest => {
    const { mergeBase: base, head, number } = change;
    const refs = [`refs/pull/${number}/head`, 'refs/heads/main'];
    const fetched = transports.fetchByGit({ ...repository, base, head, refs }, as(caller));
    return {
      ...summaryOf(change),
      version: null,
      body: null,
      labels: [],
      baseRef: 'main',
      headRef: 'topic',
      baseSha: base,
      headSha: head,
      commits: [],
      comments: [],
      linkedIssues: [],
      ...fetched,
      diff: (reader) => fetched.diff(async () => {}, reader),
    };
  };

  return {
    id: 'example',
    webUrl: web,
    avatarOrigins: [],
    signIn: 'localToken',
    pullRequestHint: null,
    isLocal: false,
    backgroundQuota: () => client.backgroundQuota(null),
    limitLeft: () => client.limitLeft(null),
    recognizes: isExampleToken,
    ...checkTokens({
      name: api.name,
      app: null,
      isAppToken: () => false,
      notOurs: '',
      async whose(token, signal) {
        const account = await client.get('/user', Account, { isService: false, token, signal });
        return account && identityOf(account);
      },
      clock: deps.clock,
    }),
    app: null,
    findAccount: async () => null,
    findRepository: (owner, name, caller) => find(`${owner}/${name}`, caller),
    findRepositoryById: ({ hostRepoId }, caller) => find(String(hostRepoId), caller),
    async findPullRequest(owner, name, number, caller) {
      const repository = await find(`${owner}/${name}`, caller);
      if (!repository) return null;
      const path = `/repositories/${repository.hostRepoId}/changes/${number}`;
      const change = await client.get(path, Change, as(caller));
      if (!change) return { repository, pullRequest: null };
      const glance = async () => ({ ...summaryOf(change), changedFiles: 0, lines: null });
      const pullRequest = { version: null, glance, read: async () => read(repository, change, caller) };
      return { repository, pullRequest };
    },
    linesUrl: () => null,
    suggestPullRequest: async () => null,
    async listPullRequests({ hostRepoId }, { limit, offset }, caller) {
      const path = `/repositories/${hostRepoId}/changes?limit=${limit}&page=${offset / limit + 1}`;
      const { items } = await client.page(path, Change, as(caller));
      return { items: items.map(summaryOf), total: null };
    },
    mergedSince: async (repository) => ({ repository, merged: [], cursor: '' }),
    lastMerged: async () => [],
    readRange: async () => null,
    listTags: async () => [],
    close: transports.close,
  };
}
