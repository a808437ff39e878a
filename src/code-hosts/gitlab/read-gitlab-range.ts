import { type HostRange, type HostRepository, MovedMeanwhile, type RangeChange } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { inTurns } from '../http/in-turns.ts';
import type { FoundRange } from '../http/kept-ranges.ts';
import { type DatedCommit, rangeOf, unknownEnd } from '../http/read-commits.ts';
import { changesIn, ownLine, sortRange } from '../sort-range.ts';
import { countItems } from './count-items.ts';
import { findMergers, mostAskedAbout } from './find-mergers.ts';
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
