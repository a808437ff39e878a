import {
  type HostPullRequest,
  type HostRepository,
  MovedMeanwhile,
  type ReleaseSlotWhile,
} from '../../code-hosts/code-host.ts';
import type { Database, Queries } from '../../db/database.ts';
import {
  findStoredDiff,
  findUnfetchable,
  noteUnfetchable,
  type StoredDiff,
  saveDiff,
} from '../../db/diffs.ts';
import {
  confirmPullRequest,
  findPullRequest,
  type HostTexts,
  haveTextsChanged,
  noteUse,
  refreshPullRequest,
  type StoredPullRequest,
  savePullRequest,
  saveTexts,
} from '../../db/pull-requests.ts';
import { findRemoval } from '../../db/removals.ts';
import { saveSeenRepository } from '../../db/repositories.ts';
import type { Repository } from '../../db/visibility.ts';
import { isOperator } from '../../domain/accounts.ts';
import type { Semaphore } from '../../domain/concurrency.ts';
import { type ErrorCode, Failure } from '../../domain/errors.ts';
import { isSameDiff } from '../../domain/pull-requests.ts';
import type { ActingUser } from '../accounts/identify-bearer.ts';
import type { RunInThread } from '../articles/thread-tasks.ts';
import type { CallerOn, RepositoryAddress } from '../repositories/find-on-host.ts';
import { type CollectedDiff, collectDiff } from './collect-diff.ts';
import { findPullRequestOnHost, noPullRequest } from './find-pull-request-on-host.ts';
import { forgetHiddenIssues } from './forget-hidden-issues.ts';
import { bytesToStore, type IngestQuota, requireQuota, takeQuota } from './ingest-quota.ts';
import { acquireDiffSlot, acquireSlot } from './reading-slots.ts';
import { textsOf } from './texts-of-pull-request.ts';

export interface IngestParts {
  database: Database;
  callerOn: CallerOn;
  clock: () => Date;
  maxDiffBytes: number;
  /** How much one person may have stored in a day; 0 where there is no limit. */
  ingestBytesPerDay: number;
  runInThread: RunInThread;
  /** What decides whether a diff can be read: the program and its limits. */
  terms: () => Promise<string>;
  /** Where those wait who are about to read something, because it is held in memory until it is stored. */
  semaphore: Semaphore;
  /** Has a piece of work done, unless it is being done already; settles with it. */
  share: (key: string, work: () => Promise<Ingested>) => Promise<Ingested>;
}

/** How long a host may take for all of it: a request may wait for it long after the first one has given up. */
const hostPatienceMs = 15 * 60 * 1000;

/** Failures that depend on whose token or quota was used: another viewer may well succeed. */
const ownFailures: ErrorCode[] = [
  'HOST_TOKEN_INVALID',
  'HOST_TOKEN_REQUIRED',
  'HOST_RATE_LIMITED',
  'QUOTA_EXHAUSTED',
  'REPOSITORY_NOT_FOUND',
  'PULL_REQUEST_NOT_FOUND',
  'USER_NOT_FOUND',
];

/** Each round can be spoilt only by an ingest that began earlier and stores its result in that very moment. */
const mostRounds = 5;

export interface Ingested {
  pullRequest: StoredPullRequest;
  hostRepoId: number;
  isPrivate: boolean;
  isNew: boolean;
}

/** What the host was asked for, for whom and when, and what it said of it at first. */
interface Asked {
  seen: HostRepository & { host: string };
  number: number;
  version: string | null;
  /** Null for an anonymous fetch, which is shown what is public. */
  userId: string | null;
  askedAt: Date;
  maxDiffBytes: number;
  quota: IngestQuota | null;
}

/**
 * Fetches a pull request with the viewer's rights and stores it whole, or not at all. When its diff is the one that is
 * stored, it is not read again; a limit that was raised since reads again what it left out. Where the host can say that
 * nothing has changed, nothing is read. A viewer to whom the host shows a pull request that is being read shares that ingest.
 */
