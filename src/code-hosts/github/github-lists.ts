import { isBotLogin, type MergedPullRequest } from '../../domain/pull-requests.ts';
import {
  type HostPullRequestList,
  type HostRepository,
  MovedMeanwhile,
  type PullRequestPage,
  UnrelatedRefs,
} from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import { inTurns } from '../http/host-client.ts';
import { type ChangedList, listPullRequests } from '../http/lists.ts';
import { ifVisibleTo } from '../http/network-host.ts';
import { queryPulls, type RangeQueries, type RangeSource, rangeOf, unknownEnd } from '../http/ranges.ts';
import { ghost, timeOf } from '../payload-types.ts';
import { numberNamedBy } from '../sort-range.ts';
import {
  type GitHubClient,
  MergedPullRequestPayload,
  PullRequestSummaryPayload,
  RangePayload,
  RangePullRequestPayload,
  repositoryOf,
  TagPayload,
} from './github-api.ts';
import { summaryOf } from './read-github-pull-request.ts';

const pageSize = 100;

const mostPages = 10;

const pathOf = ({ hostRepoId }: HostRepository): string => `/repositories/${hostRepoId}`;

export function listGitHubPullRequests(
  client: GitHubClient,
  web: string,
  { owner, name }: HostRepository,
  page: PullRequestPage,
  caller: HostCaller,
): Promise<HostPullRequestList> {
  const sorted = page.order === 'updated' ? '&sort=updated&direction=desc' : '';
  const path = `/repos/${owner}/${name}/pulls?state=${page.state}`;
  const list = {
    mostAtOnce: pageSize,
    readPage: (size: number, number: number) =>
      client.page(`${path}&per_page=${size}&page=${number}${sorted}`, PullRequestSummaryPayload, caller),
    isShown: ({ base }: PullRequestSummaryPayload) => ifVisibleTo(caller, repositoryOf(base.repo)) !== null,
    summaryOf: (item: PullRequestSummaryPayload) => summaryOf(item, web),
  };
  return listPullRequests(list, page);
}

export const listChanged = (
  client: GitHubClient,
  repository: HostRepository,
  caller: HostCaller,
): ChangedList<MergedPullRequestPayload> => ({
  sizes: { usual: 30, large: 100, small: 10 },
  readPage: (size, page, tag) => {
    const order = 'state=closed&sort=updated&direction=desc';
    const path = `${pathOf(repository)}/pulls?${order}&per_page=${size}&page=${page}`;
    return client.pageUnlessUnchanged(path, MergedPullRequestPayload, caller, tag);
  },
  changedAt: ({ updated_at }) => updated_at,
  numberOf: ({ number }) => number,
  mergedOf,
  repositoryOf: ({ base }) => ifVisibleTo(caller, repositoryOf(base.repo)) ?? 'hidden',
});

function mergedOf(item: MergedPullRequestPayload): MergedPullRequest | null {
  const { number, user, labels, draft = false, merged_at } = item;
  if (merged_at === null) return null;
  const authorLogin = user?.login ?? ghost;
  return {
    number,
    mergedAt: timeOf(merged_at),
    authorLogin,
    isBot: user?.type === 'Bot' || isBotLogin(authorLogin),
    isDraft: draft,
    labels: labels.flatMap(({ name }) => name ?? []),
  };
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

export function readGitHubRanges(client: GitHubClient, web: string): RangeSource {
  const compare = (
    repository: HostRepository,
    from: string,
    to: string,
    page: string,
    caller: HostCaller,
  ) => {
    const ends = `${encodeURIComponent(from)}...${encodeURIComponent(to)}`;
    return client.get(`${pathOf(repository)}/compare/${ends}?${page}`, RangePayload, caller, {
      isCostly: true,
    });
  };
  return {
    /** A comparison names the commit at its beginning, so that the reverse one names the end. Its second page has no files. */
    async find(repository, { from, to }, caller) {
      const look = (one: string, other: string) =>
        compare(repository, one, other, 'per_page=1&page=2', caller);
      const [found, back] = await Promise.all([look(from, to), look(to, from)]);
      if (found && back)
        return {
          fromSha: found.base_commit.sha,
          toSha: back.base_commit.sha,
          total: found.total_commits,
          behind: found.behind_by,
        };
      // An existing ref can be compared with itself. GitHub says "not found" for refs without a common ancestor too.
      const [isFrom, isTo] = await Promise.all([look(from, from), look(to, to)]);
      if (isFrom && isTo) throw new UnrelatedRefs(from, to);
      const tags = await listGitHubTags(client, repository, pageSize, caller);
      throw unknownEnd({ from, to }, isFrom !== null, tags);
    },
    async read(repository, found, caller) {
      const last = Math.ceil(found.total / pageSize);
      const pages = Array.from({ length: Math.min(last, mostPages) }, (_, index) => last - index);
      const read = await inTurns(pages, async (page) => {
        const query = `per_page=${pageSize}&page=${page}`;
        const compared = await compare(repository, found.fromSha, found.toSha, query, caller);
        if (!compared) throw new MovedMeanwhile();
        return compared.commits.toReversed();
      });
      const listed = read.flat().map(({ sha, parents, commit }) => ({
        sha,
        parents: parents.flatMap((parent) => parent.sha ?? []),
        message: commit.message,
        committedAt: commit.committer?.date,
      }));
      return rangeOf(found, listed, rangeQueries(client, web, repository, caller));
    },
  };
}

function rangeQueries(
  client: GitHubClient,
  web: string,
  repository: HostRepository,
  caller: HostCaller,
): RangeQueries {
  const path = pathOf(repository);
  const pullOf = (pull: RangePullRequestPayload) => {
    const shown = ifVisibleTo(caller, repositoryOf(pull.base.repo));
    return {
      number: pull.number,
      title: pull.title,
      isMerged: pull.merged_at !== null && shown?.hostRepoId === repository.hostRepoId,
      mergeCommits: [pull.merge_commit_sha],
      summary: { ...summaryOf(pull, web), body: pull.body ?? null },
    };
  };
  return {
    ...queryPulls({
      client,
      caller,
      schema: RangePullRequestPayload,
      path: `${path}/pulls`,
      closedPage: (page) => `state=closed&sort=updated&direction=desc&per_page=${pageSize}&page=${page}`,
      pullOf,
    }),
    numberNamedBy: ({ subject }) => numberNamedBy(subject),
    async ofCommit(sha) {
      const { items } = await client.page(`${path}/commits/${sha}/pulls`, RangePullRequestPayload, caller);
      return items.map(pullOf);
    },
  };
}
