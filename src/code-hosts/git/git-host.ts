import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { completeIdentity, type Identity, isOperator } from '../../domain/accounts.ts';
import { coalesceReads } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import { pullRequestUrl } from '../../domain/pull-requests.ts';
import { suggestRefs } from '../../domain/releases.ts';
import { type CloneProblem, clonesHost, isFromClone } from '../../domain/repositories.ts';
import type { Discussion } from '../../domain/reviews.ts';
import type { SecretKeys } from '../../domain/secrets.ts';
import { cacheResponses } from '../bounded-map.ts';
import {
  type AddingRepositories,
  type Caller,
  type CodeHost,
  githubLinesUrl,
  type HostCredential,
  type HostRepository,
  type PullRequestName,
  type PullRequestPage,
  UnknownRef,
} from '../code-host.ts';
import { GitSpawner } from '../git-runner/git-spawner.ts';
import { readTree } from '../git-runner/read-tree.ts';
import type { Clone, GitPaths, GitRunner } from '../git-runner/run-git.ts';
import {
  type AddedClone,
  findClonesIn,
  inspectClone,
  locateAdded,
  mirrorFolder,
  rootOf,
} from './added-clones.ts';
import { findClone, listClones, localId, type PrivateRepository, readPrivacy } from './find-clone.ts';
import { isLocalToken, readLocalToken } from './local-token.ts';
import {
  type MirrorOptions,
  makeMirror,
  readMirrorAddress,
  refreshMirror,
  removeUnlisted,
} from './mirror-repository.ts';
import { CachedNewcomers } from './newcomers.ts';
import { readOrigin } from './own-clone.ts';
import { keepWhileRefsStay, type PullRequestIndex, PullRequestIndexes } from './pull-request-index.ts';
import { emptyTree, glanceAt, readPullRequest, readTogether } from './read-pull-request.ts';
import { CachedCloneRanges, readTags } from './read-range.ts';
import { CachedRangeLists } from './read-ranges.ts';
import {
  type CloneSource,
  findIndexed,
  lastMergedInClone,
  mergedAfter,
  mergedWithin,
  summarize,
} from './summarize-pull-requests.ts';

interface GitHostOptions {
  root: string;
  git: GitPaths;
  webUrl: string | null;
  originUrl?: string | undefined;
  privateRepositories: PrivateRepository[];
  secretKeys: SecretKeys;
  clock: () => Date;
  onPassedOver?: (clone: Clone, reason: CloneProblem) => void;
  adding?: AddingOptions | undefined;
  /** Reviews by the folder of their clone and the number of the pull request. */
  discussions?: ReadonlyMap<string, Record<number, Discussion>>;
}

interface AddingOptions extends Omit<MirrorOptions, 'searchPath' | 'spawner'> {
  roots: string[];
  list: () => Promise<AddedClone[]>;
}

const noCommit = 'none';

/** Scanning all clones takes a while, so the result is cached, and clients cannot repeat the scan endlessly. */
const listedMs = 60_000;

const originCachedMs = 60 * 60 * 1000;

const pullRequestHint =
  'A clone contains a pull request if it has the ref refs/pull/NUMBER/head (git clone --mirror copies these from GitHub), ' +
  'or if the default branch has a commit "Merge pull request #7 …" or one whose subject ends with "(#7)".';

