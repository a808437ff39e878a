import { join } from 'node:path';
import type { Identity } from '../../domain/accounts.ts';
import { Failure } from '../../domain/errors.ts';
import { comparisonUrl } from '../../domain/pull-requests.ts';
import { linkedIssues } from '../../reading/description/linked-issues.ts';
import { cacheResponses } from '../bounded-map.ts';
import {
  type CodeHost,
  type HostPullRequest,
  type HostPullRequestList,
  type HostRepository,
  type HostWebhooks,
  MovedMeanwhile,
  type PullRequestGlance,
  type PullRequestName,
  type PullRequestPage,
  UnknownRef,
  UnrelatedRefs,
} from '../code-host.ts';
import { createFetchByGit, TemporaryFolders } from '../fetched/fetch-by-git.ts';
import type { NetworkGit } from '../fetched/run-network-git.ts';
import { TreeCopies } from '../fetched/tree-copies.ts';
import { GitSpawner } from '../git-runner/git-spawner.ts';
import type { NetworkHostDeps } from '../host-definition.ts';
import { anonymous, callAs, type HostCaller, partHidden, unlessClosed } from './host-api.ts';
import type { HostClient } from './host-client.ts';
import { checkTokens, type TokenRules } from './host-client.ts';
import { type ChangedList, lastMerged, mergedSince } from './lists.ts';
import { TagPayload } from './pull-payloads.ts';
import { cacheRanges, type RangeSource } from './ranges.ts';

interface NetworkHostFunctions<Found, Changed>
  extends Pick<CodeHost, 'id' | 'signIn' | 'avatarOrigins' | 'recognizes' | 'app' | 'linesUrl' | 'close'>,
    NetworkLists<Changed> {
  webUrl: string;
  ownersNest?: boolean;
  client: HostClient;
  trees: TreeCopies;
  serviceToken: string | null;
  clock: () => Date;
  webhooks: HostWebhooks | null;
  tokens: TokenRules;
  /** Calls that only a token with the required scopes may make; absent if the host has none of these. */
  callsForRights?: readonly string[];
  readAccount: (hostUserId: number, caller: HostCaller) => Promise<Identity | null>;
  readRepository: (
    named: Pick<HostRepository, 'owner' | 'name'>,
    caller: HostCaller,
  ) => Promise<HostRepository | null>;
  readRepositoryById: (
    known: Omit<HostRepository, 'isPrivate'>,
    caller: HostCaller,
  ) => Promise<HostRepository | null>;
  /** The repository, and the pull request in it; each null if it does not exist or is hidden from the caller. */
  findPullRequest: (
    named: PullRequestName,
    caller: HostCaller,
  ) => Promise<[HostRepository | null, Found | null]>;
  versionOf: (found: Found, caller: HostCaller) => string;
  glanceAt: (repository: HostRepository, found: Found, caller: HostCaller) => Promise<PullRequestGlance>;
  readPullRequest: (repository: HostRepository, found: Found, caller: HostCaller) => Promise<HostPullRequest>;
  /** Whether visibility is determined by anonymous calls (`createVisibility`), ignoring what the host says of it. */
  asksAnonymously?: boolean;
  /** Restricts a repository found in a list to what the caller may see; absent if lists name no repository. */
  asShownTo?: AsShownTo;
  /** Whether ranges and tags are read by the name of the repository, which another one may take over. */
  readsByName?: boolean;
}

/** Functions that list the pull requests, tags and commits of a repository on a host. */
export interface NetworkLists<Changed> {
  listPullRequests: (
    repository: HostRepository,
    page: PullRequestPage,
    caller: HostCaller,
  ) => Promise<HostPullRequestList>;
  listChanged: (repository: HostRepository, caller: HostCaller) => ChangedList<Changed>;
  tagsPath: (repository: HostRepository, atMost: number) => string;
  /** The path between the address of a repository and its pages, if there is one. */
  pagesBelow?: string;
  ranges: RangeSource;
}

