import type { HostPullRequest } from '../code-hosts/code-host.ts';
import type { Database } from '../db/database.ts';
import {
  findPullRequest,
  findStoredHead,
  type PullRequestContent,
  refreshPullRequest,
  replaceDiff,
  type StoredPullRequest,
  savePullRequest,
} from '../db/pull-requests.ts';
import { saveSeenRepository } from '../db/repositories.ts';
import { Failure } from '../domain/errors.ts';
import { collectDiff } from './collect-diff.ts';
import { findOnHost, type RepositoryAddress } from './find-on-host.ts';
import type { SignedUpViewer } from './identify-bearer.ts';

export interface IngestParts {
  database: Database;
  clock: () => Date;
  maxDiffBytes: number;
}

/**
 * Fetches a pull request with the viewer's rights and stores it whole, or not at all. When its head is the one that is
 * stored, the diff is not read again.
 */
export async function ingestPullRequest(
  { database, clock, maxDiffBytes }: IngestParts,
  address: RepositoryAddress,
  number: number,
  { identity, user }: SignedUpViewer,
): Promise<{ pullRequest: StoredPullRequest; isNew: boolean }> {
  const { codeHost } = address;
  const found = await findOnHost(address, identity);
  const onHost = await codeHost.findPullRequest(found, number);
  if (!onHost) throw noPullRequest(found.owner, found.name, number);
  const seen = { host: codeHost.id, ...found };
  const words = wordsOf(onHost);
  const stored = await findStoredHead(database, { ...seen, number });
  const diff = stored?.headSha === onHost.headSha ? null : await collectDiff(onHost, maxDiffBytes);
  const now = clock();

  return database.transaction(async (tx) => {
    const { id: repositoryId } = await saveSeenRepository(tx, { seen, userId: user.id, now });
    let isNew = false;
    if (diff) {
      const { parts, ...read } = diff;
      const saved = await savePullRequest(tx, { repositoryId, content: { ...words, ...read }, now });
      await replaceDiff(tx, saved.id, parts);
      isNew = saved.isNew;
    } else {
      await refreshPullRequest(tx, { repositoryId, content: words, now });
    }
    const viewer = { userId: user.id, now };
    const pullRequest = await findPullRequest(tx, { repositoryId, number, viewer });
    if (!pullRequest) throw new Error('A pull request was stored but cannot be read.');
    return { pullRequest, isNew };
  });
}

export function noPullRequest(owner: string, name: string, number: number): Failure {
  return new Failure(
    'PULL_REQUEST_NOT_FOUND',
    `There is no pull request ${owner}/${name}#${number}, or you may not see it. Check the number.`,
  );
}

function wordsOf(
  onHost: HostPullRequest,
): Omit<PullRequestContent, 'files' | 'unread' | 'additions' | 'deletions'> {
  const { number, title, authorLogin, state, headSha, mergedAt } = onHost;
  const { body, labels, baseRef, headRef, commits, linkedIssues } = onHost;
  return {
    number,
    title,
    authorLogin,
    state,
    headSha,
    mergedAt,
    body,
    labels,
    baseRef,
    headRef,
    commits,
    linkedIssues,
    hostUrl: onHost.url,
    hostCreatedAt: onHost.createdAt,
    comments: onHost.comments.map(({ createdAt, ...comment }) => ({
      ...comment,
      createdAt: createdAt.toISOString(),
    })),
  };
}