export function createGitHost(options: GitHostOptions): CodeHost {
  const { root, webUrl, originUrl, clock } = options;
  const spawner = new GitSpawner();
  spawner.warmUp();
  const git = { ...options.git, spawner };
  const indexes = new PullRequestIndexes(git);
  const visibleTo = readPrivacy(root, options.privateRepositories);
  const clones = openClones(options, async (clone, isMissing) => {
    const ids = await visibleTo(clone, isMissing);
    return ids && ((identity) => isFromClone(identity) && ids.has(identity.hostUserId));
  });
  const origins = cacheResponses<Awaited<ReturnType<typeof readOrigin>>>(clock, { ms: originCachedMs });
  const originOf = async (clone: Clone) =>
    originUrl === undefined
      ? null
      : origins.cached(clone.gitFolder, () => readOrigin(git, clone, originUrl).catch(() => null));
  const sourceOf = async (clone: Clone, signal?: AbortSignal): Promise<CloneSource | null> => {
    const index = await indexes.read(clone);
    if (!index) return null;
    const origin = webUrl === null ? await originOf(clone) : null;
    const [web, named] = origin && originUrl ? [originUrl, origin] : [webUrl, clone];
    const urlOf = (number: number) => pullRequestUrl(web, named, number);
    const repositoryUrl = web && `${web}/${named.owner}/${named.name}`;
    const discussions = options.discussions?.get(clone.gitFolder);
    return {
      git: { ...git, signal },
      urlOf,
      repositoryUrl,
      clone,
      index,
      ...(discussions && { discussions }),
    };
  };
  const deps = { clones, sourceOf };
  return {
    id: clonesHost,
    webUrl,
    originUrl,
    avatarOrigins: [],
    signIn: 'localToken',
    pullRequestHint,
    isLocal: true,
    backgroundQuota: () => Number.POSITIVE_INFINITY,
    recognizes: isLocalToken,
    identify: async (token) => identifyLocal(options.secretKeys, token, clock()),
    app: null,
    findAccount: async () => null,
    findRepository: (owner, name, caller) => clones.findShown({ owner, name }, caller),
    findRepositoryById: (known, caller) => clones.findShown(known, caller),
    linesUrl: githubLinesUrl,
    async openTree(known, range, { signal }) {
      const clone = await clones.open(known);
      return clone && range.base !== emptyTree ? readTree({ ...git, signal }, clone, range) : null;
    },
    suggestPullRequest: () =>
      suggestPullRequest(root, indexes, async (clone) => (await visibleTo(clone)) === null),
    async listRepositories(identity) {
      return (await clones.listAll()).flatMap((found) => {
        const repository = showTo(identity, found);
        const countMerged = async () => (await indexes.read(found.clone))?.merged.size ?? null;
        return repository ? { ...repository, countMerged } : [];
      });
    },
    ...(options.adding && { adding: openAdding(options, options.adding, { git, clones }) }),
    ...readPullRequests(deps),
    ...mergeReaders(deps),
    ...readReleases(deps, git),
    async close() {
      await spawner.close();
      await options.adding?.unfinished.close();
    },
  };
}

function identifyLocal(secretKeys: SecretKeys, token: string, now: Date): HostCredential | null {
  const local = readLocalToken(secretKeys, token, now);
  if (!local) return null;
  const { name, expiresAt, singleUse } = local;
  const identity = completeIdentity({
    host: clonesHost,
    hostUserId: localId(name),
    hostUsername: name,
    noReplyDomain: 'git',
  });
  return { identity, expiresAt, singleUse };
}

function openAdding(
  { root, privateRepositories }: GitHostOptions,
  { roots, ...adding }: AddingOptions,
  { git, clones }: { git: GitRunner; clones: Clones },
): AddingRepositories {
  const { mirrors, hosts, isAllowed } = adding;
  const mirroring = { ...adding, searchPath: git.path, spawner: git.spawner };
  return {
    roots,
    hosts: isAllowed ? hosts.map(({ host }) => host) : [],
    inspect: async ({ location, fullName }, identity) => {
      const path = location.replace(/^~(?=\/)/, homedir());
      return path.startsWith('/')
        ? inspectClone({ git, roots, root, privateRepositories }, { path, fullName, identity })
        : readMirrorAddress(adding, location, fullName);
    },
    async findClones() {
      const added = new Set((await adding.list()).map(({ folder }) => folder));
      const visibleTo = readPrivacy(root, privateRepositories);
      return findClonesIn(
        roots,
        async (gitFolder) =>
          !added.has(gitFolder) && (await visibleTo({ owner: '', name: '', gitFolder })) === null,
      );
    },
    rootOf: (folder) => rootOf(folder, roots),
    findProblems: clones.findProblems,
    isMissing: clones.isMissing,
    mirror: (job, signals) => makeMirror(mirroring, job, signals),
    refreshMirror: (job, signal) => refreshMirror(mirroring, job, signal),
    // A git that is ending may still write to the folder.
    removeMirror: (id) => rm(mirrorFolder(mirrors, id), { recursive: true, force: true, maxRetries: 5 }),
    removeUnlisted: (listIds) => removeUnlisted(mirrors, listIds),
  };
}