const mostNames = 3;

const mayMeanHidden = (error: unknown): boolean =>
  [UnknownRef, UnrelatedRefs, MovedMeanwhile].some((kind) => error instanceof kind);

export function createNetworkHost<Found, Changed>(host: NetworkHostFunctions<Found, Changed>): CodeHost {
  const { id, webUrl, avatarOrigins, signIn, ownersNest, recognizes, app, linesUrl, close } = host;
  const {
    client,
    serviceToken,
    webhooks,
    clock,
    tokens,
    callsForRights = [],
    asksAnonymously = false,
  } = host;
  const as = callAs(serviceToken);
  const mayOwn = (owner: string): boolean => ownersNest === true || !owner.includes('/');
  const cacheAccount = cacheResponses<Identity | null>(clock).cached;
  return {
    id,
    webUrl,
    avatarOrigins,
    signIn,
    pullRequestHint: null,
    isLocal: false,
    ...(ownersNest && { ownersNest }),
    backgroundQuota: () =>
      Math.min(
        ...[serviceToken, ...(asksAnonymously ? [null] : [])].map((one) => client.backgroundQuota(one)),
      ),
    limitLeft: () => client.limitLeft(serviceToken),
    recognizes,
    ...(webhooks && { webhooks }),
    ...checkTokens({ ...tokens, name: client.api.name, app, clock }),
    async requireRights(token, signal) {
      for (const path of callsForRights)
        await client.requireAllowed(path, { isService: false, token, signal });
    },
    app,
    findAccount: (hostUserId, signal) =>
      cacheAccount(String(hostUserId), () =>
        host.readAccount(hostUserId, { isService: true, token: serviceToken, signal }),
      ),
    findRepository: async (owner, name, caller) =>
      mayOwn(owner) ? unlessClosed(host.readRepository({ owner, name }, as(caller))) : null,
    findRepositoryById: (known, caller) => host.readRepositoryById(known, as(caller)),
    findPullRequest: async (owner, name, number, caller) =>
      mayOwn(owner) ? findOnHost(host, { owner, name, number }, as(caller)) : null,
    openTree: (repository, range, caller) => openTree(host, repository, range, as(caller)),
    linesUrl,
    suggestPullRequest: async () => null,
    listPullRequests: (repository, page, caller) => listFromHost(host, repository, page, as(caller)),
    ...readMergedOnHost(host, as),
    ...readHistory(host, as),
    close,
  };
}

type As = ReturnType<typeof callAs>;

async function findOnHost<Found, Changed>(
  host: NetworkHostFunctions<Found, Changed>,
  named: PullRequestName,
  caller: HostCaller,
): ReturnType<CodeHost['findPullRequest']> {
  const [repository, found] = await host.findPullRequest(named, caller);
  if (!repository || !found) return repository && { repository, pullRequest: null };
  let known: Found | null = found;
  const read = async () => {
    // The first read uses the pull request that was just found; a second one follows only if it has changed.
    const [now, current] = known ? [repository, known] : await host.findPullRequest(named, caller);
    known = null;
    if (!now || !current)
      throw new Failure(
        'PULL_REQUEST_NOT_FOUND',
        'This pull request no longer exists. Check the repository.',
      );
    if (!isSameRepository(repository, now))
      throw new Failure('UNAVAILABLE', 'The repository changed while it was being read. Try again.');
    return host.readPullRequest(repository, current, caller);
  };
  const glance = () => host.glanceAt(repository, found, caller);
  return { repository, pullRequest: { version: host.versionOf(found, caller), glance, read } };
}

