import {
  type HostPullRequest,
  type HostRepository,
  MovedMeanwhile,
  type ReleaseSlotWhile,
} from '../../code-hosts/code-host.ts';
import type { Database, Queries } from '../../db/database.ts';
import {
  findStoredDiff,
  findUnfetchableDiff,
  noteUnfetchableDiff,
  type StoredDiff,
  saveDiffs,
} from '../../db/diffs.ts';
import {
  confirmPullRequest,
  findPullRequest,
  type HostTexts,
  havePullRequestTextsChanged,
  notePullRequestUse,
  refreshPullRequest,
  type StoredPullRequest,
  savePullRequest,
  savePullRequestTexts,
} from '../../db/pull-requests.ts';
import { bytesQuotaOf, countQuota, takeQuota } from '../../db/quotas.ts';
import { deletePullRequests, findRemoval } from '../../db/removals.ts';
import { saveSeenRepository } from '../../db/repositories.ts';
import type { Repository } from '../../db/visibility.ts';
import { findQuotedIssues } from '../../db/webhooks.ts';
import { isOperator } from '../../domain/accounts.ts';
import { currentClient, inTime, type Semaphore } from '../../domain/concurrency.ts';
import { type ErrorCode, Failure } from '../../domain/errors.ts';
import { ConcurrencyLimit, quotaExhausted } from '../../domain/limits.ts';
import { isSameDiff } from '../../domain/pull-requests.ts';
import type { ActingUser, Deps } from '../deps.ts';
import type { RepositoryAddress } from '../repositories/find-repository.ts';
import { leaveOutLost } from '../reviews/leave-out-lost.ts';
import { type CollectedDiff, collectDiff, textsOf } from './collect-diff.ts';
import { findPullRequestOnHost, noPullRequest } from './find-pull-request.ts';

type IngestDeps = Pick<Deps, 'database' | 'callerOn' | 'clock' | 'runReader' | 'readerVersion'> & {
  maxDiffBytes: number;
  /** The bytes that one user may have stored per day; 0 for no limit. */
  ingestBytesPerDay: number;
  /** Limits concurrent fetches, because their data is in memory until it is stored. */
  semaphore: Semaphore;
};

interface Ingested {
  pullRequest: StoredPullRequest;
  hostRepoId: number;
  isPrivate: boolean;
  isNew: boolean;
}

export type Ingest = (
  address: RepositoryAddress,
  number: number,
  viewer: ActingUser | null,
  how?: {
    isOnQuota?: boolean;
    /**
     * Whether texts are read even if the version is unchanged, because some hosts do not count edited or deleted
     * comments.
     */
    readsTexts?: boolean;
  },
) => Promise<Ingested>;

/** The ingests of a user at once: more than a person starts, and few enough that one user does not delay others. */
const mostIngests = 8;

/**
 * How long a request waits for its ingest: longer than nearly every pull request takes, and shorter than proxies keep a
 * silent connection.
 */
const usualPatienceMs = 60_000;

/** The time for all calls to the host: other requests may wait for it after the first has given up. */
const hostPatienceMs = 15 * 60 * 1000;

/** A pull request may change on the host while it is read, or in the database while it is stored. */
const mostAttempts = 3;

/** Failures that depend on the token or quota used, so another viewer may succeed. */
const ownFailures: ErrorCode[] = [
  'HOST_TOKEN_INVALID',
  'HOST_TOKEN_REQUIRED',
  'HOST_RATE_LIMITED',
  'QUOTA_EXHAUSTED',
  'REPOSITORY_NOT_FOUND',
  'PULL_REQUEST_NOT_FOUND',
  'USER_NOT_FOUND',
];

/**
 * Fetches each pull request once at a time: viewers with access share a running fetch. A request that waits too long
 * gets a retry-after while the fetch continues.
 */
