import { isBotLogin, type MergedPullRequest } from '../../domain/pull-requests.ts';
import { type HostRepository, MovedMeanwhile, UnrelatedRefs } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import { inTurns } from '../http/host-client.ts';
import { type ChangedList, listPage } from '../http/lists.ts';
import { ifVisibleTo, type NetworkLists } from '../http/network-host.ts';
import { listedCommitOf, type PullPages, pullSummaryOf, rangePullOf } from '../http/pull-payloads.ts';
import { queryPulls, type RangeQueries, type RangeSource, readHostRange } from '../http/ranges.ts';
import { ghost, timeOf } from '../payload-types.ts';
import { numberNamedBy } from '../sort-range.ts';
import {
  type GitHubClient,
  gitHubRepository,
  ListedPullPayload,
  MergedPullRequestPayload,
  RangePayload,
} from './github-api.ts';

const pageSize = 100;
const mostPagesOfCommits = 10;

const lastChangedFirst = 'state=closed&sort=updated&direction=desc';

const repositoryPathById = ({ hostRepoId }: HostRepository): string => `/repositories/${hostRepoId}`;

export const createGitHubLists = (
  client: GitHubClient,
  pages: PullPages,
): NetworkLists<MergedPullRequestPayload> => ({
  listPullRequests({ owner, name }, page, caller) {
    const sorted = page.order === 'updated' ? '&sort=updated&direction=desc' : '';
    const path = `/repos/${owner}/${name}/pulls?state=${page.state}`;
    const list = {
      mostAtOnce: pageSize,
      readPage: (size: number, number: number) =>
        client.page(`${path}&per_page=${size}&page=${number}${sorted}`, ListedPullPayload, caller),
      isShown: ({ base }: ListedPullPayload) => ifVisibleTo(caller, gitHubRepository(base.repo)) !== null,
      summaryOf: (item: ListedPullPayload) => pullSummaryOf(item, pages),
    };
    return listPage(list, page);
  },
  listChanged: (repository, caller) => listGitHubChanges(client, repository, caller),
  tagsPath: (repository, atMost) => `${repositoryPathById(repository)}/tags?per_page=${atMost}`,
  ranges: gitHubRanges(client, pages),
});

const listGitHubChanges = (
  client: GitHubClient,
  repository: HostRepository,
  caller: HostCaller,
): ChangedList<MergedPullRequestPayload> => ({
  sizes: { usual: 30, large: 100, small: 10 },
  readPage: (size, page, tag) => {
    const path = `${repositoryPathById(repository)}/pulls?${lastChangedFirst}&per_page=${size}&page=${page}`;
    return client.pageUnlessUnchanged(path, MergedPullRequestPayload, caller, tag);
  },
  changedAt: ({ updated_at }) => updated_at,
  numberOf: ({ number }) => number,
  mergedOf: gitHubMerge,
  repositoryOf: ({ base }) => ifVisibleTo(caller, gitHubRepository(base.repo)) ?? 'hidden',
});

function gitHubMerge(item: MergedPullRequestPayload): MergedPullRequest | null {
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

function gitHubRanges(client: GitHubClient, pages: PullPages): RangeSource {
  const compare = (
    repository: HostRepository,
    [from, to]: [string, string],
    page: string,
    caller: HostCaller,
  ) => {
    const ends = `${encodeURIComponent(from)}...${encodeURIComponent(to)}`;
    const path = `${repositoryPathById(repository)}/compare/${ends}?${page}`;
    return client.get(path, RangePayload, caller, { isCostly: true });
  };
  return {
    /**
     * A comparison names its first commit, so the reverse comparison names the end. Its second page contains no files.
     */
    async find(repository, { from, to }, caller) {
      const look = (one: string, other: string) =>
        compare(repository, [one, other], 'per_page=1&page=2', caller);
      const [found, back] = await Promise.all([look(from, to), look(to, from)]);
      if (found && back)
        return {
          fromSha: found.base_commit.sha,
          toSha: back.base_commit.sha,
          total: found.total_commits,
          behind: found.behind_by,
        };
      // An existing ref can be compared with itself. GitHub also says "not found" for refs without a common ancestor.
      const [isFrom, isTo] = await Promise.all([look(from, from), look(to, to)]);
      if (isFrom && isTo) throw new UnrelatedRefs(from, to);
      return isFrom ? 'to' : 'from';
    },
    async read(repository, found, caller) {
      const last = Math.ceil(found.total / pageSize);
      const numbers = Array.from({ length: Math.min(last, mostPagesOfCommits) }, (_, index) => last - index);
      const read = await inTurns(numbers, async (page) => {
        const query = `per_page=${pageSize}&page=${page}`;
        const compared = await compare(repository, [found.fromSha, found.toSha], query, caller);
        if (!compared) throw new MovedMeanwhile();
        return compared.commits.toReversed();
      });
      const queries = gitHubRangeQueries(client, pages, repository, caller);
      return readHostRange(found, read.flat().map(listedCommitOf), queries);
    },
  };
}

function gitHubRangeQueries(
  client: GitHubClient,
  pages: PullPages,
  repository: HostRepository,
  caller: HostCaller,
): RangeQueries {
  const path = repositoryPathById(repository);
  const pullOf = (pull: ListedPullPayload) => {
    const shown = ifVisibleTo(caller, gitHubRepository(pull.base.repo));
    return rangePullOf(pull, shown?.hostRepoId === repository.hostRepoId, pages);
  };
  return {
    ...queryPulls({
      client,
      caller,
      schema: ListedPullPayload,
      path: `${path}/pulls`,
      closedPage: (page) => `${lastChangedFirst}&per_page=${pageSize}&page=${page}`,
      pullOf,
    }),
    numberNamedBy: ({ subject }) => numberNamedBy(subject),
    async ofCommit(sha) {
      const { items } = await client.page(`${path}/commits/${sha}/pulls`, ListedPullPayload, caller);
      return items.map(pullOf);
    },
  };
}