type Named = Pick<HostRepository, 'owner' | 'name'> & Partial<Pick<HostRepository, 'hostRepoId'>>;

type MayBeSeenBy = ((identity: Identity) => boolean) | null;

type VisibleTo = (clone: Clone, isMissing?: boolean) => Promise<MayBeSeenBy>;

type Clones = ReturnType<typeof openClones>;

interface FoundClone {
  clone: Clone;
  hostRepoId: number;
  mayBeSeenBy: MayBeSeenBy;
  /** If its folder is missing, a repository keeps its articles but cannot be read. */
  isMissing: boolean;
}

const lowerCaseName = ({ owner, name }: Named): string => `${owner}/${name}`.toLowerCase();

function openClones({ root, clock, onPassedOver, adding }: GitHostOptions, visibleTo: VisibleTo) {
  const ofRoot = async (clone: Clone): Promise<FoundClone> => ({
    clone,
    // The id is made from the name, so that another name is another repository.
    hostRepoId: localId(`${clone.owner}/${clone.name}`),
    mayBeSeenBy: await visibleTo(clone),
    isMissing: false,
  });
  const locate = async (added: AddedClone, options: AddingOptions) => {
    const located = await locateAdded(added, options);
    if (located.problem) onPassedOver?.(located.clone, located.problem);
    return located;
  };
  const ofAdded = async (added: AddedClone): Promise<FoundClone | null> => {
    if (!adding) return null;
    const { clone, problem } = await locate(added, adding);
    const isMissing = problem === 'missing' || problem === 'unreadable';
    if (problem && !isMissing) return null;
    const { onlyFor, id } = added;
    const ofSettings = await visibleTo(clone, isMissing);
    const isOwn = ({ host, hostUserId }: Identity) =>
      host === onlyFor?.host && hostUserId === onlyFor.hostUserId;
    const isPrivate = ofSettings !== null || onlyFor !== null;
    const mayBeSeenBy = (identity: Identity) =>
      (ofSettings === null || ofSettings(identity)) && (onlyFor === null || isOwn(identity));
    // The id is made from the entry in the list, so that data of another repository of this name is not mixed in.
    return {
      clone,
      hostRepoId: localId(`added ${id}`),
      mayBeSeenBy: isPrivate ? mayBeSeenBy : null,
      isMissing,
    };
  };
  // Checking a clone takes a while, and a hundred requests may come at the same time.
  const findNamed = coalesceReads(async ([owner, name]: [string, string]) => {
    const clone = await findClone(root, owner, name, onPassedOver);
    if (clone) return ofRoot(clone);
    const added = (await adding?.list())?.find(
      (one) => lowerCaseName(one) === lowerCaseName({ owner, name }),
    );
    return added ? ofAdded(added) : null;
  });
  const find = async ({ owner, name, hostRepoId }: Named): Promise<FoundClone | null> => {
    const found = await findNamed([owner, name]);
    return found && (hostRepoId === undefined || hostRepoId === found.hostRepoId) ? found : null;
  };
  const readAll = async (added: AddedClone[]): Promise<FoundClone[]> => {
    const byName = new Map<string, FoundClone>();
    for await (const clone of listClones(root))
      if (!byName.has(lowerCaseName(clone))) byName.set(lowerCaseName(clone), await ofRoot(clone));
    for (const one of added.filter((clone) => !byName.has(lowerCaseName(clone)))) {
      const found = await ofAdded(one);
      if (found) byName.set(lowerCaseName(one), found);
    }
    return [...byName.values()];
  };
  const { cached } = cacheResponses<FoundClone[]>(clock, { ms: listedMs, most: 10 });
  const findShown = async (named: Named, { identity }: Pick<Caller, 'identity'>) => {
    const found = await find(named);
    const repository = found && showTo(identity, found);
    return found && repository ? { found, repository } : null;
  };
  return {
    findShown: async (named: Named, caller: Pick<Caller, 'identity'>) =>
      (await findShown(named, caller))?.repository ?? null,
    /**
     * Opens a repository to read what the caller may see. This and the next function throw if its folder is missing.
     */
    async open(named: Named) {
      const found = await find(named);
      return found && readable(found);
    },
    async openShown(named: Named, caller: Pick<Caller, 'identity'>) {
      const shown = await findShown(named, caller);
      return shown && { clone: readable(shown.found), repository: shown.repository };
    },
    isMissing: async (named: Named) => (await find(named))?.isMissing ?? false,
    async findProblems() {
      const problems = new Map<string, CloneProblem>();
      for (const added of (await adding?.list()) ?? []) {
        const { problem } = adding ? await locate(added, adding) : { problem: null };
        if (problem) problems.set(added.id, problem);
      }
      return problems;
    },
    async listAll() {
      const added = (await adding?.list()) ?? [];
      return cached(added.map(({ id }) => id).join(' '), () => readAll(added));
    },
  };
}

