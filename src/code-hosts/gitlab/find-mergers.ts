import type { HostRepository } from '../code-host.ts';
import { timeOf } from '../host-times.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import type { DatedCommit } from '../http/read-commits.ts';
import { ownLine, sortRange } from '../sort-range.ts';
import { RangeMergeRequestPayload } from './payloads.ts';
import { projectPathById } from './read-project.ts';

const pageSize = 100;

/** How many pages of merge requests are listed to find those that commits were merged by. */
const mostListed = 10;

/** Clocks of those who commit and of the server differ. */
const dayMs = 24 * 60 * 60 * 1000;

/** How many commits GitLab is asked about by a question each: what is asked with the service's token, or with none, is taken from all others. */
export const mostAskedAbout = ({ isService }: HostCaller): number => (isService ? 15 : 100);

/** What GitLab writes below the message of a merge, unless a team has it write something else. */
const seeMergeRequest = /^See merge request (\S{1,500})?!([1-9]\d{0,14})$/m;

interface Parts {
  client: HostClient;
  clock: () => Date;
}

interface Mergers {
  /** Merge requests by their numbers. */
  told: Map<number, RangeMergeRequestPayload>;
  /** By commit, the number of what was merged by it. */
  broughtBy: Map<string, number>;
  /** Commits that bring once more what a merge request brought, and its number. */
  copies: Map<DatedCommit, number>;
}

/** The merge requests that commits of a range name, or that were merged by commits of it as the list of all has it. */
export async function findMergers(
  { client, clock }: Parts,
  repository: HostRepository,
  commits: DatedCommit[],
  caller: HostCaller,
): Promise<Mergers> {
  const mergers: Mergers = { told: new Map(), broughtBy: new Map(), copies: new Map() };
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const take = (found: RangeMergeRequestPayload): void => {
    if (found.state !== 'merged' || found.project_id !== repository.hostRepoId) return;
    const sha = [found.merge_commit_sha, found.squash_commit_sha, found.sha].find(
      (one) => one && bySha.has(one),
    );
    if (sha) mergers.broughtBy.set(sha, found.iid);
    mergers.told.set(found.iid, found);
  };
  const named = namedIn(repository, commits);
  for (const numbers of inParts([...new Set(named.values())])) {
    const query = numbers.map((number) => `iids[]=${number}`).join('&');
    const path = `${projectPathById(repository)}/merge_requests?${query}&per_page=${pageSize}`;
    (await client.page(path, RangeMergeRequestPayload, caller)).items.forEach(take);
  }
  const line = new Set(ownLine(commits));
  const isLeft = () => sortRange(commits, mergers.broughtBy).bare.some((commit) => line.has(commit));
  if (isLeft()) await listMerged({ client, clock }, repository, commits, { take, isLeft, caller });
  noteCopies(named, mergers);
  return mergers;
}

/** By commit, the number that it names of the same project. */
function namedIn({ owner, name }: HostRepository, commits: DatedCommit[]): Map<DatedCommit, number> {
  const own = `${owner}/${name}`.toLowerCase();
  return new Map(
    commits.flatMap((commit): [DatedCommit, number][] => {
      const [, of = own, number] = seeMergeRequest.exec(commit.body) ?? [];
      return number && of.toLowerCase() === own ? [[commit, Number(number)]] : [];
    }),
  );
}

function inParts(numbers: number[]): number[][] {
  const count = Math.ceil(numbers.length / pageSize);
  return Array.from({ length: count }, (_, part) => numbers.slice(part * pageSize, (part + 1) * pageSize));
}

/** Whatever was merged by a commit has changed since that was made. */
async function listMerged(
  { client, clock }: Parts,
  repository: HostRepository,
  commits: DatedCommit[],
  {
    take,
    isLeft,
    caller,
  }: { take: (found: RangeMergeRequestPayload) => void; isLeft: () => boolean; caller: HostCaller },
): Promise<void> {
  const times = commits.flatMap(({ committedAt }) => committedAt?.getTime() ?? []);
  const since = new Date(times.reduce((one, other) => Math.min(one, other), clock().getTime()) - dayMs);
  const query = `state=merged&order_by=updated_at&updated_after=${timeOf(since.toISOString()).toISOString()}`;
  for (let page = 1; page <= mostListed && isLeft(); page += 1) {
    const path = `${projectPathById(repository)}/merge_requests?${query}&per_page=${pageSize}&page=${page}`;
    const { items, isLast } = await client.page(path, RangeMergeRequestPayload, caller);
    items.forEach(take);
    if (isLast) break;
  }
}

/** What was picked from a merge says of which, and names its merge request still. Where that is not in the range itself, it stands for it. */
function noteCopies(named: Map<DatedCommit, number>, { told, broughtBy, copies }: Mergers): void {
  const brought = new Set(broughtBy.values());
  for (const [commit, number] of named) {
    if (broughtBy.has(commit.sha) || !told.has(number)) continue;
    if (!/\(cherry picked from commit [0-9a-f]{7,64}\)/.test(commit.body)) continue;
    copies.set(commit, number);
    if (!brought.has(number)) broughtBy.set(commit.sha, number);
  }
}
