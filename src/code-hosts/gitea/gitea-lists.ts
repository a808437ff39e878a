import { type MergedPullRequest, mostCommits } from '../../domain/pull-requests.ts';
import { type HostRepository, UnrelatedRefs } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { type ChangedList, listPullRequests } from '../http/lists.ts';
import type { NetworkLists } from '../http/network-host.ts';
import {
  CommitPayload,
  listedCommitOf,
  type PullPages,
  pullSummaryOf,
  RangeCommitPayload,
  rangePullOf,
} from '../http/pull-payloads.ts';
import { queryPulls, type RangeQueries, type RangeSource, rangeOf } from '../http/ranges.ts';
import { timeOf } from '../payload-types.ts';
import { numberNamedBy } from '../sort-range.ts';
import {
  ghost,
  isBot,
  ListedPullPayload,
  MergedPullRequestPayload,
  pathOf,
  type RepositoryPayload,
} from './gitea-api.ts';

const pageSize = 50;

const mostPages = 20;

const draftTitle = /^(?:WIP:|\[WIP\])/i;

/** Lists are read by the name of a repository, which another one may have by now, so items are checked by id. */
const isOf =
  ({ hostRepoId }: HostRepository) =>
  ({ base }: { base: { repo: Pick<RepositoryPayload, 'id'> } }): boolean =>
    base.repo.id === hostRepoId;

export const createGiteaLists = (
  client: HostClient,
  pages: PullPages,
): NetworkLists<MergedPullRequestPayload> => ({
  listPullRequests(repository, page, caller) {
    const sorted = page.order === 'updated' ? '&sort=recentupdate' : '';
    const path = `${pathOf(repository)}/pulls?state=${page.state}`;
    const list = {
      mostAtOnce: pageSize,
      mayBeShorter: true,
      readPage: (size: number, number: number) =>
        client.page(`${path}&limit=${size}&page=${number}${sorted}`, ListedPullPayload, caller),
      isShown: isOf(repository),
      summaryOf: (item: ListedPullPayload) => pullSummaryOf(item, pages),
    };
    return listPullRequests(list, page);
  },
  listChanged: (repository, caller) => listChanged(client, repository, caller),
  tagsPath: (repository, atMost) => `${pathOf(repository)}/tags?limit=${Math.min(atMost, pageSize)}`,
  ranges: readRanges(client, pages),
});

const listChanged = (
  client: HostClient,
  repository: HostRepository,
  caller: HostCaller,
): ChangedList<MergedPullRequestPayload> => ({
  async readPage(size, page, tag) {
    const path = `${pathOf(repository)}/pulls?state=closed&sort=recentupdate&limit=${size}&page=${page}`;
    const read = await client.pageUnlessUnchanged(path, MergedPullRequestPayload, caller, tag);
    return read && read !== 'unchanged' && !read.items.every(isOf(repository)) ? null : read;
  },
  sizes: { usual: 30, large: 50, small: 10 },
  numberOf: ({ number }) => number,
  changedAt: ({ updated_at }) => updated_at,
  mergedOf,
});

function mergedOf(item: MergedPullRequestPayload): MergedPullRequest | null {
  const { number, title, user, labels, draft, merged_at } = item;
  if (merged_at === null) return null;
  const authorLogin = user?.login || ghost;
  return {
    number,
    mergedAt: timeOf(merged_at),
    authorLogin,
    isBot: isBot(authorLogin),
    isDraft: draft ?? draftTitle.test(title),
    labels: (labels ?? []).map(({ name }) => name),
  };
}

/** Leaves out parts of commits that take Gitea time and that we do not read. */
const brief = 'stat=false&verification=false&files=false';

const between = (repository: HostRepository, to: string, from: string | null): string =>
  `${pathOf(repository)}/commits?${brief}&sha=${to}${from === null ? '' : `&not=${from}`}`;

const readRanges = (client: HostClient, pages: PullPages): RangeSource => ({
  async find(repository, { from, to }, caller) {
    const path = `${pathOf(repository)}/git/commits`;
    const commitAt = (ref: string) =>
      client.get(`${path}/${encodeURIComponent(ref)}?${brief}`, RangeCommitPayload, caller);
    const [start, end] = await Promise.all([commitAt(from), commitAt(to)]);
    if (!start || !end) return start ? 'to' : 'from';
    const count = (one: string, other: string | null) =>
      client.count(`${between(repository, one, other)}&limit=1`, caller);
    const [total, behind] = await Promise.all([count(end.sha, start.sha), count(start.sha, end.sha)]);
    // Without a common ancestor, the end lacks all commits of the start.
    if (behind > 0 && behind === (await count(start.sha, null))) throw new UnrelatedRefs(from, to);
    return { fromSha: start.sha, toSha: end.sha, total, behind };
  },
  async read(repository, found, caller) {
    const listed: RangeCommitPayload[] = [];
    for (let page = 1; page <= mostPages && listed.length < found.total; page += 1) {
      const path = `${between(repository, found.toSha, found.fromSha)}&limit=${pageSize}&page=${page}`;
      const { items } = await client.page(path, RangeCommitPayload, caller);
      if (items.length === 0) break;
      listed.push(...items);
    }
    return rangeOf(found, listed.map(listedCommitOf), rangeQueries(client, pages, repository, caller));
  },
});

/** The subject of a merge commit in Gitea has the number after the title. */
const merging = /^Merge pull request '.*' \(#([1-9]\d{0,14})\) from /;

function rangeQueries(
  client: HostClient,
  pages: PullPages,
  repository: HostRepository,
  caller: HostCaller,
): RangeQueries {
  const path = pathOf(repository);
  const pullOf = (pull: ListedPullPayload) => rangePullOf(pull, isOf(repository)(pull), pages);
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