export function shareIngests({
  patienceMs = usualPatienceMs,
  ...deps
}: IngestDeps & { patienceMs?: number | undefined }): Ingest {
  const limit = new ConcurrencyLimit({
    most: mostIngests,
    refusal: `${mostIngests} pull requests are already being fetched for you. Wait until one of them is done.`,
    retrySeconds: 2,
  });
  // Fetches for followers are not limited per user; the number of writers limits them.
  const within = (viewer: ActingUser | null, work: () => Promise<Ingested>) =>
    viewer ? limit.run(viewer.user.id, work) : work();
  const reads: Reads = new Map();
  const requests: Reads = new Map();
  return (address, number, viewer, { isOnQuota = true, readsTexts = false } = {}) => {
    const credential = viewer?.credential;
    const userId = viewer?.user.id ?? 'anonymous';
    const rights = credential?.kind === 'hostToken' ? credential.tokenHash : 'session';
    const how = [isOnQuota, readsTexts];
    const of = [userId, rights, ...how, address.codeHost.id, address.owner, address.name, number];
    const given = { ...deps, readsTexts, ...(!isOnQuota && { ingestBytesPerDay: 0 }) };
    // Lets further requests of this client begin, so that they can join this fetch.
    currentClient().letNextBegin();
    const ingested = shareRead(requests, of.join('/').toLowerCase(), () =>
      within(viewer, () => ingestPullRequest(given, address, number, viewer, reads)),
    );
    return inTime(ingested, patienceMs, () => {
      const message = 'This pull request is large and still being fetched. Try again soon.';
      throw new Failure('UNAVAILABLE', message, { headers: { 'retry-after': '10' } });
    });
  };
}

type Reads = Map<string, Promise<Ingested>>;

function shareRead(running: Reads, key: string, work: () => Promise<Ingested>): Promise<Ingested> {
  const known = running.get(key);
  if (known) return known;
  const result = work().finally(() => running.delete(key));
  running.set(key, result);
  return result;
}

interface Fetch {
  seen: HostRepository & { host: string };
  number: number;
  version: string | null;
  /** The user with whose rights it reads; null for an anonymous fetch, which reads only public data. */
  userId: string | null;
  askedAt: Date;
  maxDiffBytes: number;
  quota: IngestQuota | null;
}

/**
 * Fetches a pull request with the viewer's rights and stores all of it or nothing. A stored diff is not read again
 * unless the limit that cut it was raised. If the host reports no change, nothing is read.
 */
async function ingestPullRequest(
  { readsTexts, ...deps }: IngestDeps & { readsTexts?: boolean },
  address: RepositoryAddress,
  number: number,
  viewer: ActingUser | null,
  reads: Reads = new Map(),
): Promise<Ingested> {
  const { database, clock, maxDiffBytes } = deps;
  const askedAt = clock();
  const asker = { viewer, signal: AbortSignal.timeout(hostPatienceMs) };
  const find = () => findPullRequestOnHost(deps, address, number, asker);
  const { repository, version, read: readOnHost } = await find();
  // If the pull request has moved and is hidden now, it is not found; otherwise the client should retry.
  const read = () =>
    readOnHost().catch(async (error: unknown) => {
      if (error instanceof MovedMeanwhile) await find();
      throw error;
    });
  const seen = { host: address.codeHost.id, ...repository };
  const quota = ingestQuotaOf(deps, viewer);
  const userId = viewer?.user.id ?? null;
  const fetch: Fetch = { seen, number, version, userId, askedAt, maxDiffBytes, quota };
  if (!readsTexts && isDiffUnchanged(await findStoredDiff(database, { ...seen, number }), fetch)) {
    const confirmed = await database.transaction((tx) => confirmStored(tx, fetch));
    if (confirmed) return confirmed;
  }
  const key = [seen.host, seen.hostRepoId, number, version].join(' ');
  const running = reads.get(key);
  if (!running) return shareRead(reads, key, () => readAndStore(deps, fetch, read));
  const shared = await running.catch((error: unknown) => {
    // If the host fails, it fails for all waiting viewers; retrying for each of them would make that worse.
    if (error instanceof Failure && ownFailures.includes(error.code)) return null;
    throw error;
  });
  if (!shared) return readAndStore(deps, fetch, read);
  // All viewers see the same of a public pull request; a private one requires a grant for each viewer.
  if (!seen.isPrivate && !shared.isPrivate) return { ...shared, isNew: false };
  return database.transaction(async (tx) => showIngested(tx, fetch, await saveSeenRepository(tx, fetch)));
}