function readable({ clone, isMissing }: FoundClone): Clone {
  if (!isMissing) return clone;
  throw new Failure(
    'HOST_ERROR',
    `The folder of ${clone.owner}/${clone.name} is missing on the server, or the service cannot read it. Ask an operator to restore it: /add shows its path.`,
  );
}

function showTo(
  identity: Identity | null,
  { clone: { owner, name }, hostRepoId, mayBeSeenBy }: FoundClone,
): HostRepository | null {
  const isShown = identity && (mayBeSeenBy?.(identity) || isOperator(identity));
  return mayBeSeenBy && !isShown ? null : { hostRepoId, owner, name, isPrivate: mayBeSeenBy !== null };
}

interface Deps {
  clones: Clones;
  /** Null for a clone without commits. Without a signal, the result is cached for all callers. */
  sourceOf: (clone: Clone, signal?: AbortSignal) => Promise<CloneSource | null>;
}

function readPullRequests({
  clones,
  sourceOf,
}: Deps): Pick<CodeHost, 'findPullRequest' | 'listPullRequests'> & Required<Pick<CodeHost, 'readTogether'>> {
  return {
    async findPullRequest(owner, name, number, caller) {
      const found = await clones.openShown({ owner, name }, caller);
      if (!found) return null;
      const { clone, repository } = found;
      const source = await sourceOf(clone, caller.signal);
      const indexed = source && findIndexed(source.index, number);
      if (!indexed) return { repository, pullRequest: null };
      caller.signal.throwIfAborted();
      const pullRequest = {
        version: null,
        glance: () => glanceAt(source, indexed),
        read: () => readPullRequest(source, indexed),
      };
      return { repository, pullRequest };
    },
    async readTogether(named, { numbers, maxDiffBytes }, caller) {
      const found = await clones.openShown(named, caller);
      const source = found && (await sourceOf(found.clone, caller.signal));
      return source ? readTogether(source, findAll(source, numbers), maxDiffBytes) : [];
    },
    async listPullRequests(known, { state, limit, offset, order, without }, { signal }) {
      const clone = await clones.open(known);
      const source = clone && (await sourceOf(clone, signal));
      if (!source) return { items: [], total: 0 };
      const numbers = numbersOf(source.index, state, order).filter((number) => !without?.has(number));
      const summaries = await summarize(source, findAll(source, numbers.slice(offset, offset + limit)));
      // Broken pull requests are left out; a request for one of them says what is wrong.
      const items = summaries.flatMap((summary) => (summary instanceof Failure ? [] : summary.shown));
      return { items, total: numbers.length };
    },
  };
}

