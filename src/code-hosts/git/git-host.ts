import { coalesceReads } from '../../domain/batch-reads.ts';
import { clonesHost, isFromClone } from '../../domain/clones-host.ts';
import { Failure } from '../../domain/errors.ts';
import { completeIdentity, type Identity } from '../../domain/identity.ts';
import { isOperator } from '../../domain/operator.ts';
import type { SecretKeys } from '../../domain/secret-keys.ts';
import {
  type Caller,
  type CodeHost,
  githubLinesUrl,
  type HostRepository,
  type PullRequestName,
  type PullRequestPage,
  UnknownRef,
} from '../code-host.ts';
import { GitSpawner } from '../git-runner/git-spawner.ts';
import type { Clone, GitPaths } from '../git-runner/run-git.ts';
import { findClone, listClones, localId, Privacy, type PrivateRepository } from './find-clone.ts';
import { isLocalToken, readLocalToken } from './local-token.ts';
import { keepWhileRefsStay, type PullRequestIndex, PullRequestIndexes } from './pull-request-index.ts';
import { glanceAt, ReadAhead, readPullRequest } from './read-pull-request.ts';
import { KeptRanges, readTags } from './read-range.ts';
import { findIndexed, lastMergedInClone, mergedAfter, summarize } from './summarize-pull-requests.ts';
import type { AnnouncePassedOver } from './survey-clones.ts';

export interface GitHostOptions {
  /** The folder of the clones, as owner/repo. */
  root: string;
  git: GitPaths;
  webUrl: string | null;
  privateRepositories: PrivateRepository[];
  secretKeys: SecretKeys;
  clock: () => Date;
  onPassedOver?: AnnouncePassedOver;
}

/** The cursor of a clone without commits. */
const noCommit = 'none';

/** Scanning all clones takes a while, and clients must not be able to repeat it endlessly. */
const listedMs = 60_000;

const pullRequestHint =
  'In a clone, pull requests are its refs/pull/NUMBER/head, which git clone --mirror brings along from GitHub, and what was merged ' +
  'into its default branch by a commit "Merge pull request #7 …" or one whose subject ends with "(#7)".';