export async function ingestPullRequest(
  parts: IngestParts,
  address: RepositoryAddress,
  number: number,
  viewer: ActingUser | null,
): Promise<Ingested> {
  const { database, clock, maxDiffBytes, ingestBytesPerDay: bytesPerDay, share } = parts;
  const askedAt = clock();
  const signal = AbortSignal.timeout(hostPatienceMs);
  const { repository, version, read } = await findPullRequestOnHost(parts, address, number, {
    viewer,
    signal,
  });
  const seen = { host: address.codeHost.id, ...repository };
  const userId = viewer?.user.id ?? null;
  const isLimited = viewer && bytesPerDay > 0 && !isOperator(viewer.identity);
  const quota = isLimited ? { holder: viewer.identity, bytesPerDay } : null;
  const asked: Asked = { seen, number, version, userId, askedAt, maxDiffBytes, quota };
  const stored = await findStoredDiff(database, { ...seen, number });
  const confirmed = isUnchanged(stored, asked) && (await database.transaction((tx) => confirm(tx, asked)));
  if (confirmed) return confirmed;
  const key = [seen.host, seen.hostRepoId, number, version].join(' ');
  for (;;) {
    let isOwn = false;
    const reading = share(key, () => {
      isOwn = true;
      return readAndSave(parts, asked, read);
    });
    if (isOwn) return reading;
    // A host that fails does so for all who wait, and each of them reading it again would make that worse.
    const shared = await reading.catch((error: unknown) => {
      if (error instanceof Failure && ownFailures.includes(error.code)) return null;
      throw error;
    });
    if (!shared) continue;
    // What is public is the same for all viewers; what is private needs a grant of the viewer's own.
    if (!seen.isPrivate && !shared.isPrivate) return { ...shared, isNew: false };
    return database.transaction(async (tx) => show(tx, asked, await saveSeenRepository(tx, asked)));
  }
}

async function readAndSave(
  parts: IngestParts,
  asked: Asked,
  read: () => Promise<HostPullRequest>,
): Promise<Ingested> {
  const readTexts = async () => {
    const leave = await acquireSlot(parts.semaphore, 'texts', asked.userId);
    return read().finally(leave);
  };
  try {
    return await saveRead(parts, asked, await readTexts());
  } catch (error) {
    if (!(error instanceof MovedMeanwhile)) throw error;
    return saveRead(parts, asked, await readTexts());
  }
}

async function saveRead(parts: IngestParts, asked: Asked, onHost: HostPullRequest): Promise<Ingested> {
  const { database } = parts;
  await forgetHiddenIssues(database, asked, onHost);
  const fetched = { ...asked, version: onHost.version, texts: textsOf(onHost) };
  for (let round = 0; round < mostRounds; round += 1) {
    const stored = await findStoredDiff(database, { ...asked.seen, number: asked.number });
    const ingested = isUpToDate(stored, fetched)
      ? await saveWithoutDiff(database, fetched, onHost)
      : await saveWithDiff(parts, fetched, onHost);
    if (ingested) return ingested;
  }
  throw new Failure('UNAVAILABLE', 'This pull request is changing all the time. Try again.');
}

interface Fetched extends Asked {
  texts: HostTexts;
}

/**
 * Whether the host says that all of it is as it is stored, as far as the limit lets us read it. What was stored by somebody who is told
 * more has a version that goes on after this one.
 */
function isUnchanged(stored: StoredDiff | null, { version, maxDiffBytes }: Asked): stored is StoredDiff {
  if (!stored?.hostVersion || version === null) return false;
  return `${stored.hostVersion} `.startsWith(`${version} `) && isWhole(stored, maxDiffBytes);
}

/** Whether what is stored is the diff that the host has, as far as the limit lets us read it. */
function isUpToDate(stored: StoredDiff | null, { texts, maxDiffBytes }: Fetched): stored is StoredDiff {
  return stored !== null && isSameDiff(stored, texts) && isWhole(stored, maxDiffBytes);
}

const isWhole = ({ cutAtBytes }: StoredDiff, maxDiffBytes: number): boolean =>
  cutAtBytes === null || cutAtBytes >= maxDiffBytes;

/** Notes that nothing has changed on the host; null when what is stored is no longer what it was when that was seen. */
async function confirm(tx: Queries, asked: Asked): Promise<Ingested | null> {
  const repository = await saveSeenRepository(tx, asked);
  const stored = await findStoredDiff(tx, { ...asked.seen, number: asked.number });
  if (!isUnchanged(stored, asked)) return null;
  await confirmPullRequest(tx, { id: stored.id, fetchedAt: asked.askedAt });
  return show(tx, asked, repository);
}