async function readAndStore(
  deps: IngestDeps,
  fetch: Fetch,
  read: () => Promise<HostPullRequest>,
): Promise<Ingested> {
  const { database } = deps;
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const leave = await acquireSlot(deps.semaphore, 'texts', fetch.userId);
    const onHost = await read().finally(leave);
    await forgetHiddenIssues(database, fetch, onHost);
    const fetched = { ...fetch, version: onHost.version, texts: textsOf(onHost) };
    const stored = await findStoredDiff(database, { ...fetch.seen, number: fetch.number });
    try {
      const ingested = isDiffUpToDate(stored, fetched)
        ? await storeWithoutDiff(database, fetched, onHost)
        : await storeWithDiff(deps, fetched, onHost);
      if (ingested) return ingested;
    } catch (error) {
      if (!(error instanceof MovedMeanwhile) || attempt === mostAttempts) throw error;
    }
  }
  throw new Failure('UNAVAILABLE', 'This pull request keeps changing. Try again.');
}

interface Fetched extends Fetch {
  texts: HostTexts;
}

/**
 * Whether the host reports the stored version, read as far as the limit allows. A stored version that was read with
 * more rights begins with this one. Webhook events may be about comments, which versions do not count.
 */
function isDiffUnchanged(stored: StoredDiff | null, { version, maxDiffBytes }: Fetch): stored is StoredDiff {
  if (!stored?.hostVersion || stored.isOutdated || version === null) return false;
  return `${stored.hostVersion} `.startsWith(`${version} `) && isWholeDiff(stored, maxDiffBytes);
}

/** Whether the host's diff is stored, as far as the limit allows. */
function isDiffUpToDate(stored: StoredDiff | null, { texts, maxDiffBytes }: Fetched): stored is StoredDiff {
  return stored !== null && isSameDiff(stored, texts) && isWholeDiff(stored, maxDiffBytes);
}

const isWholeDiff = ({ cutAtBytes }: StoredDiff, maxDiffBytes: number): boolean =>
  cutAtBytes === null || cutAtBytes >= maxDiffBytes;

/** Stores that nothing has changed on the host; null if the stored data has changed in the meantime. */
async function confirmStored(tx: Queries, fetch: Fetch): Promise<Ingested | null> {
  const repository = await saveSeenRepository(tx, fetch);
  const stored = await findStoredDiff(tx, { ...fetch.seen, number: fetch.number });
  if (!isDiffUnchanged(stored, fetch)) return null;
  await confirmPullRequest(tx, { id: stored.id, fetchedAt: fetch.askedAt });
  return showIngested(tx, fetch, repository);
}

async function storeWithoutDiff(
  database: Database,
  fetched: Fetched,
  onHost: HostPullRequest,
): Promise<Ingested | null> {
  await onHost.requireSame?.();
  return database.transaction((tx) => storePullRequest(tx, fetched, null));
}