/** A folder of clones as a code host. Its users are those with a local token of the operator. */
export function createGitHost(options: GitHostOptions): CodeHost {
  const { root, webUrl, privateRepositories, secretKeys, clock, onPassedOver } = options;
  const spawner = new GitSpawner();
  spawner.warmUp();
  const git = { ...options.git, spawner };
  const indexes = new PullRequestIndexes(git);
  const tagsOf = keepWhileRefsStay((clone) => readTags(git, clone));
  const ranges = new KeptRanges();
  const readAhead = new ReadAhead();
  const privacy = new Privacy(root, privateRepositories);

  // Checking a clone takes a while, and a hundred requests may come at the same time.
  const find = coalesceReads(([owner, name]: [string, string]) => findClone(root, owner, name, onPassedOver));

  const show = async (clone: Clone, { identity }: Pick<Caller, 'identity'>): Promise<HostRepository | null> =>
    showTo(identity, clone, await privacy.visibleTo(clone));

  const showTo = (
    identity: Identity | null,
    clone: Clone,
    visibleTo: Set<number> | null,
  ): HostRepository | null => {
    const isShown = identity && isFromClone(identity) && visibleTo?.has(identity.hostUserId);
    if (visibleTo && !isShown && !(identity && isOperator(identity))) return null;
    return {
      hostRepoId: localId(`${clone.owner}/${clone.name}`),
      owner: clone.owner,
      name: clone.name,
      isPrivate: visibleTo !== null,
    };
  };

  let listed: { clones: ReturnType<typeof readAllClones>; until: number } | null = null;
  const readAllClones = async () => {
    const byId = new Map<number, { clone: Clone; visibleTo: Set<number> | null }>();
    for await (const clone of listClones(root)) {
      const id = localId(`${clone.owner}/${clone.name}`);
      // Of several clones with one id, the first is read.
      if (!byId.has(id)) byId.set(id, { clone, visibleTo: await privacy.visibleTo(clone) });
    }
    return [...byId.values()];
  };
  const allClones = () => {
    const now = clock().getTime();
    if (listed && now < listed.until) return listed.clones;
    const clones = readAllClones();
    listed = { clones, until: now + listedMs };
    clones.catch(() => {
      listed = null;
    });
    return clones;
  };

  const isPublic = async (clone: Clone) => (await privacy.visibleTo(clone)) === null;

  const findRepository: CodeHost['findRepository'] = async (owner, name, caller) => {
    const clone = await find([owner, name]);
    return clone && show(clone, caller);
  };

  return {
    id: clonesHost,
    webUrl,
    avatarOrigins: [],
    signIn: 'localToken',
    pullRequestHint,
    isLocal: true,
    backgroundQuota: () => Number.POSITIVE_INFINITY,
    recognizes: isLocalToken,
    async identify(token) {
      const local = readLocalToken(secretKeys, token, clock());
      if (!local) return null;
      const { name, expiresAt, singleUse } = local;
      const identity = completeIdentity({
        host: clonesHost,
        hostUserId: localId(name),
        hostUsername: name,
        noReplyDomain: 'git',
      });
      return { identity, expiresAt, singleUse };
    },
    app: null,
    findAccount: async () => null,
    findRepository,
    // The id is made from the name, so that another name is another repository.
    findRepositoryById: ({ owner, name }, caller) => findRepository(owner, name, caller),
    async findPullRequest(owner, name, number, caller) {
      const clone = await find([owner, name]);
      const repository = clone && (await show(clone, caller));
      if (!repository) return null;
      const index = await indexes.read(clone);
      const indexed = index && findIndexed(index, number);
      if (!indexed) return { repository, pullRequest: null };
      caller.signal.throwIfAborted();
      const source = { git: { ...git, signal: caller.signal }, webUrl, clone, index };
      const pullRequest = {
        version: null,
        glance: () => glanceAt(source, indexed),
        read: async () => readPullRequest(source, indexed, await readAhead.take(clone, indexed)),
      };
      return { repository, pullRequest };
    },
    async prefetch({ owner, name }, numbers) {
      const clone = await find([owner, name]);
      const index = clone && (await indexes.read(clone));
      if (!index) return;
      const indexed = numbers.flatMap((number) => findIndexed(index, number) ?? []);
      readAhead.expect({ git, webUrl, clone, index }, indexed);
    },
    linesUrl: githubLinesUrl,
    suggestPullRequest: () => suggestPullRequest(root, indexes, isPublic),
    async listRepositories(identity) {
      return (await allClones()).flatMap(({ clone, visibleTo }) => {
        const repository = showTo(identity, clone, visibleTo);
        const countMerged = async () => (await indexes.read(clone))?.merged.size ?? null;
        return repository ? { ...repository, countMerged } : [];
      });
    },
    async listPullRequests({ owner, name }, { state, limit, offset, without }, { signal }) {
      const clone = await find([owner, name]);
      const index = clone && (await indexes.read(clone));
      if (!index) return { items: [], total: 0 };
      const numbers = numbersOf(index, state).filter((number) => !without?.has(number));
      const page = numbers.slice(offset, offset + limit);
      const indexed = page.flatMap((number) => findIndexed(index, number) ?? []);
      const summaries = await summarize({ git: { ...git, signal }, webUrl, clone, index }, indexed);
      // Requests for a broken pull request itself say what is wrong.
      const items = summaries.flatMap((summary) => (summary instanceof Failure ? [] : summary.shown));
      return { items, total: numbers.length };
    },
    async mergedSince(known, cursor, caller) {
      const clone = await find([known.owner, known.name]);
      const repository = clone && (await show(clone, caller));
      if (!repository) return null;
      const index = await indexes.read(clone);
      const next = { repository, cursor: index?.tip ?? noCommit };
      if (!index || cursor === null) return { ...next, merged: [] };
      const source = { git: { ...git, signal: caller.signal }, webUrl, clone, index };
      return { ...next, merged: await mergedAfter(source, cursor === noCommit ? null : cursor) };
    },
    async lastMerged(known, wanted, caller) {
      const clone = await find([known.owner, known.name]);
      if (!clone || !(await show(clone, caller))) return null;
      const index = await indexes.read(clone);
      if (!index) return [];
      return lastMergedInClone({ git: { ...git, signal: caller.signal }, webUrl, clone, index }, wanted);
    },
    async readRange(known, { from, to }, caller) {
      const clone = await find([known.owner, known.name]);
      if (!clone || !(await show(clone, caller))) return null;
      const index = await indexes.read(clone);
      if (!index) throw new UnknownRef('from', from, []);
      const source = { git: { ...git, signal: caller.signal }, webUrl, clone, index };
      return ranges.read(source, { from, to, tags: () => tagsOf(clone) });
    },
    async listTags(known, atMost, caller) {
      const clone = await find([known.owner, known.name]);
      if (!clone || !(await show(clone, caller))) return [];
      return (await tagsOf(clone)).slice(0, atMost);
    },
    close: () => spawner.close(),
  };
}

/** Newest first. Merged ones count as closed. */
function numbersOf({ merged, heads, open }: PullRequestIndex, state: PullRequestPage['state']): number[] {
  const all = new Set([...heads.keys(), ...merged.keys()]);
  const isOpen = (number: number) => open.has(number) && !merged.has(number);
  return [...all]
    .filter((number) => state === 'all' || isOpen(number) === (state === 'open'))
    .sort((one, other) => other - one);
}

const clonesToTry = 20;

/** The newest merged pull request of the first public clone that has one. */
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
