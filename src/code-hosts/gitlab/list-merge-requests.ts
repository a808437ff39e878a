import { Failure } from '../../domain/errors.ts';
import { isBotLogin, type MergedPullRequest } from '../../domain/watching.ts';
import type {
  HostPullRequestList,
  HostPullRequestSummary,
  HostRepository,
  PullRequestPage,
} from '../code-host.ts';
import { AnswerTooLarge, type HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import type { ChangedList } from '../http/list-merged.ts';
import { ghost } from '../payload-types.ts';
import { MergedPayload, MergeRequestSummaryPayload } from './payloads.ts';
import { mergedAt, summaryOf } from './read-merge-request.ts';
import { projectPathById } from './read-project.ts';

interface Parts {
  client: HostClient;
  web: string;
}

/** As many as GitLab lists at a time, and so few that they are less than is read at once, however long their descriptions are. */
const mostAtOnce = 100;
const fewAtOnce = 10;

/** How many pages are read for one of ours. */
const mostPages = 50;

/** GitLab tells what was merged from what was closed otherwise, and lists each by itself. */
const listsOf = { open: ['opened'], closed: ['merged', 'closed'], all: ['all'] } as const;

/** The merge request at a place of a list of GitLab's; null behind its end. */
type List = (place: number) => Promise<HostPullRequestSummary | null>;

/** Whether one comes before another; what is behind the end of its list comes after all. */
type IsBefore = (one: HostPullRequestSummary | null, other: HostPullRequestSummary | null) => boolean;

/** Some of the merge requests of a project, from whichever on; from the first on where some of those that are listed are left out. */
export async function listMergeRequests(
  parts: Parts,
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
      const { items, isLast, total } = await parts.client.page(path, MergeRequestSummaryPayload, caller);
      totals.set(state, total);
      return { items: items.map((item) => summaryOf(repository, item, parts.web)), isLast };
    };
    const sorted = page.order === 'updated' ? '&order_by=updated_at' : '';
    const path = `${projectPathById(repository)}/merge_requests?per_page=${size}${sorted}`;
    const states = listsOf[page.state];
    const lists = states.map((state) =>
      openList(size, (number) => read(`${path}&state=${state}&page=${number}`, state)),
    );
    const items = await readTogether(lists, page);
    return { items, total: page.without?.size ? null : sumOf(states.map((state) => totals.get(state))) };
  };
  try {
    return await list(isWhole ? page.limit : mostAtOnce);
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
    return list(fewAtOnce);
  }
}

/** Null unless each of them is known. */
const sumOf = (totals: (number | null | undefined)[]): number | null =>
  totals.reduce<number | null>((sum, one) => (sum === null || one == null ? null : sum + one), 0);

interface Page {
  items: HostPullRequestSummary[];
  isLast: boolean;
}

/** Pages are read when something on them is looked at, each once. */
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

/** Some of what is on several lists, in the order that all of them have. */
async function readTogether(
  lists: List[],
  { limit, offset, order, without }: PullRequestPage,
): Promise<HostPullRequestSummary[]> {
  const timeOf = ({ updatedAt, createdAt }: HostPullRequestSummary): number =>
    Number(order === 'updated' ? updatedAt : createdAt);
  const isBefore: IsBefore = (one, other) => {
    if (!one || !other) return one !== null;
    return timeOf(one) - timeOf(other) > 0 || (timeOf(one) === timeOf(other) && one.number > other.number);
  };
  // How many of those before the page are left out is known only once they are read.
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

/** How many of the first so many of two lists together are on each of them, found by halving: neither says what the other has before. */
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
  const problem = 'is further back than can be listed here';
  return new Failure('INVALID_REQUEST', 'This list is not read so far back. Ask for a smaller offset.', {
    details: [{ field: 'offset', problem }],
  });
}

/** What was merged in a project, which is asked for by its id, so that it is found whatever it is called now. */
export const listChanged = (
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
  mergedOf,
  repositoryOf: () => null,
});

/** Bots of projects and groups are called so by GitLab. */
const ownBot = /^(?:project|group)_\d+_bot/;

function mergedOf(item: MergedPayload): MergedPullRequest | null {
  const at = mergedAt(item);
  const authorLogin = item.author?.username ?? ghost;
  return (
    at && {
      number: item.iid,
      mergedAt: at,
      authorLogin,
      isBot: ownBot.test(authorLogin) || isBotLogin(authorLogin) || authorLogin.endsWith('-bot'),
      isDraft: item.draft ?? false,
      labels: item.labels,
    }
  );
}