async function saveWithoutDiff(
  database: Database,
  fetched: Fetched,
  onHost: HostPullRequest,
): Promise<Ingested | null> {
  await onHost.requireSame?.();
  return database.transaction((tx) => save(tx, fetched, null));
}

async function saveWithDiff(
  parts: IngestParts,
  fetched: Fetched,
  onHost: HostPullRequest,
): Promise<Ingested | null> {
  await requireQuota(parts.database, fetched.quota, fetched.askedAt);
  const { leave, releaseSlotWhile } = await acquireDiffSlot(parts.semaphore, fetched.userId);
  try {
    const diff = await collect(parts, fetched, { onHost, releaseSlotWhile });
    return await parts.database.transaction((tx) => save(tx, fetched, diff));
  } finally {
    leave();
  }
}

/** Reads the diff, unless that was too much the last time and nothing has changed since. */
async function collect(
  { database, clock, runInThread, terms: termsOf }: IngestParts,
  { seen, userId, texts, askedAt, maxDiffBytes }: Fetched,
  { onHost, releaseSlotWhile }: { onHost: HostPullRequest; releaseSlotWhile: ReleaseSlotWhile },
): Promise<CollectedDiff> {
  const { number, baseSha, headSha } = texts;
  const diff = { number, baseSha, headSha, terms: await termsOf() };
  const known = await findUnfetchable(database, { ...seen, ...diff });
  if (known !== null) throw new Failure('UNREADABLE', known);
  try {
    return await collectDiff(runInThread, onHost, { maxBytes: maxDiffBytes, releaseSlotWhile });
  } catch (error) {
    if (error instanceof Failure && error.code === 'UNREADABLE') {
      await database.transaction(async (tx) => {
        const { id: repositoryId } = await saveSeenRepository(tx, { seen, userId, askedAt });
        await noteUnfetchable(tx, { repositoryId, ...diff }, { message: error.message, now: clock() });
      });
    }
    throw error;
  }
}

/**
 * Stores what the host said, unless an ingest that asked it later has stored already. Null when the diff would be needed and
 * was not read. Ingests of the same repository wait for its row. What is stored is taken from the quota first: what is stored
 * and then taken back lies on the disk for a while all the same.
 */
async function save(tx: Queries, fetched: Fetched, diff: CollectedDiff | null): Promise<Ingested | null> {
  const { seen, number, version: hostVersion, texts, askedAt, quota } = fetched;
  const repository = await saveSeenRepository(tx, fetched);
  // An operator may have removed it since the host was asked.
  if ((await findRemoval(tx, seen)).numbers.has(number)) throw noPullRequest(seen.owner, seen.name, number);
  const stored = await findStoredDiff(tx, { ...seen, number });
  let isNew = false;
  if (!stored || stored.fetchedAt <= askedAt) {
    if (isUpToDate(stored, fetched)) {
      const { id } = stored;
      if (await haveTextsChanged(tx, { id, texts })) {
        await takeQuota(tx, quota, bytesToStore(texts, []), askedAt);
        await saveTexts(tx, { id, texts });
      }
      await refreshPullRequest(tx, { id, texts, hostVersion, fetchedAt: askedAt });
    } else if (diff) {
      const { read, parts, cutAtBytes } = diff;
      const content = { ...texts, ...read };
      await takeQuota(tx, quota, bytesToStore(content, parts), askedAt);
      const { id: repositoryId } = repository;
      const fetchedAt = askedAt;
      const saved = await savePullRequest(tx, { repositoryId, content, cutAtBytes, hostVersion, fetchedAt });
      await saveDiff(tx, saved, { parts, now: askedAt });
      isNew = saved.isNew;
    } else return null;
  }
  return { ...(await show(tx, fetched, repository)), isNew };
}

/** What is stored, for whom the host has shown the repository. */
async function show(
  tx: Queries,
  { seen, number, userId, askedAt }: Asked,
  { id: repositoryId }: Repository,
): Promise<Ingested> {
  const viewer = { userId, now: askedAt, purpose: 'detail' } as const;
  const pullRequest = await findPullRequest(tx, { repositoryId, number, viewer });
  // The repository turned private since the host was asked.
  if (!pullRequest) throw noPullRequest(seen.owner, seen.name, number);
  await noteUse(tx, pullRequest, askedAt);
  return { pullRequest, hostRepoId: seen.hostRepoId, isPrivate: seen.isPrivate, isNew: false };
}