async function openTree<Found, Changed>(
  { trees, readRepositoryById }: NetworkHostFunctions<Found, Changed>,
  repository: HostRepository,
  range: { base: string; head: string },
  caller: HostCaller,
): ReturnType<NonNullable<CodeHost['openTree']>> {
  const { isPrivate } = repository;
  const kept = isPrivate ? null : await trees.find({ ...repository, ...range }, caller.signal);
  if (kept) return kept;
  const isShown = async () =>
    isSameRepository(repository, await unlessClosed(readRepositoryById(repository, caller)));
  if (!(await isShown())) return null;
  const lastCheck = async () => {
    if (!(await isShown())) throw new MovedMeanwhile();
  };
  return trees.fetch({ ...repository, ...range }, caller, { isPrivate, lastCheck });
}

async function listFromHost<Found, Changed>(
  host: NetworkHostFunctions<Found, Changed>,
  repository: HostRepository,
  page: PullRequestPage,
  caller: HostCaller,
): Promise<HostPullRequestList> {
  const listed = await host.listPullRequests(repository, page, caller);
  // The service's own token still lists pull requests that were closed to everyone else meanwhile.
  const mayBeHidden = host.asksAnonymously && caller.isService && caller.token !== null;
  const isShown = !mayBeHidden || (await host.readRepositoryById(repository, caller)) !== null;
  return isShown ? listed : { items: [], total: null };
}

/** Lists of merged pull requests. If they do not name their repository, it must still be visible afterwards. */
const readMergedOnHost = <Found, Changed>(
  { listChanged, readRepositoryById, asShownTo }: NetworkHostFunctions<Found, Changed>,
  as: As,
): Pick<CodeHost, 'mergedSince' | 'lastMerged'> => ({
  async mergedSince(known, cursor, caller) {
    const hostCaller = as(caller);
    const list = listChanged(known, hostCaller);
    const since = await mergedSince(list, cursor);
    if (since?.repository && asShownTo) {
      const repository = await asShownTo(since.repository, hostCaller);
      return repository && { ...since, repository };
    }
    if (!since || list.repositoryOf || since.cursor === cursor) return since;
    const repository = await readRepositoryById(known, hostCaller);
    return repository && { ...since, repository };
  },
  async lastMerged(known, wanted, caller) {
    const hostCaller = as(caller);
    const list = listChanged(known, hostCaller);
    const last = await lastMerged(list, wanted);
    if (!last || list.repositoryOf) return last;
    return (await readRepositoryById(known, hostCaller)) ? last : null;
  },
});

/**
 * Commits and tags do not name their repository, so it must still be visible afterwards under the name they were read
 * by.
 */
function readHistory<Found, Changed>(
  {
    client,
    webUrl,
    readRepositoryById,
    readsByName,
    ranges,
    clock,
    tagsPath,
    pagesBelow = '',
  }: NetworkHostFunctions<Found, Changed>,
  as: As,
): Pick<CodeHost, 'readRange' | 'listTags'> {
  const listTags = async (repository: HostRepository, atMost: number, caller: HostCaller) => {
    const { items } = await client.page(tagsPath(repository, atMost), TagPayload, caller);
    return items.slice(0, atMost).map(({ name, commit }) => {
      const at = Date.parse(commit?.committed_date ?? commit?.created ?? '');
      return { name, committedAt: Number.isNaN(at) ? null : new Date(at) };
    });
  };
  const readRange = cacheRanges(ranges, listTags, clock);
  const ifStillShown = async <Read>(
    known: HostRepository,
    caller: HostCaller,
    read: (repository: HostRepository) => Promise<Read>,
  ): Promise<Read | null> => {
    for (let [named, tries] = [known, 0]; tries < mostNames; tries += 1) {
      const outcome = await read(named).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      if ('error' in outcome && !mayMeanHidden(outcome.error)) throw outcome.error;
      const now = await readRepositoryById(named, caller);
      if (!now) return null;
      if (!readsByName || (now.owner === named.owner && now.name === named.name)) {
        if ('error' in outcome) throw outcome.error;
        return outcome.value;
      }
      named = now;
    }
    throw new MovedMeanwhile();
  };
  return {
    readRange: (repository, wanted, caller) => {
      const hostCaller = as(caller);
      return ifStillShown(repository, hostCaller, async (named) => {
        const range = await readRange(named, wanted, hostCaller);
        const repositoryUrl = `${webUrl}/${named.owner}/${named.name}${pagesBelow}`;
        return { ...range, headings: new Map(), compareUrl: comparisonUrl(repositoryUrl, wanted) };
      });
    },
    async listTags(repository, atMost, caller) {
      const hostCaller = as(caller);
      return (
        (await ifStillShown(repository, hostCaller, (named) => listTags(named, atMost, hostCaller))) ?? []
      );
    },
  };
}

