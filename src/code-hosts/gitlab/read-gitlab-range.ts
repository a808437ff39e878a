import { type HostRange, type HostRepository, MovedMeanwhile, type RangeChange } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import { type HostClient, inTurns } from '../http/host-client.ts';
import { type DatedCommit, type FoundRange, rangeOf, unknownEnd } from '../http/ranges.ts';
import { timeOf } from '../payload-types.ts';
import { changesIn, ownLine, sortRange } from '../sort-range.ts';
import { countItems } from './gitlab-api.ts';
import { RangeCommitPayload, RangeMergeRequestPayload, TagPayload } from './payloads.ts';
import { summaryOf } from './read-merge-request.ts';
import { projectPathById } from './read-project.ts';

interface Parts {
  client: HostClient;
  web: string;
  clock: () => Date;
}

/** As many commits as GitLab lists at once, and how many pages of them are read: those with the newest. */
const pageSize = 100;
const mostPages = 10;

const repositoryPath = (repository: HostRepository): string => `${projectPathById(repository)}/repository`;

/** The commits that one has and another has not, newest first. */
const commitsBetween = (repository: HostRepository, from: string, to: string): string =>
  `${repositoryPath(repository)}/commits?ref_name=${encodeURIComponent(`${from}..${to}`)}`;

export async function findRange(
  { client }: Parts,
  repository: HostRepository,
  { from, to }: { from: string; to: string },
  caller: HostCaller,
): Promise<FoundRange> {
  const commitAt = (ref: string) =>
    client.get(
      `${repositoryPath(repository)}/commits/${encodeURIComponent(ref)}`,
      RangeCommitPayload,
      caller,
    );
  const [begin, end] = await Promise.all([commitAt(from), commitAt(to)]);
  if (begin && end) {
    const count = (one: string, other: string) =>
      countItems(client, commitsBetween(repository, one, other), RangeCommitPayload, caller);
    const [fromSha, toSha] = [begin.id, end.id];
    const [total, behind] = await Promise.all([count(fromSha, toSha), count(toSha, fromSha)]);
    return { fromSha, toSha, total, behind };
  }
  const tags = await listTags(client, repository, pageSize, caller);
  throw unknownEnd({ from, to }, begin !== null, tags);
}

export async function listTags(
  client: HostClient,
  repository: HostRepository,
  atMost: number,
  caller: HostCaller,
): Promise<string[]> {
  const path = `${repositoryPath(repository)}/tags?per_page=${atMost}`;
  return (await client.page(path, TagPayload, caller)).items.map(({ name }) => name);
}

export async function readFound(
  parts: Parts,
  repository: HostRepository,
  found: FoundRange,
  caller: HostCaller,
): Promise<HostRange> {
  const { client } = parts;
  const { fromSha, toSha } = found;
  const listed: RangeCommitPayload[] = [];
  const path = commitsBetween(repository, fromSha, toSha);
  for (let page = 1; page <= mostPages; page += 1) {
    const read = await client.page(`${path}&per_page=${pageSize}&page=${page}`, RangeCommitPayload, caller);
    listed.push(...read.items);
    if (read.isLast) break;
  }
  const told = listed.map(({ id: sha, parent_ids: parents, message, committed_date: committedAt }) => ({
    sha,
    parents,
    message,
    committedAt,
  }));
  return rangeOf(found, told, (commits) => changesOf(parts, repository, commits, caller));
}

/** Merge requests are found by the commits that they were merged by; what none was merged by is asked about by itself. */
async function changesOf(
  parts: Parts,
  repository: HostRepository,
  commits: DatedCommit[],
  caller: HostCaller,
): Promise<{ changes: RangeChange[]; unasked: number }> {
  const { client, web } = parts;
  const { told, broughtBy, copies } = await findMergers(parts, repository, commits, caller);
  const line = new Set(ownLine(commits));
  const bare = sortRange(commits, broughtBy).bare.filter((commit) => line.has(commit) && !copies.has(commit));
  const most = mostAskedAbout(caller);
  const unasked = new Set(bare.slice(most).map(({ sha }) => sha));
  await inTurns(bare.slice(0, most), async ({ sha }) => {
    const found = await mergeRequestOf(client, repository, sha, caller);
    if (!found) return;
    told.set(found.iid, found);
    broughtBy.set(sha, found.iid);
  });
  const tell = (number: number) => {
    const found = told.get(number);
    return found && { ...summaryOf(repository, found, web), body: found.description ?? null };
  };
  const changes = changesIn(commits, { broughtBy, copies, tell });
  const isTold = ({ pullRequest, commits: [first] }: RangeChange) =>
    pullRequest || !unasked.has(first?.sha ?? '');
  return { changes: changes.filter(isTold), unasked: unasked.size };
}

/** The merge request that a commit was merged with, where it was with one. */
async function mergeRequestOf(
  client: HostClient,
  repository: HostRepository,
  sha: string,
  caller: HostCaller,
): Promise<RangeMergeRequestPayload | undefined> {
  const path = `${repositoryPath(repository)}/commits/${sha}/merge_requests`;
  const page = await client.pageUnlessUnchanged(path, RangeMergeRequestPayload, caller, null);
  if (!page || page === 'unchanged') throw new MovedMeanwhile();
  return page.items.find((one) => one.state === 'merged' && one.project_id === repository.hostRepoId);
}

const listedAtOnce = 100;

/** How many pages of merge requests are listed to find those that commits were merged by. */
const mostListed = 10;

/** Clocks of those who commit and of the server differ. */
const dayMs = 24 * 60 * 60 * 1000;

/** How many commits GitLab is asked about by a question each: what is asked with the service's token, or with none, is taken from all others. */
export const mostAskedAbout = ({ isService }: HostCaller): number => (isService ? 15 : 100);

/** What GitLab writes below the message of a merge, unless a team has it write something else. */
const seeMergeRequest = /^See merge request (\S{1,500})?!([1-9]\d{0,14})$/m;

interface MergersParts {
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
  { client, clock }: MergersParts,
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
    const path = `${projectPathById(repository)}/merge_requests?${query}&per_page=${listedAtOnce}`;
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
  const count = Math.ceil(numbers.length / listedAtOnce);
  return Array.from({ length: count }, (_, part) =>
    numbers.slice(part * listedAtOnce, (part + 1) * listedAtOnce),
  );
}

/** Whatever was merged by a commit has changed since that was made. */
async function listMerged(
  { client, clock }: MergersParts,
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
    const path = `${projectPathById(repository)}/merge_requests?${query}&per_page=${listedAtOnce}&page=${page}`;
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