async function storeWithDiff(
  { database, clock, runReader, readerVersion, semaphore }: IngestDeps,
  fetched: Fetched,
  onHost: HostPullRequest,
): Promise<Ingested | null> {
  const { seen, userId, askedAt, quota, maxDiffBytes: maxBytes } = fetched;
  if (quota && (await countQuota(database, quota.counter, askedAt)) >= quota.bytesPerDay)
    throw quotaUsedUp(quota, askedAt);
  const { leave, releaseSlotWhile } = await acquireDiffSlot(semaphore, userId);
  try {
    const { number, baseSha, headSha } = fetched.texts;
    const range = { number, baseSha, headSha, terms: readerVersion };
    const known = await findUnfetchableDiff(database, { ...seen, ...range });
    if (known !== null) throw new Failure('UNREADABLE', known);
    const collecting = collectDiff(runReader, onHost, { maxBytes, releaseSlotWhile });
    const diff = await collecting.catch(async (error: unknown) => {
      if (error instanceof Failure && error.code === 'UNREADABLE')
        await database.transaction(async (tx) => {
          const { id: repositoryId } = await saveSeenRepository(tx, { seen, userId, askedAt });
          await noteUnfetchableDiff(tx, { repositoryId, ...range }, { message: error.message, now: clock() });
        });
      throw error;
    });
    return await database.transaction((tx) => storePullRequest(tx, fetched, diff));
  } finally {
    leave();
  }
}

/**
 * Stores the host's data, unless a later ingest has. Null if the diff turns out to be needed and was not read. Ingests
 * of one repository take turns on its row. The quota is taken first, because data that is rolled back still occupies
 * the disk for a while.
 */
async function storePullRequest(
  tx: Queries,
  fetched: Fetched,
  diff: CollectedDiff | null,
): Promise<Ingested | null> {
  const { seen, number, version: hostVersion, texts, askedAt: fetchedAt, quota } = fetched;
  const repository = await saveSeenRepository(tx, fetched);
  // An operator may have removed it since the host responded.
  if ((await findRemoval(tx, seen)).numbers.has(number)) throw noPullRequest(seen.owner, seen.name, number);
  const stored = await findStoredDiff(tx, { ...seen, number });
  if (stored && stored.fetchedAt > fetchedAt) return showIngested(tx, fetched, repository);
  if (isDiffUpToDate(stored, fetched)) {
    const { id } = stored;
    const haveTextsChanged = await havePullRequestTextsChanged(tx, { id, texts });
    if (haveTextsChanged) {
      await takeBytes(tx, quota, { content: texts, now: fetchedAt });
      await savePullRequestTexts(tx, { id, texts });
    }
    await refreshPullRequest(tx, { id, texts, hostVersion, fetchedAt });
    if (haveTextsChanged) await leaveOutLost(tx, id);
    return showIngested(tx, fetched, repository);
  }
  if (!diff) return null;
  const { read, parts, cutAtBytes } = diff;
  const content = { ...texts, ...read };
  await takeBytes(tx, quota, { content, parts, now: fetchedAt });
  const { id: repositoryId } = repository;
  const saved = await savePullRequest(tx, { repositoryId, content, cutAtBytes, hostVersion, fetchedAt });
  await saveDiffs(tx, [{ ...saved, parts }], fetchedAt);
  await leaveOutLost(tx, saved.pullRequestId);
  return { ...(await showIngested(tx, fetched, repository)), isNew: saved.isNew };
}

/**
 * The stored pull request for a viewer to whom the host has shown the repository. The only check of access after an
 * ingest.
 */
async function showIngested(
  tx: Queries,
  { seen, number, userId, askedAt }: Fetch,
  { id: repositoryId }: Repository,
): Promise<Ingested> {
  const viewer = { userId, now: askedAt, purpose: 'detail' } as const;
  const pullRequest = await findPullRequest(tx, { repositoryId, number, viewer });
  // The repository became private after the host responded.
  if (!pullRequest) throw noPullRequest(seen.owner, seen.name, number);
  await notePullRequestUse(tx, pullRequest, askedAt);
  return { pullRequest, hostRepoId: seen.hostRepoId, isPrivate: seen.isPrivate, isNew: false };
}

interface IngestQuota {
  counter: ReturnType<typeof bytesQuotaOf>;
  bytesPerDay: number;
}

