import { completeIdentity, type Identity, isOperator } from '../../domain/accounts.ts';
import { coalesceReads } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import { clonesHost, isFromClone } from '../../domain/repositories.ts';
import type { SecretKeys } from '../../domain/secrets.ts';
import { cacheAnswers } from '../bounded-map.ts';
import {
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
import type { Clone, GitPaths, GitRunner } from '../git-runner/run-git.ts';
import {
  findClone,
  listClones,
  localId,
  type PassedOver,
  type PrivateRepository,
  readPrivacy,
} from './find-clone.ts';
import { isLocalToken, readLocalToken } from './local-token.ts';
import { keepWhileRefsStay, type PullRequestIndex, PullRequestIndexes } from './pull-request-index.ts';
import { glanceAt, Prefetcher, readPullRequest } from './read-pull-request.ts';
import { CachedCloneRanges, readTags } from './read-range.ts';
import {
  type CloneSource,
  findIndexed,
  lastMergedInClone,
  mergedAfter,
  summarize,
} from './summarize-pull-requests.ts';

interface GitHostOptions {
  root: string;
  git: GitPaths;
  webUrl: string | null;
  privateRepositories: PrivateRepository[];
  secretKeys: SecretKeys;
  clock: () => Date;
  onPassedOver?: (clone: Clone, reason: PassedOver) => void;
}

const noCommit = 'none';

/** Scanning all clones takes a while, and clients must not be able to repeat it endlessly. */
const listedMs = 60_000;

const pullRequestHint =
  'In a clone, pull requests are its refs/pull/NUMBER/head, which git clone --mirror brings along from GitHub, and what was merged ' +
  'into its default branch by a commit "Merge pull request #7 …" or one whose subject ends with "(#7)".';

export function createGitHost(options: GitHostOptions): CodeHost {
  const { root, webUrl, clock } = options;
  const spawner = new GitSpawner();
  spawner.warmUp();
  const git = { ...options.git, spawner };
  const indexes = new PullRequestIndexes(git);
  const visibleTo = readPrivacy(root, options.privateRepositories);
  const clones = openClones(options, visibleTo);
  const sourceOf = async (clone: Clone, signal?: AbortSignal): Promise<CloneSource | null> => {
    const index = await indexes.read(clone);
    return index && { git: { ...git, signal }, webUrl, clone, index };
  };
  const deps = { clones, sourceOf };
  return {
    id: clonesHost,
    webUrl,
    avatarOrigins: [],
    signIn: 'localToken',
    pullRequestHint,
    isLocal: true,
    backgroundQuota: () => Number.POSITIVE_INFINITY,
    recognizes: isLocalToken,
    identify: async (token) => identifyLocal(options.secretKeys, token, clock()),
    app: null,
    findAccount: async () => null,
    findRepository: async (owner, name, caller) =>
      (await clones.findShown({ owner, name }, caller))?.repository ?? null,
    // The id is made from the name, so that another name is another repository.
    findRepositoryById: async (known, caller) => (await clones.findShown(known, caller))?.repository ?? null,
    linesUrl: githubLinesUrl,
    suggestPullRequest: () =>
      suggestPullRequest(root, indexes, async (clone) => (await visibleTo(clone)) === null),
    async listRepositories(identity) {
      return (await clones.listAll()).flatMap(({ clone, viewers }) => {
        const repository = showTo(identity, clone, viewers);
        const countMerged = async () => (await indexes.read(clone))?.merged.size ?? null;
        return repository ? { ...repository, countMerged } : [];
      });
    },
    ...readPullRequests(deps),
    ...readMerges(deps),
    ...readReleases(deps, git),
    close: () => spawner.close(),
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

type Named = Pick<HostRepository, 'owner' | 'name'>;

type VisibleTo = ReturnType<typeof readPrivacy>;

type Clones = ReturnType<typeof openClones>;

function openClones({ root, clock, onPassedOver }: GitHostOptions, visibleTo: VisibleTo) {
  // Checking a clone takes a while, and a hundred requests may come at the same time.
  const findNamed = coalesceReads(([owner, name]: [string, string]) =>
    findClone(root, owner, name, onPassedOver),
  );
  const find = ({ owner, name }: Named) => findNamed([owner, name]);
  const readAll = async () => {
    const byId = new Map<number, { clone: Clone; viewers: Set<number> | null }>();
    for await (const clone of listClones(root)) {
      const id = localId(`${clone.owner}/${clone.name}`);
      if (!byId.has(id)) byId.set(id, { clone, viewers: await visibleTo(clone) });
    }
    return [...byId.values()];
  };
  const { cached } = cacheAnswers<Awaited<ReturnType<typeof readAll>>>(clock, { ms: listedMs });
  return {
    find,
    async findShown(named: Named, { identity }: Pick<Caller, 'identity'>) {
      const clone = await find(named);
      const repository = clone && showTo(identity, clone, await visibleTo(clone));
      return clone && repository ? { clone, repository } : null;
    },
    listAll: () => cached('all', readAll),
  };
}

function showTo(
  identity: Identity | null,
  { owner, name }: Clone,
  viewers: Set<number> | null,
): HostRepository | null {
  const isShown = identity && isFromClone(identity) && viewers?.has(identity.hostUserId);
  if (viewers && !isShown && !(identity && isOperator(identity))) return null;
  return { hostRepoId: localId(`${owner}/${name}`), owner, name, isPrivate: viewers !== null };
}

interface Deps {
  clones: Clones;
  /** Null for a clone without commits. Without a signal, the result is cached for all callers. */
  sourceOf: (clone: Clone, signal?: AbortSignal) => Promise<CloneSource | null>;
}

function readPullRequests({
  clones,
  sourceOf,
}: Deps): Pick<CodeHost, 'findPullRequest' | 'listPullRequests'> & Required<Pick<CodeHost, 'prefetch'>> {
  const prefetcher = new Prefetcher();
  return {
    async findPullRequest(owner, name, number, caller) {
      const found = await clones.findShown({ owner, name }, caller);
      if (!found) return null;
      const { clone, repository } = found;
      const source = await sourceOf(clone, caller.signal);
      const indexed = source && findIndexed(source.index, number);
      if (!indexed) return { repository, pullRequest: null };
      caller.signal.throwIfAborted();
      const pullRequest = {
        version: null,
        glance: () => glanceAt(source, indexed),
        read: async () => readPullRequest(source, indexed, await prefetcher.take(clone, indexed)),
      };
      return { repository, pullRequest };
    },
    async prefetch(named, numbers) {
      const clone = await clones.find(named);
      const source = clone && (await sourceOf(clone));
      if (source) prefetcher.prefetch(source, findAll(source, numbers));
    },
    async listPullRequests(known, { state, limit, offset, without }, { signal }) {
      const clone = await clones.find(known);
      const source = clone && (await sourceOf(clone, signal));
      if (!source) return { items: [], total: 0 };
      const numbers = numbersOf(source.index, state).filter((number) => !without?.has(number));
      const summaries = await summarize(source, findAll(source, numbers.slice(offset, offset + limit)));
      // Requests for a broken pull request itself say what is wrong.
      const items = summaries.flatMap((summary) => (summary instanceof Failure ? [] : summary.shown));
      return { items, total: numbers.length };
    },
  };
}

const findAll = ({ index }: CloneSource, numbers: number[]) =>
  numbers.flatMap((number) => findIndexed(index, number) ?? []);

const readMerges = ({ clones, sourceOf }: Deps): Pick<CodeHost, 'mergedSince' | 'lastMerged'> => ({
  async mergedSince(known, cursor, caller) {
    const found = await clones.findShown(known, caller);
    if (!found) return null;
    const source = await sourceOf(found.clone, caller.signal);
    const next = { repository: found.repository, cursor: source?.index.tip ?? noCommit };
    if (!source || cursor === null) return { ...next, merged: [] };
    return { ...next, merged: await mergedAfter(source, cursor === noCommit ? null : cursor) };
  },
  async lastMerged(known, wanted, caller) {
    const found = await clones.findShown(known, caller);
    if (!found) return null;
    const source = await sourceOf(found.clone, caller.signal);
    return source ? lastMergedInClone(source, wanted) : [];
  },
});

function readReleases({ clones, sourceOf }: Deps, git: GitRunner): Pick<CodeHost, 'readRange' | 'listTags'> {
  const ranges = new CachedCloneRanges();
  const tagsOf = keepWhileRefsStay((clone) => readTags(git, clone));
  return {
    async readRange(known, { from, to }, caller) {
      const found = await clones.findShown(known, caller);
      if (!found) return null;
      const source = await sourceOf(found.clone, caller.signal);
      if (!source) throw new UnknownRef('from', from, []);
      return ranges.read(source, { from, to, tags: () => tagsOf(found.clone) });
    },
    async listTags(known, atMost, caller) {
      const found = await clones.findShown(known, caller);
      return found ? (await tagsOf(found.clone)).slice(0, atMost) : [];
    },
  };
}

function numbersOf({ merged, heads, open }: PullRequestIndex, state: PullRequestPage['state']): number[] {
  const all = new Set([...heads.keys(), ...merged.keys()]);
  const isOpen = (number: number) => open.has(number) && !merged.has(number);
  return [...all]
    .filter((number) => state === 'all' || isOpen(number) === (state === 'open'))
    .sort((one, other) => other - one);
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