const findAll = ({ index }: CloneSource, numbers: number[]) =>
  numbers.flatMap((number) => findIndexed(index, number) ?? []);

const mergeReaders = ({
  clones,
  sourceOf,
}: Deps): Pick<CodeHost, 'mergedSince' | 'lastMerged' | 'mergedWithin'> => ({
  async mergedWithin(known, span) {
    const clone = await clones.open(known);
    if (!clone) return null;
    const source = await sourceOf(clone);
    return source ? mergedWithin(source, span) : { merged: [], findBots: async () => new Set() };
  },
  async mergedSince(known, cursor, caller) {
    const found = await clones.openShown(known, caller);
    if (!found) return null;
    const source = await sourceOf(found.clone, caller.signal);
    const next = { repository: found.repository, cursor: source?.index.tip ?? noCommit };
    if (!source || cursor === null) return { ...next, merged: [] };
    return { ...next, merged: await mergedAfter(source, cursor === noCommit ? null : cursor) };
  },
  async lastMerged(known, wanted, caller) {
    const found = await clones.openShown(known, caller);
    if (!found) return null;
    const source = await sourceOf(found.clone, caller.signal);
    return source ? lastMergedInClone(source, wanted) : [];
  },
});

function readReleases(
  { clones, sourceOf }: Deps,
  git: GitRunner,
): Pick<CodeHost, 'readRange' | 'readRanges' | 'findNewcomers' | 'listTags'> {
  const ranges = new CachedCloneRanges();
  const lists = new CachedRangeLists();
  const newcomers = new CachedNewcomers();
  const tagsOf = keepWhileRefsStay((clone) => readTags(git, clone));
  return {
    async readRange(known, { from, to }, caller) {
      const found = await clones.openShown(known, caller);
      if (!found) return null;
      const source = await sourceOf(found.clone, caller.signal);
      if (!source) throw new UnknownRef('from', from, suggestRefs(from, []));
      return ranges.read(source, {
        from,
        to,
        tags: async () => (await tagsOf(found.clone)).map(({ name }) => name),
      });
    },
    async readRanges(known, wanted, caller) {
      const found = await clones.openShown(known, caller);
      const source = found && (await sourceOf(found.clone, caller.signal));
      return source ? lists.read(source, wanted) : wanted.map(() => null);
    },
    async findNewcomers(known, range, caller) {
      const found = await clones.openShown(known, caller);
      return found ? newcomers.find({ ...git, signal: caller.signal }, found.clone, range) : new Set();
    },
    async listTags(known, atMost, caller) {
      const found = await clones.openShown(known, caller);
      return found ? (await tagsOf(found.clone)).slice(0, atMost) : [];
    },
  };
}

function numbersOf(
  { merged, heads, open }: PullRequestIndex,
  state: PullRequestPage['state'],
  order: PullRequestPage['order'],
): number[] {
  const all = new Set([...heads.keys(), ...merged.keys()]);
  const isOpen = (number: number) => open.has(number) && !merged.has(number);
  const changedAt = (number: number) => merged.get(number)?.at ?? 0;
  return [...all]
    .filter((number) => state === 'all' || isOpen(number) === (state === 'open'))
    .sort((one, other) => (order ? changedAt(other) - changedAt(one) : 0) || other - one);
}

const clonesToTry = 20;

export async function suggestPullRequest(
  root: string,
  indexes: PullRequestIndexes,
  mayBeShown: (clone: Clone) => Promise<boolean>,
): Promise<PullRequestName | null> {
  let tried = 0;
  for await (const clone of listClones(root)) {
    if (!(await mayBeShown(clone))) continue;
    // A damaged clone is skipped here; reading it directly says what is wrong.
    const index = await indexes.read(clone).catch(() => null);
    const numbers = [...(index?.merged.keys() ?? [])];
    if (numbers.length > 0) return { owner: clone.owner, name: clone.name, number: Math.max(...numbers) };
    tried += 1;
    if (tried === clonesToTry) return null;
  }
  return null;
}
