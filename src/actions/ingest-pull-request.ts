import type { HostPullRequest, HostRepository } from '../code-hosts/code-host.ts';
import type { Database, Queries } from '../db/database.ts';
import {
  findPullRequest,
  type PullRequestWords,
  refreshPullRequest,
  type StoredPullRequest,
  savePullRequest,
} from '../db/pull-requests.ts';
import { saveSeenRepository } from '../db/repositories.ts';
import { findStoredDiff, type StoredDiff, saveDiff } from '../db/stored-diffs.ts';
import { findUnfetchable, noteUnfetchable } from '../db/unreadable-diffs.ts';
import { isSameDiff } from '../domain/diff-range.ts';
import { Failure } from '../domain/errors.ts';
import type { Gate } from '../domain/gate.ts';
import { mostComments, mostCommits } from '../domain/pull-request-bounds.ts';
import { type CollectedDiff, collectDiff } from './collect-diff.ts';
import { findOnHost, type RepositoryAddress } from './find-on-host.ts';
import type { SignedUpViewer } from './identify-bearer.ts';
import type { RunInThread } from './thread-tasks.ts';

export interface IngestParts {
  database: Database;
  clock: () => Date;
  maxDiffBytes: number;
  runInThread: RunInThread;
  /** What decides whether a diff can be read: the program and its limits. */
  terms: () => Promise<string>;
  /** Where those wait who are about to read a diff, because it is held in memory until it is stored. */
  diffGate: Gate;
}

/** How many diffs are held at once, and of one user, so that theirs keep nobody out. */
const mostDiffs = 4;
const mostDiffsOfUser = 2;

/** As long as the largest diff may take. */
const patienceMs = 5 * 60 * 1000;

/** Each round can be spoilt only by somebody who asked earlier and stores what they got in that very moment. */
const mostRounds = 5;

interface Ingested {
  pullRequest: StoredPullRequest;
  isNew: boolean;
}

/**
 * Fetches a pull request with the viewer's rights and stores it whole, or not at all. When its diff is the one that is
 * stored, it is not read again; a limit that was raised since reads again what it left out.
 */
export async function ingestPullRequest(
  parts: IngestParts,
  address: RepositoryAddress,
  number: number,
  { identity, user }: SignedUpViewer,
): Promise<Ingested> {
  const { database, clock, maxDiffBytes } = parts;
  const { codeHost } = address;
  const askedAt = clock();
  const found = await findOnHost(address, identity);
  const onHost = await codeHost.findPullRequest(found, number);
  if (!onHost) throw noPullRequest(found.owner, found.name, number);
  const seen = { host: codeHost.id, ...found };
  const fetched = { seen, userId: user.id, words: wordsOf(onHost), askedAt, maxDiffBytes };
  for (let round = 0; round < mostRounds; round += 1) {
    const stored = await findStoredDiff(database, { ...seen, number });
    const ingested = isUpToDate(stored, fetched)
      ? await database.transaction((tx) => save(tx, fetched, null))
      : await saveWithDiff(parts, fetched, onHost);
    if (ingested) return ingested;
  }
  throw new Failure('UNAVAILABLE', 'This pull request is changing all the time. Try again.');
}

interface Fetched {
  seen: HostRepository & { host: string };
  userId: string;
  words: PullRequestWords;
  askedAt: Date;
  maxDiffBytes: number;
}

/** Whether what is stored is the diff that the host has, as far as the limit lets us read it. */
function isUpToDate(stored: StoredDiff | null, { words, maxDiffBytes }: Fetched): stored is StoredDiff {
  if (!stored || !isSameDiff(stored, words)) return false;
  return stored.cutAtBytes === null || stored.cutAtBytes >= maxDiffBytes;
}

async function saveWithDiff(
  parts: IngestParts,
  fetched: Fetched,
  onHost: HostPullRequest,
): Promise<Ingested | null> {
  const leave = await enter(parts.diffGate, fetched.userId);
  try {
    const diff = await collect(parts, fetched, onHost);
    return await parts.database.transaction((tx) => save(tx, fetched, diff));
  } finally {
    leave();
  }
}

async function enter(diffGate: Gate, userId: string): Promise<() => void> {
  const shares = [
    { of: 'all', most: mostDiffs },
    { of: userId, most: mostDiffsOfUser },
  ];
  try {
    return await diffGate.enter(shares, AbortSignal.timeout(patienceMs));
  } catch (cause) {
    const message = 'So many pull requests are being fetched that this one had to wait too long. Try again.';
    throw new Failure('UNAVAILABLE', message, { cause });
  }
}

/** Reads the diff, unless that was too much the last time and nothing has changed since. */
async function collect(
  { database, clock, runInThread, terms: termsOf }: IngestParts,
  { seen, userId, words, askedAt, maxDiffBytes }: Fetched,
  onHost: HostPullRequest,
): Promise<CollectedDiff> {
  const { number, baseSha, headSha } = words;
  const diff = { number, baseSha, headSha, terms: await termsOf() };
  const known = await findUnfetchable(database, { ...seen, ...diff });
  if (known !== null) throw new Failure('UNREADABLE', known);
  try {
    return await collectDiff(runInThread, onHost, maxDiffBytes);
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
 * Stores what the host said, unless somebody who asked it later has stored already. Null when the diff would be needed and
 * was not read. Whoever stores something of the same repository waits for the row of the repository.
 */
async function save(tx: Queries, fetched: Fetched, diff: CollectedDiff | null): Promise<Ingested | null> {
  const { seen, userId, words, askedAt } = fetched;
  const { number } = words;
  const { id: repositoryId } = await saveSeenRepository(tx, { seen, userId, askedAt });
  const stored = await findStoredDiff(tx, { ...seen, number });
  let isNew = false;
  if (!stored || stored.fetchedAt <= askedAt) {
    if (isUpToDate(stored, fetched)) {
      await refreshPullRequest(tx, { id: stored.id, words, fetchedAt: askedAt });
    } else if (diff) {
      const { read, parts, cutAtBytes } = diff;
      const content = { ...words, ...read };
      const saved = await savePullRequest(tx, { repositoryId, content, cutAtBytes, fetchedAt: askedAt });
      await saveDiff(tx, saved, { parts, now: askedAt });
      isNew = saved.isNew;
    } else return null;
  }
  const viewer = { userId, now: askedAt, purpose: 'detail' } as const;
  const pullRequest = await findPullRequest(tx, { repositoryId, number, viewer });
  // The repository turned private since the host was asked.
  if (!pullRequest) throw noPullRequest(seen.owner, seen.name, number);
  return { pullRequest, isNew };
}

export function noPullRequest(owner: string, name: string, number: number): Failure {
  return new Failure(
    'PULL_REQUEST_NOT_FOUND',
    `There is no pull request ${owner}/${name}#${number}, or you may not see it. Check the number.`,
  );
}

function wordsOf(onHost: HostPullRequest): PullRequestWords {
  const { number, title, authorLogin, state, baseSha, headSha, mergedAt } = onHost;
  const { body, labels, baseRef, headRef, linkedIssues } = onHost;
  return {
    number,
    title,
    authorLogin,
    state,
    baseSha,
    headSha,
    mergedAt,
    body,
    labels,
    baseRef,
    headRef,
    linkedIssues,
    hostUrl: onHost.url,
    hostCreatedAt: onHost.createdAt,
    commits: onHost.commits.slice(0, mostCommits),
    comments: onHost.comments.slice(0, mostComments).map(({ createdAt, ...comment }) => ({
      ...comment,
      createdAt: createdAt.toISOString(),
    })),
  };
}
