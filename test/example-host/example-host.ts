import type { CodeHost, HostPullRequest, HostRepository } from '../../src/code-hosts/code-host.ts';
import type { FetchByGit } from '../../src/code-hosts/fetched/fetch-by-git.ts';
import type { NetworkHostDeps } from '../../src/code-hosts/host-definition.ts';
import type { HostApi, HostCaller } from '../../src/code-hosts/http/host-api.ts';
import { HostClient } from '../../src/code-hosts/http/host-client.ts';
import {
  createNetworkHost,
  ifVisibleTo,
  openTransports,
  type TransportSettings,
} from '../../src/code-hosts/http/network-host.ts';
import { limitHeaders } from '../../src/code-hosts/http/rate-limits.ts';
import { timeOf } from '../../src/code-hosts/payload-types.ts';
import { completeIdentity, type Identity } from '../../src/domain/accounts.ts';
import { Account, Change, Repository } from './payloads.ts';
import { isExampleToken } from './token-shapes.ts';

export interface ExampleSettings extends TransportSettings {
  exampleUrl: URL;
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

export async function openExampleHost(settings: ExampleSettings, deps: NetworkHostDeps): Promise<CodeHost> {
  const web = settings.exampleUrl.href.replace(/\/$/, '');
  const api = apiOf(web);
  const { clock } = deps;
  const destination = {
    id: api.id,
    name: api.name,
    web,
    api: api.address,
    mayBePrivate: true,
    gitUser: 'any',
  };
  const { fetch, fetchByGit, trees, close } = await openTransports(destination, settings, deps);
  const client = new HostClient({ api, fetch, clock });
  const find = async (path: string, caller: HostCaller): Promise<HostRepository | null> => {
    const found = await client.get(`/repositories/${path}`, Repository, caller);
    if (!found) return null;
    const { id: hostRepoId, ...repository } = found;
    return ifVisibleTo(caller, { hostRepoId, ...repository });
  };
  const readAccount = async (path: string, caller: HostCaller): Promise<Identity | null> => {
    const account = await client.get(path, Account, caller);
    if (!account) return null;
    const { id: hostUserId, login: hostUsername } = account;
    return completeIdentity({ host: 'example', hostUserId, hostUsername, noReplyDomain: 'example.org' });
  };
  return createNetworkHost<Change, never>({
    id: 'example',
    signIn: 'localToken',
    recognizes: isExampleToken,
    webUrl: web,
    avatarOrigins: [],
    linesUrl: () => null,
    client,
    trees,
    serviceToken: null,
    clock,
    close,
    app: null,
    webhooks: null,
    tokens: {
      isAppToken: () => false,
      notOurs: '',
      whose: (token, signal) => readAccount('/user', { isService: false, token, signal }),
    },
    readAccount: (hostUserId, caller) => readAccount(`/users/${hostUserId}`, caller),
    readRepository: ({ owner, name }, caller) => find(`${owner}/${name}`, caller),
    readRepositoryById: ({ hostRepoId }, caller) => find(String(hostRepoId), caller),
    async findPullRequest({ owner, name, number }, caller) {
      const repository = await find(`${owner}/${name}`, caller);
      const path = `/repositories/${repository?.hostRepoId}/changes/${number}`;
      return [repository, repository && (await client.get(path, Change, caller))];
    },
    versionOf: ({ head, updatedAt }) => `${head} ${updatedAt}`,
    glanceAt: async (_, change) => ({ ...summaryOf(change), changedFiles: 0, lines: null }),
    readPullRequest: async (repository, change, caller) => read(fetchByGit, repository, change, caller),
    async listPullRequests({ hostRepoId }, { limit, offset }, caller) {
      const path = `/repositories/${hostRepoId}/changes?limit=${limit}&page=${offset / limit + 1}`;
      const { items } = await client.page(path, Change, caller);
      return { items: items.map(summaryOf), total: null };
    },
    listChanged: () => ({
      sizes: { usual: 50, large: 50, small: 10 },
      readPage: async () => ({ items: [], isLast: true, tag: null }),
      changedAt: () => '',
      numberOf: () => 0,
      mergedOf: () => null,
    }),
    tagsPath: () => '/tags',
    ranges: {
      find: async () => ({ fromSha: '', toSha: '', total: 0, behind: 0 }),
      read: async (_, found) => ({ ...found, committedAt: null, read: 0, isShallow: false, changes: [] }),
    },
  });
}

function read(
  fetchByGit: FetchByGit,
  repository: HostRepository,
  change: Change,
  caller: HostCaller,
): HostPullRequest {
  const { mergeBase: base, head, number, updatedAt } = change;
  const refs = [`refs/pull/${number}/head`, 'refs/heads/main'];
  const fetched = fetchByGit({ ...repository, base, head, refs }, caller);
  return {
    ...summaryOf(change),
    version: `${head} ${updatedAt}`,
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
}
