import { type MergedPullRequest, mostCommits } from '../../domain/pull-requests.ts';
import { type HostRepository, UnrelatedRefs } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { type ChangedList, listPage } from '../http/lists.ts';
import type { NetworkLists } from '../http/network-host.ts';
import {
  CommitPayload,
  listedCommitOf,
  type PullPages,
  pullSummaryOf,
  RangeCommitPayload,
  rangePullOf,
} from '../http/pull-payloads.ts';
import { queryPulls, type RangeQueries, type RangeSource, readHostRange } from '../http/ranges.ts';
import { timeOf } from '../payload-types.ts';
import { numberNamedBy } from '../sort-range.ts';
import {
  ghost,
  isGiteaBot,
  ListedPullPayload,
  MergedPullRequestPayload,
  type RepositoryPayload,
  repositoryApiPath,
} from './gitea-api.ts';

const pageSize = 50;

const mostPages = 20;

const draftTitle = /^(?:WIP:|\[WIP\])/i;

/** Lists are read by the name of a repository, which another one may have by now, so items are checked by id. */
const isPullOfRepository =
  ({ hostRepoId }: HostRepository) =>
  ({ base }: { base: { repo: Pick<RepositoryPayload, 'id'> } }): boolean =>
    base.repo.id === hostRepoId;

export const createGiteaLists = (
  client: HostClient,
  pages: PullPages,
): NetworkLists<MergedPullRequestPayload> => ({
  listPullRequests(repository, page, caller) {
    const sorted = page.order === 'updated' ? '&sort=recentupdate' : '';
    const path = `${repositoryApiPath(repository)}/pulls?state=${page.state}`;
    const list = {
      mostAtOnce: pageSize,
      mayBeShorter: true,
      readPage: (size: number, number: number) =>
        client.page(`${path}&limit=${size}&page=${number}${sorted}`, ListedPullPayload, caller),
      isShown: isPullOfRepository(repository),
      summaryOf: (item: ListedPullPayload) => pullSummaryOf(item, pages),
    };
    return listPage(list, page);
  },
  listChanged: (repository, caller) => listGiteaChanges(client, repository, caller),
  tagsPath: (repository, atMost) =>
    `${repositoryApiPath(repository)}/tags?limit=${Math.min(atMost, pageSize)}`,
  ranges: giteaRanges(client, pages),
});

const listGiteaChanges = (
  client: HostClient,
  repository: HostRepository,
  caller: HostCaller,
): ChangedList<MergedPullRequestPayload> => ({
  async readPage(size, page, tag) {
    const path = `${repositoryApiPath(repository)}/pulls?state=closed&sort=recentupdate&limit=${size}&page=${page}`;
    const read = await client.pageUnlessUnchanged(path, MergedPullRequestPayload, caller, tag);
    return read && read !== 'unchanged' && !read.items.every(isPullOfRepository(repository)) ? null : read;
  },
  sizes: { usual: 30, large: 50, small: 10 },
  numberOf: ({ number }) => number,
  changedAt: ({ updated_at }) => updated_at,
  mergedOf: giteaMerge,
});

function giteaMerge(item: MergedPullRequestPayload): MergedPullRequest | null {
  const { number, title, user, labels, draft, merged_at } = item;
  if (merged_at === null) return null;
  const authorLogin = user?.login || ghost;
  return {
    number,
    mergedAt: timeOf(merged_at),
    authorLogin,
    isBot: isGiteaBot(authorLogin),
    isDraft: draft ?? draftTitle.test(title),
    labels: (labels ?? []).map(({ name }) => name),
  };
}

/** Leaves out parts of commits that take Gitea time and that we do not read. */
const brief = 'stat=false&verification=false&files=false';

const comparePath = (repository: HostRepository, to: string, from: string | null): string =>
  `${repositoryApiPath(repository)}/commits?${brief}&sha=${to}${from === null ? '' : `&not=${from}`}`;

const giteaRanges = (client: HostClient, pages: PullPages): RangeSource => ({
  async find(repository, { from, to }, caller) {
    const path = `${repositoryApiPath(repository)}/git/commits`;
    const commitAt = (ref: string) =>
      client.get(`${path}/${encodeURIComponent(ref)}?${brief}`, RangeCommitPayload, caller);
    const [start, end] = await Promise.all([commitAt(from), commitAt(to)]);
    if (!start || !end) return start ? 'to' : 'from';
    const count = (one: string, other: string | null) =>
      client.count(`${comparePath(repository, one, other)}&limit=1`, caller);
    const [total, behind] = await Promise.all([count(end.sha, start.sha), count(start.sha, end.sha)]);
    // Without a common ancestor, the end lacks all commits of the start.
    if (behind > 0 && behind === (await count(start.sha, null))) throw new UnrelatedRefs(from, to);
    return { fromSha: start.sha, toSha: end.sha, total, behind };
  },
  async read(repository, found, caller) {
    const listed: RangeCommitPayload[] = [];
    for (let page = 1; page <= mostPages && listed.length < found.total; page += 1) {
      const path = `${comparePath(repository, found.toSha, found.fromSha)}&limit=${pageSize}&page=${page}`;
      const { items } = await client.page(path, RangeCommitPayload, caller);
      if (items.length === 0) break;
      listed.push(...items);
    }
    return readHostRange(
      found,
      listed.map(listedCommitOf),
      giteaRangeQueries(client, pages, repository, caller),
    );
  },
});

/** The subject of a merge commit in Gitea has the number after the title. */
const merging = /^Merge pull request '.*' \(#([1-9]\d{0,14})\) from /;

function giteaRangeQueries(
  client: HostClient,
  pages: PullPages,
  repository: HostRepository,
  caller: HostCaller,
): RangeQueries {
  const path = repositoryApiPath(repository);
  const pullOf = (pull: ListedPullPayload) => rangePullOf(pull, isPullOfRepository(repository)(pull), pages);
  return {
    ...queryPulls({
      client,
      caller,
      schema: ListedPullPayload,
      path: `${path}/pulls`,
      closedPage: (page) => `state=closed&sort=recentupdate&limit=${pageSize}&page=${page}`,
      pullOf,
    }),
    numberNamedBy: ({ subject }) => Number(merging.exec(subject)?.[1] ?? 0) || numberNamedBy(subject),
    // Gitea before 1.22 knows no pull requests of commits.
    async ofCommit(sha) {
      const pull = await client.get(`${path}/commits/${sha}/pull`, ListedPullPayload, caller);
      return pull ? [pullOf(pull)] : [];
    },
    messagesOf: (number) =>
      client.list(`${path}/pulls/${number}/commits?${brief}`, CommitPayload, caller, {
        atMost: mostCommits,
        keep: ({ commit }) => commit.message,
      }),
  };
}
