import type {
  CodeHost,
  FoundPullRequest,
  HostRepository,
  PullRequestGlance,
} from '../../code-hosts/code-host.ts';
import { isUnstorable } from '../../db/failures.ts';
import {
  findChangedFiles,
  findPullRequest,
  notePullRequestUse,
  type StoredFiles,
  type StoredPullRequest,
} from '../../db/pull-requests.ts';
import { findLearnedRemoval, findRemoval } from '../../db/removals.ts';
import { Failure } from '../../domain/errors.ts';
import { pullRequestUrl } from '../../domain/pull-requests.ts';
import { repositorySegments } from '../../domain/repositories.ts';
import type { ActingUser, Deps, Viewer } from '../deps.ts';
import {
  type Asker,
  findRepositoryFor,
  noRepository,
  notShown,
  type RepositoryAddress,
} from '../repositories/find-repository.ts';
import { keepGrant } from './list-pull-requests.ts';

export interface PullRequestAddress extends RepositoryAddress {
  number: number;
}

type HostDeps = Pick<Deps, 'database' | 'callerOn' | 'clock'>;

/** Thrown for a pull request that an operator removed from a repository that the viewer may see. */
export class RemovedPullRequest extends Failure {
  constructor({ owner, name }: RepositoryAddress, number: number) {
    super('PULL_REQUEST_NOT_FOUND', `Pull request ${owner}/${name}#${number} is not stored here.`);
  }
}

export type FindingDeps = Pick<Deps, 'database' | 'codeHosts' | 'renewals' | 'clock'>;

/** A stored pull request that the viewer may see. Null if it does not exist or is hidden. */
export const findVisiblePullRequest = (
  deps: FindingDeps,
  pullRequest: PullRequestAddress,
  viewer: Viewer | null,
): Promise<StoredPullRequest> => findVisible(findPullRequest, deps, pullRequest, viewer);

export const findVisibleFiles = (
  deps: FindingDeps,
  pullRequest: PullRequestAddress,
  viewer: Viewer | null,
): Promise<StoredFiles> => findVisible(findChangedFiles, deps, pullRequest, viewer);

export async function findVisible<Stored extends Linked & Parameters<typeof notePullRequestUse>[1]>(
  find: (...named: Parameters<typeof findPullRequest>) => Promise<Stored | null>,
  deps: FindingDeps,
  pullRequest: PullRequestAddress,
  viewer: Viewer | null,
): Promise<Stored> {
  const { number, ...address } = pullRequest;
  const now = deps.clock();
  const visible = await findRepositoryFor(deps, address, { viewer, now });
  const stored =
    visible && (await find(deps.database, { repositoryId: visible.found.id, number, viewer: visible.seen }));
  if (!stored) {
    const isRemoved = visible && (await findRemoval(deps.database, visible.found)).numbers.has(number);
    throw isRemoved ? new RemovedPullRequest(address, number) : notStored(deps, pullRequest);
  }
  await notePullRequestUse(deps.database, stored, now).catch((error) => {
    // A full disk only keeps the use from being stored.
    if (!isUnstorable(error)) throw error;
  });
  return withPresentUrl(address.codeHost, stored);
}

function notStored({ codeHosts }: Pick<Deps, 'codeHosts'>, pullRequest: PullRequestAddress): Failure {
  const { owner, name, number } = pullRequest;
  return new Failure(
    'PULL_REQUEST_NOT_FOUND',
    `Pull request ${owner}/${name}#${number} is not stored here, or you do not have access to it. ` +
      `To fetch it, call ${operationOn(codeHosts, pullRequest, 'ingest')}. Pull requests without an article are deleted a week after their last use.`,
  );
}

/**
 * Finds a pull request on its host with the viewer's rights, or anonymously. Hidden and removed ones count as absent.
 */
export async function findPullRequestOnHost(
  { database, callerOn, clock }: HostDeps,
  address: RepositoryAddress,
  number: number,
  { viewer, signal }: { viewer: ActingUser | null; signal: AbortSignal },
): Promise<{ repository: HostRepository } & NonNullable<FoundPullRequest['pullRequest']>> {
  const { codeHost, owner, name } = address;
  const caller = await callerOn(codeHost, viewer, signal);
  const found = await codeHost.findPullRequest(owner, name, number, caller);
  const seen = found && { host: codeHost.id, ...found.repository };
  const removal = seen && (await findLearnedRemoval(database, seen, clock()));
  if (!found || removal?.isWhole)
    throw viewer ? await notShown(database, address, viewer, caller) : noRepository(address);
  const { repository, pullRequest } = found;
  if (!pullRequest || removal?.numbers.has(number))
    throw noPullRequest(repository.owner, repository.name, number);
  return { repository, ...pullRequest };
}

export function noPullRequest(owner: string, name: string, number: number): Failure {
  return new Failure(
    'PULL_REQUEST_NOT_FOUND',
    `Pull request ${owner}/${name}#${number} does not exist, or you do not have access to it. Check the number.`,
  );
}

/** The grant stored here also shows the viewer the stored data of a private repository. */
export async function glanceAtPullRequest(
  deps: HostDeps,
  { number, ...address }: PullRequestAddress,
  asker: Asker,
): Promise<PullRequestGlance & Pick<HostRepository, 'owner' | 'name' | 'isPrivate'>> {
  const askedAt = deps.clock();
  const { repository, glance } = await findPullRequestOnHost(deps, address, number, asker);
  const { owner, name, isPrivate } = repository;
  const seen = { host: address.codeHost.id, ...repository };
  if (isPrivate) await keepGrant(deps.database, { seen, userId: asker.viewer.user.id, askedAt });
  return { ...(await glance()), owner, name, isPrivate };
}

/** The name of an operation on a pull request, for messages that say what to do. The first host needs no name. */
export function operationOn(
  codeHosts: Pick<CodeHost, 'id'>[],
  { codeHost, owner, name, number }: RepositoryAddress & { number: number },
  what: 'article' | 'ingest',
): string {
  const host = codeHost.id === codeHosts[0]?.id ? '' : `?host=${codeHost.id}`;
  return `POST /repos/${repositorySegments(owner, name)}/pulls/${number}/${what}${host}`;
}

interface Linked {
  owner: string;
  repo: string;
  number: number;
  hostUrl: string | null;
}

/** The web address of clones is a setting, so links use the current one, or the stored one of their remote. */
export function withPresentUrl<Stored extends Linked>(
  codeHost: CodeHost | undefined,
  stored: Stored,
): Stored {
  if (!codeHost?.isLocal) return stored;
  const { owner, repo, number, hostUrl } = stored;
  const { webUrl, originUrl } = codeHost;
  if (webUrl === null && originUrl && hostUrl?.startsWith(`${originUrl}/`)) return stored;
  return { ...stored, hostUrl: pullRequestUrl(webUrl, { owner, name: repo }, number) };
}
