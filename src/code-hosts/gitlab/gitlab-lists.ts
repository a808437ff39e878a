import type { TSchema } from 'typebox';
import { Failure } from '../../domain/errors.ts';
import type { MergedPullRequest } from '../../domain/pull-requests.ts';
import {
  type HostPullRequestList,
  type HostPullRequestSummary,
  type HostRepository,
  MovedMeanwhile,
  type PullRequestPage,
} from '../code-host.ts';
import { type HostCaller, ResponseTooLarge } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { type ChangedList, smallPage } from '../http/lists.ts';
import type { NetworkLists } from '../http/network-host.ts';
import {
  type ListedCommit,
  type RangePull,
  type RangeQueries,
  type RangeSource,
  readHostRange,
} from '../http/ranges.ts';
import { ghost, timeOf } from '../payload-types.ts';
import {
  isGitLabBot,
  MergedPayload,
  MergeRequestSummaryPayload,
  projectPathById,
  RangeCommitPayload,
  RangeMergeRequestPayload,
} from './gitlab-api.ts';
import { mergedAt, mergeRequestSummary } from './read-merge-request.ts';

const pageSize = 100;

const mostPages = 50;

/** GitLab lists merged and closed merge requests separately. */
const listsOf = { open: ['opened'], closed: ['merged', 'closed'], all: ['all'] } as const;

type List = (place: number) => Promise<HostPullRequestSummary | null>;

/** Null, the end of a list, comes after every item. */
type IsBefore = (one: HostPullRequestSummary | null, other: HostPullRequestSummary | null) => boolean;

export const createGitLabLists = (
  client: HostClient,
  web: string,
  clock: () => Date,
): NetworkLists<MergedPayload> => ({
  listPullRequests: (repository, page, caller) => listMergeRequests(client, web, repository, page, caller),
  listChanged: (repository, caller) => listGitLabChanges(client, repository, caller),
  tagsPath: (repository, atMost) => `${repositoryApiPathOf(repository)}/tags?per_page=${atMost}`,
  pagesBelow: '/-',
  ranges: gitLabRanges(client, web, clock),
});

async function listMergeRequests(
  client: HostClient,
  web: string,
  repository: HostRepository,
  page: PullRequestPage,
  caller: HostCaller,
): Promise<HostPullRequestList> {
  const isWhole = page.state !== 'closed' && !page.without?.size && page.offset % page.limit === 0;
  const list = async (size: number) => {
    let pages = 0;
    const totals = new Map<string, number | null>();
    const read = async (path: string, state: string) => {
      pages += 1;
      if (pages > mostPages) throw tooFarBack();
      const { items, isLast, total } = await client.page(path, MergeRequestSummaryPayload, caller);
      totals.set(state, total);
      return { items: items.map((item) => mergeRequestSummary(repository, item, web)), isLast };
    };
    const sorted = page.order === 'updated' ? '&order_by=updated_at' : '';
    const path = `${projectPathById(repository)}/merge_requests?per_page=${size}${sorted}`;
    const states = listsOf[page.state];
    const lists = states.map((state) =>
      openList(size, (number) => read(`${path}&state=${state}&page=${number}`, state)),
    );
    const items = await readListsTogether(lists, page);
    return { items, total: page.without?.size ? null : sumOf(states.map((state) => totals.get(state))) };
  };
  try {
    return await list(isWhole ? page.limit : pageSize);
  } catch (error) {
    if (!(error instanceof ResponseTooLarge)) throw error;
    return list(smallPage);
  }
}

const sumOf = (totals: (number | null | undefined)[]): number | null =>
  totals.reduce<number | null>((sum, one) => (sum === null || one == null ? null : sum + one), 0);

interface Page {
  items: HostPullRequestSummary[];
  isLast: boolean;
}

function openList(size: number, read: (number: number) => Promise<Page>): List {
  const pages = new Map<number, Promise<Page>>();
  let end = Number.POSITIVE_INFINITY;
  return async (place) => {
    if (place >= end) return null;
    const number = Math.floor(place / size);
    const known = pages.get(number) ?? read(number + 1);
    pages.set(number, known);
    const { items, isLast } = await known;
    if (isLast) end = Math.min(end, number * size + items.length);
    return items[place % size] ?? null;
  };
}