export const ingestQuotaOf = (
  { ingestBytesPerDay: bytesPerDay }: Pick<IngestDeps, 'ingestBytesPerDay'>,
  viewer: ActingUser | null,
): IngestQuota | null =>
  viewer && bytesPerDay > 0 && !isOperator(viewer.identity)
    ? { counter: bytesQuotaOf(viewer.identity), bytesPerDay }
    : null;

interface Stored {
  content: object;
  parts?: CollectedDiff['parts'];
  now: Date;
}

/**
 * Takes the database size of a pull request from the quota: its compressed diff, and the rest as JSON. False if the
 * quota is used up.
 */
export async function takesQuota(
  tx: Queries,
  quota: IngestQuota | null,
  { content, parts = [], now }: Stored,
): Promise<boolean> {
  if (!quota) return true;
  const { counter, bytesPerDay } = quota;
  const diffBytes = parts.reduce((sum, { compressed }) => sum + compressed.length, 0);
  const amount = diffBytes + Buffer.byteLength(JSON.stringify(content));
  return takeQuota(tx, counter, { amount, needs: 1, most: bytesPerDay, now });
}

async function takeBytes(tx: Queries, quota: IngestQuota | null, stored: Stored): Promise<void> {
  if (quota && !(await takesQuota(tx, quota, stored))) throw quotaUsedUp(quota, stored.now);
}

const quotaUsedUp = ({ bytesPerDay }: IngestQuota, now: Date): Failure =>
  quotaExhausted(
    `You have reached today's limit of ${bytesPerDay / 1024 / 1024} MiB of fetched pull requests. You can still read stored pull requests and write articles about them.`,
    now,
  );

/**
 * Deletes a pull request whose stored issue was public and is hidden now, with everything derived from it, because any
 * of that may quote the issue. It is then stored again without the issue.
 */
async function forgetHiddenIssues(
  database: Database,
  { seen, number, askedAt }: Fetch,
  { areIssuesHidden, linkedIssues }: HostPullRequest,
): Promise<void> {
  if (!areIssuesHidden) return;
  const stored = await findQuotedIssues(database, { ...seen, number });
  const shown = new Set(linkedIssues.map((issue) => issue.number));
  const gone = stored?.issues.filter((issue) => !shown.has(issue)) ?? [];
  if (!stored || gone.length === 0 || !(await areIssuesHidden(gone))) return;
  await database.transaction((tx) => deletePullRequests(tx, [stored.pullRequestId], askedAt));
}

/** Limits in total and per user, so that one user does not keep others out. */
const slots = {
  texts: { most: 8, ofUser: 2 },
  diffs: { most: 4, ofUser: 2 },
  /** Fetches that may take a quarter of an hour have slots of their own. */
  releaseSlotWhile: { most: 3, ofUser: 1 },
};

const slotPatienceMs = 5 * 60 * 1000;

async function acquireSlot(
  semaphore: Semaphore,
  kind: keyof typeof slots,
  userId: string | null,
): Promise<() => void> {
  const { most, ofUser } = slots[kind];
  const shares = [
    { of: kind, most },
    { of: `${kind} of ${userId ?? 'anonymous'}`, most: ofUser },
  ];
  try {
    return await semaphore.acquire(shares, AbortSignal.timeout(slotPatienceMs));
  } catch (cause) {
    const message = 'Too many pull requests are being fetched. Try again.';
    throw new Failure('UNAVAILABLE', message, { cause });
  }
}

/** Acquires a slot for a diff, which is free for other requests while `releaseSlotWhile` runs. */
export async function acquireDiffSlot(
  semaphore: Semaphore,
  userId: string | null,
): Promise<{ leave: () => void; releaseSlotWhile: ReleaseSlotWhile }> {
  let leave = await acquireSlot(semaphore, 'diffs', userId);
  return {
    leave: () => leave(),
    async releaseSlotWhile(work) {
      leave();
      const comeBack = await acquireSlot(semaphore, 'releaseSlotWhile', userId);
      const done = await work().finally(comeBack);
      leave = await acquireSlot(semaphore, 'diffs', userId);
      return done;
    },
  };
}