const isSameRepository = (before: HostRepository, now: HostRepository | null): boolean =>
  now?.hostRepoId === before.hostRepoId && now.isPrivate === before.isPrivate;

/**
 * Checks that the diff belongs to the current commits, and that the repository is as visible as before. `commits` are
 * all names and ids that determine the diff.
 */
export function requireSameDiff<Found>(
  diffOf: (found: Found) => { repository: HostRepository; commits: (string | null | undefined)[] },
  before: Found,
  now: Found | null,
): void {
  const [expected, found] = [diffOf(before), now && diffOf(now)];
  const isSame =
    found &&
    isSameRepository(expected.repository, found.repository) &&
    expected.commits.every((one, place) => one === found.commits[place]);
  if (!isSame) throw new MovedMeanwhile();
}

/**
 * Finds a pull request and its repository in one call, on hosts whose pull request response contains the repository.
 */
export function findWithRepository<Found>({
  find,
  repositoryOf,
  describeAt,
  pathOf,
  asShownTo,
  ifShownTo,
}: {
  find: (named: PullRequestName, caller: HostCaller) => Promise<Found | null>;
  repositoryOf: (found: Found) => HostRepository;
  describeAt: (path: string, caller: HostCaller) => Promise<HostRepository | null>;
  pathOf: (named: Pick<HostRepository, 'owner' | 'name'>) => string;
} & Visibility) {
  const readAt = async (path: string, caller: HostCaller): Promise<HostRepository | null> => {
    const described = await describeAt(path, caller);
    return described && ifShownTo(described, caller);
  };
  const readRepository: NetworkHostFunctions<Found, never>['readRepository'] = (named, caller) =>
    readAt(pathOf(named), caller);
  const findPullRequest: NetworkHostFunctions<Found, never>['findPullRequest'] = async (named, caller) => {
    const found = await unlessClosed(find(named, caller));
    const shown = found && (await asShownTo(repositoryOf(found), caller));
    if (shown) return [shown, found];
    // Also called for a pull request that exists but may not be shown, so that both take equally long.
    return [await unlessClosed(readRepository(named, caller)), null];
  };
  return { readAt, readRepository, findPullRequest };
}

/** The service's own token may see more than it may show, so private repositories count as absent for it. */
export const ifVisibleTo = ({ isService }: HostCaller, repository: HostRepository): HostRepository | null =>
  isService && repository.isPrivate ? null : repository;

export type AsShownTo = (described: HostRepository, caller: HostCaller) => Promise<HostRepository | null>;

interface Visibility {
  /** A repository as it may be shown to a caller who sees its pull requests; null if not at all. */
  asShownTo: AsShownTo;
  /** A repository as it may be shown to a caller who sees it but not its pull requests; null if not at all. */
  ifShownTo: AsShownTo;
}

/**
 * Public is only what the host shows to anonymous callers, whatever it says of visibility: it may hide the code or pull
 * requests of a public repository, or require sign-in. If the host does not respond, this throws, and the stored
 * visibility stays.
 */