async function readListsTogether(
  lists: List[],
  { limit, offset, order, without }: PullRequestPage,
): Promise<HostPullRequestSummary[]> {
  const timeOf = ({ updatedAt, createdAt }: HostPullRequestSummary): number =>
    Number(order === 'updated' ? updatedAt : createdAt);
  const isBefore: IsBefore = (one, other) => {
    if (!one || !other) return one !== null;
    return timeOf(one) - timeOf(other) > 0 || (timeOf(one) === timeOf(other) && one.number > other.number);
  };
  // The number of items to leave out before the page is known only after reading them.
  const skipped = without?.size ? 0 : offset;
  const places = await divide(lists, skipped, isBefore);
  const wanted = offset - skipped + limit;
  const found: HostPullRequestSummary[] = [];
  while (found.length < wanted) {
    const heads = await Promise.all(lists.map((list, index) => list(places[index] ?? 0)));
    const next = heads.reduce((best, head, index) => (isBefore(head, heads[best] ?? null) ? index : best), 0);
    const head = heads[next];
    if (!head) break;
    places[next] = (places[next] ?? 0) + 1;
    if (!without?.has(head.number)) found.push(head);
  }
  return found.slice(offset - skipped);
}

async function divide([first, second]: List[], count: number, isBefore: IsBefore): Promise<number[]> {
  if (!first || !second) return [count];
  let [least, most] = [0, count];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    const [one, other] = await Promise.all([first(middle), second(count - 1 - middle)]);
    if (isBefore(one, other)) least = middle + 1;
    else most = middle;
  }
  return [least, count - least];
}

function tooFarBack(): Failure {
  const problem = 'is too large for this list';
  return new Failure('INVALID_REQUEST', 'The offset is too large for this list. Use a smaller one.', {
    details: [{ field: 'offset', problem }],
  });
}

const listGitLabChanges = (
  client: HostClient,
  repository: HostRepository,
  caller: HostCaller,
): ChangedList<MergedPayload> => ({
  sizes: { usual: 30, large: 100, small: 10 },
  readPage: (size, page, tag) => {
    const query = `state=merged&order_by=updated_at&sort=desc&per_page=${size}&page=${page}`;
    const path = `${projectPathById(repository)}/merge_requests?${query}`;
    return client.pageUnlessUnchanged(path, MergedPayload, caller, tag);
  },
  changedAt: ({ updated_at }) => updated_at,
  numberOf: ({ iid }) => iid,
  mergedOf: gitLabMerge,
});

function gitLabMerge(item: MergedPayload): MergedPullRequest | null {
  const at = mergedAt(item);
  const authorLogin = item.author?.username ?? ghost;
  return (
    at && {
      number: item.iid,
      mergedAt: at,
      authorLogin,
      isBot: isGitLabBot(authorLogin),
      isDraft: item.draft ?? false,
      labels: item.labels,
    }
  );
}

const mostPagesOfCommits = 10;

const repositoryApiPathOf = (repository: HostRepository): string =>
  `${projectPathById(repository)}/repository`;

const commitsBetween = (repository: HostRepository, from: string, to: string): string =>
  `${repositoryApiPathOf(repository)}/commits?ref_name=${encodeURIComponent(`${from}..${to}`)}`;

const gitLabRanges = (client: HostClient, web: string, clock: () => Date): RangeSource => ({
  async find(repository, { from, to }, caller) {
    const path = `${repositoryApiPathOf(repository)}/commits`;
    const commitAt = (ref: string) =>
      client.get(`${path}/${encodeURIComponent(ref)}`, RangeCommitPayload, caller);
    const [begin, end] = await Promise.all([commitAt(from), commitAt(to)]);
    if (!begin || !end) return begin ? 'to' : 'from';
    const [fromSha, toSha] = [begin.id, end.id];
    const count = (one: string, other: string) =>
      countItems(client, commitsBetween(repository, one, other), RangeCommitPayload, caller);
    const [total, behind] = await Promise.all([count(fromSha, toSha), count(toSha, fromSha)]);
    return { fromSha, toSha, total, behind };
  },
  async read(repository, found, caller) {
    const listed: ListedCommit[] = [];
    const path = commitsBetween(repository, found.fromSha, found.toSha);
    for (let page = 1; page <= mostPagesOfCommits; page += 1) {
      const read = await client.page(`${path}&per_page=${pageSize}&page=${page}`, RangeCommitPayload, caller);
      for (const {
        id: sha,
        parent_ids: parents,
        message,
        committed_date: committedAt,
        author_name,
      } of read.items)
        listed.push({ sha, parents, message, committedAt, authorLogin: author_name || null });
      if (read.isLast) break;
    }
    const times = listed.map(({ committedAt }) => Date.parse(committedAt ?? '') || Number.POSITIVE_INFINITY);
    const oldest = times.reduce((one, other) => Math.min(one, other), clock().getTime());
    return readHostRange(found, listed, gitLabRangeQueries(client, web, repository, caller, oldest));
  },
});

