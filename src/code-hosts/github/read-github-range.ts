import { type HostRange, type HostRepository, MovedMeanwhile, UnrelatedRefs } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import { inTurns } from '../http/host-client.ts';
import {
  askForPulls,
  changesOfRange,
  type FoundRange,
  KeptRanges,
  type RangePull,
  type RangeQuestions,
  rangeOf,
  unknownEnd,
} from '../http/ranges.ts';
import { numberNamedBy } from '../sort-range.ts';
import type { GitHubClient } from './github-api.ts';
import { ifVisibleTo, RangePayload, RangePullRequestPayload, repositoryOf, TagPayload } from './payloads.ts';
import { summaryOf } from './read-github-pull-request.ts';

interface Parts {
  client: GitHubClient;
  web: string;
}

/** As many commits as GitHub lists at once, and how many pages of them are read: those with the newest. */
const pageSize = 100;
const mostPages = 10;

const pathOf = ({ hostRepoId }: HostRepository): string => `/repositories/${hostRepoId}`;

const comparison = (repository: HostRepository, from: string, to: string, page: string): string =>
  `${pathOf(repository)}/compare/${encodeURIComponent(from)}...${encodeURIComponent(to)}?${page}`;

/** Reads ranges of GitHub, and keeps them for a while. */
export const createGitHubRanges = ({ clock, ...parts }: Parts & { clock: () => Date }): KeptRanges =>
  new KeptRanges({
    find: (repository, wanted, caller) => findRange(parts.client, repository, wanted, caller),
    read: (repository, found, caller) => readFound(parts, repository, found, caller),
    clock,
  });

/** A comparison tells which commit its beginning is: that of the other way round is the end. Its second page comes without files. */
async function findRange(
  client: GitHubClient,
  repository: HostRepository,
  { from, to }: { from: string; to: string },
  caller: HostCaller,
): Promise<FoundRange> {
  const compare = (one: string, other: string) =>
    client.get(comparison(repository, one, other, 'per_page=1&page=2'), RangePayload, caller, {
      isCostly: true,
    });
  const [found, back] = await Promise.all([compare(from, to), compare(to, from)]);
  if (found && back)
    return {
      fromSha: found.base_commit.sha,
      toSha: back.base_commit.sha,
      total: found.total_commits,
      behind: found.behind_by,
    };
  // What is there can be compared with itself. Without a common ancestor, GitHub says of both that they are not there.
  const [isFrom, isTo] = await Promise.all([compare(from, from), compare(to, to)]);
  if (isFrom && isTo) throw new UnrelatedRefs(from, to);
  const tags = await listGitHubTags(client, repository, pageSize, caller);
  throw unknownEnd({ from, to }, isFrom !== null, tags);
}

export async function listGitHubTags(
  client: GitHubClient,
  repository: HostRepository,
  atMost: number,
  caller: HostCaller,
): Promise<string[]> {
  const { items } = await client.page(`${pathOf(repository)}/tags?per_page=${atMost}`, TagPayload, caller);
  return items.map(({ name }) => name);
}

async function readFound(
  parts: Parts,
  repository: HostRepository,
  found: FoundRange,
  caller: HostCaller,
): Promise<HostRange> {
  const last = Math.ceil(found.total / pageSize);
  const pages = Array.from({ length: Math.min(last, mostPages) }, (_, index) => last - index);
  const read = await inTurns(pages, async (page) => {
    const path = comparison(repository, found.fromSha, found.toSha, `per_page=${pageSize}&page=${page}`);
    const compared = await parts.client.get(path, RangePayload, caller, { isCostly: true });
    if (!compared) throw new MovedMeanwhile();
    return compared.commits.toReversed();
  });
  const listed = read.flat().map(({ sha, parents, commit }) => ({
    sha,
    parents: parents.flatMap((parent) => parent.sha ?? []),
    message: commit.message,
    committedAt: commit.committer?.date,
  }));
  const questions = questionsFor(parts, repository, caller);
  return rangeOf(found, listed, (commits) => changesOfRange(commits, questions));
}

function questionsFor(
  { client, web }: Parts,
  repository: HostRepository,
  caller: HostCaller,
): RangeQuestions {
  const path = pathOf(repository);
  const pullOf = (pull: RangePullRequestPayload): RangePull => {
    const shown = ifVisibleTo(caller, repositoryOf(pull.base.repo));
    return {
      number: pull.number,
      title: pull.title,
      isMerged: pull.merged_at !== null && shown?.hostRepoId === repository.hostRepoId,
      mergeCommitSha: pull.merge_commit_sha ?? null,
      told: { ...summaryOf(pull, web), body: pull.body ?? null },
    };
  };
  return {
    ...askForPulls({
      client,
      caller,
      schema: RangePullRequestPayload,
      path: `${path}/pulls`,
      closedPage: (page) => `state=closed&sort=updated&direction=desc&per_page=${pageSize}&page=${page}`,
      pullOf,
    }),
    async ofCommit(sha) {
      const { items } = await client.page(`${path}/commits/${sha}/pulls`, RangePullRequestPayload, caller);
      return items.map(pullOf);
    },
    numberNamedBy,
  };
}
