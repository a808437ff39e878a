import { type HostRepository, MovedMeanwhile } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import { AnswerTooLarge } from '../http/host-failures.ts';
import type { GitHubClient } from './github-client.ts';
import { RangePullRequestPayload } from './payloads.ts';
import { ifVisibleTo, repositoryOf } from './read-repository.ts';

const pageSize = 100;

/** How many pages of pull requests are listed to find those that commits name, and how few of these are left to be asked for singly. */
const mostListed = 10;
const fewEnough = 10;

/**
 * How many numbers that were not listed, and how many commits that name none, GitHub is asked about by a question each. What is
 * asked with the service's token, or with none, is taken from all others.
 */
export const mostAskedAbout = ({ isService }: HostCaller): { numbers: number; commits: number } =>
  isService ? { numbers: 15, commits: 15 } : { numbers: 1_000, commits: 100 };

/** How many questions are under way at once. */
const atOnce = 8;

export const pathOf = ({ hostRepoId }: HostRepository): string => `/repositories/${hostRepoId}`;

/** Merged pull requests by numbers, the newest first, and those numbers of which GitHub was not asked. */
export async function readNamed(
  client: GitHubClient,
  repository: HostRepository,
  numbers: ReadonlySet<number>,
  caller: HostCaller,
): Promise<{ told: Map<number, RangePullRequestPayload>; unknown: Set<number> }> {
  const isMerged = isMergedIn(repository, caller);
  const told = new Map<number, RangePullRequestPayload>();
  const unknown = new Set(numbers);
  const take = (pull: RangePullRequestPayload) => {
    if (unknown.delete(pull.number) && isMerged(pull)) told.set(pull.number, pull);
  };
  for (let page = 1; page <= mostListed && unknown.size > fewEnough; page += 1) {
    const { items, isLast } = await listClosed(client, repository, page, caller);
    items.forEach(take);
    if (isLast) break;
  }
  await inTurns([...unknown].slice(0, mostAskedAbout(caller).numbers), async (number) => {
    const pull = await client.get(`${pathOf(repository)}/pulls/${number}`, RangePullRequestPayload, caller);
    if (pull) take(pull);
    unknown.delete(number);
  });
  return { told, unknown };
}

/** A page of closed pull requests; the last one where it is more than is read at once. */
async function listClosed(
  client: GitHubClient,
  repository: HostRepository,
  page: number,
  caller: HostCaller,
): Promise<{ items: RangePullRequestPayload[]; isLast: boolean }> {
  const path = `${pathOf(repository)}/pulls?state=closed&sort=updated&direction=desc&per_page=${pageSize}&page=${page}`;
  try {
    const read = await client.pageUnlessUnchanged(path, RangePullRequestPayload, caller, null);
    if (!read || read === 'unchanged') throw new MovedMeanwhile();
    return read;
  } catch (error) {
    if (error instanceof AnswerTooLarge) return { items: [], isLast: true };
    throw error;
  }
}

/** Of the same repository, and one that the caller may be shown. */
export const isMergedIn =
  ({ hostRepoId }: HostRepository, caller: HostCaller) =>
  ({ base, merged_at }: RangePullRequestPayload): boolean =>
    merged_at !== null && ifVisibleTo(caller, repositoryOf(base.repo))?.hostRepoId === hostRepoId;

/** A few at a time, in the order given. */
export async function inTurns<Given, Done>(
  given: readonly Given[],
  work: (one: Given) => Promise<Done>,
): Promise<Done[]> {
  const done: Done[] = [];
  for (let at = 0; at < given.length; at += atOnce)
    done.push(...(await Promise.all(given.slice(at, at + atOnce).map(work))));
  return done;
}