/** GitLab writes this line below the message of a merge, unless a project has changed its template. */
const seeMergeRequest = /^See merge request (\S{1,500})?!([1-9]\d{0,14})$/m;

/** The clocks of committers may differ from that of the server by up to a day. */
const dayMs = 24 * 60 * 60 * 1000;

function gitLabRangeQueries(
  client: HostClient,
  web: string,
  repository: HostRepository,
  caller: HostCaller,
  oldestMs: number,
): RangeQueries {
  const path = `${projectPathById(repository)}/merge_requests`;
  const pullOf = (found: RangeMergeRequestPayload, ...mergedWith: string[]): RangePull => ({
    number: found.iid,
    title: found.title,
    isMerged: found.state === 'merged' && found.project_id === repository.hostRepoId,
    mergeCommits: [found.merge_commit_sha, found.squash_commit_sha, found.sha, ...mergedWith],
    summary: {
      ...mergeRequestSummary(repository, found, web),
      body: found.description ?? null,
      labels: found.labels ?? [],
    },
  });
  // A merge request was last changed after the commit that merged it was made.
  const since = timeOf(new Date(oldestMs - dayMs).toISOString()).toISOString();
  const own = `${repository.owner}/${repository.name}`.toLowerCase();
  return {
    numberNamedBy({ body }) {
      const [, of = own, number] = seeMergeRequest.exec(body) ?? [];
      return number && of.toLowerCase() === own ? Number(number) : null;
    },
    async closed(page) {
      const query = `state=merged&order_by=updated_at&updated_after=${since}&per_page=${pageSize}&page=${page}`;
      const { items, isLast } = await client.page(`${path}?${query}`, RangeMergeRequestPayload, caller);
      return { items: items.map((item) => pullOf(item)), isLast };
    },
    async byNumbers(numbers) {
      const pulls: RangePull[] = [];
      for (let from = 0; from < numbers.length; from += pageSize) {
        const some = numbers.slice(from, from + pageSize).map((number) => `iids[]=${number}&`);
        const query = `${some.join('')}per_page=${pageSize}`;
        const { items } = await client.page(`${path}?${query}`, RangeMergeRequestPayload, caller);
        pulls.push(...items.map((item) => pullOf(item)));
      }
      return pulls;
    },
    async ofCommit(sha) {
      const listed = `${repositoryApiPathOf(repository)}/commits/${sha}/merge_requests`;
      const page = await client.pageUnlessUnchanged(listed, RangeMergeRequestPayload, caller, null);
      if (!page || page === 'unchanged') throw new MovedMeanwhile();
      return page.items.map((item) => pullOf(item, sha));
    },
    listAbove: Number.POSITIVE_INFINITY,
    ownLineOnly: true,
    most: { numbers: Number.POSITIVE_INFINITY, commits: caller.isService ? 15 : 100 },
  };
}

const mostItems = 2 ** 22;

/** The length of a list without a total, found by bisection with pages of one item. */
async function countItems(
  client: HostClient,
  path: string,
  schema: TSchema,
  caller: HostCaller,
): Promise<number> {
  const read = (size: number, page: number) =>
    client.page(`${path}&per_page=${size}&page=${page}`, schema, caller);
  const first = await read(pageSize, 1);
  if (first.isLast) return first.items.length;
  const has = async (place: number) => (await read(1, place)).items.length > 0;
  let known = pageSize;
  let beyond = 2 * pageSize;
  while (beyond < mostItems && (await has(beyond))) [known, beyond] = [beyond, 2 * beyond];
  while (beyond - known > 1) {
    const middle = Math.floor((known + beyond) / 2);
    if (await has(middle)) known = middle;
    else beyond = middle;
  }
  return known;
}