export function createVisibility(
  showsPullRequests: (repository: HostRepository, caller: HostCaller) => Promise<boolean>,
): Visibility {
  const asShownTo: AsShownTo = async (described, caller) => {
    const isPublic =
      !described.isPrivate && (await unlessClosed(showsPullRequests(described, anonymous(caller)))) === true;
    return ifVisibleTo(caller, { ...described, isPrivate: !isPublic });
  };
  return {
    asShownTo,
    async ifShownTo(described, caller) {
      const shown = await asShownTo(described, caller);
      return !shown?.isPrivate || (await showsPullRequests(shown, caller)) ? shown : null;
    },
  };
}

export async function readAround<Read>(
  {
    client,
    caller,
    requireSame,
  }: { client: HostClient; caller: HostCaller; requireSame: () => Promise<void> },
  read: (caller: HostCaller) => Promise<Read>,
): Promise<Read> {
  const failed = new AbortController();
  try {
    return await read({ ...caller, signal: AbortSignal.any([caller.signal, failed.signal]) });
  } catch (error) {
    failed.abort();
    if (!(error instanceof MovedMeanwhile)) throw error;
    // If the pull request has not changed, the missing part will not appear on a retry either.
    await requireSame();
    throw partHidden(client.api, caller.isService);
  }
}

/** The issues that texts say they close, for hosts that do not list them. */
export function issuesInTexts(
  { owner, name }: HostRepository,
  { title, body }: { title: string; body?: string | null },
  commits: HostPullRequest['commits'],
): HostPullRequest['linkedIssues'] {
  const commitMessages = commits.map(({ message }) => message);
  const numbers = linkedIssues({ repository: `${owner}/${name}`, title, body: body ?? null, commitMessages });
  return numbers.map((number) => ({ number, title: '', body: null }));
}

/** Hosts print diffs of some ten thousand lines at most, and a page of a list has a hundred texts. */
const mostBytes = 24 * 1024 * 1024;

const patienceMs = 10_000;

/** Codes and refresh tokens work once, so an aborted response is lost. The caller decides how long to wait. */
const appPatienceMs = 30_000;

/** A fetch brings whole files of both sides, compressed, while a diff shows little of most of them. */
const fetchedPerDiff = 8;

const mostRedirects = 3;

interface Destination extends Pick<NetworkGit, 'id' | 'name' | 'gitUser'> {
  /** The address of pages and of repositories for git, which may be below a folder. */
  web: string;
  api: string;
  mayBePrivate: boolean;
}

export interface TransportSettings {
  dataFolder: string;
  maxDiffBytes: number;
  gitCloneBytes: number;
}

export async function openTransports(
  { api, mayBePrivate, ...destination }: Destination,
  { dataFolder, maxDiffBytes, gitCloneBytes }: TransportSettings,
  { searchPath, clock, connect, networkForGit, takeLock }: NetworkHostDeps,
) {
  const { origin, pathname: folder } = new URL(destination.web);
  const origins = [...new Set([origin, new URL(api).origin])];
  const rules = { origins, folder, mayBePrivate, mostBytes, mostRedirects };
  const http = connect({ ...rules, patienceMs });
  const httpAsApp = connect({ ...rules, patienceMs: appPatienceMs });
  const folders = new TemporaryFolders(join(dataFolder, 'fetched'), takeLock);
  await folders.removeLeft();
  const spawner = new GitSpawner();
  const network = () => networkForGit({ origin, mayBePrivate });
  const fetching = { ...destination, searchPath, folders, clock, spawner, network };
  return {
    fetch: http.fetch,
    fetchAsApp: httpAsApp.fetch,
    fetchByGit: createFetchByGit({ ...fetching, mostBytes: fetchedPerDiff * maxDiffBytes }),
    trees: new TreeCopies({ ...fetching, mostBytes: gitCloneBytes, kept: join(dataFolder, 'trees') }),
    close: async () => {
      await Promise.all([http.close(), httpAsApp.close(), spawner.close()]);
      await folders.close();
    },
  };
}
