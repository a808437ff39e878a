import type {
  HostPullRequestList,
  HostPullRequestSummary,
  HostRepository,
  PullRequestPage,
} from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { AnswerTooLarge } from '../http/host-failures.ts';
import { MergeRequestSummaryPayload } from './payloads.ts';
import { summaryOf } from './read-merge-request.ts';
import { projectPathById } from './read-project.ts';

interface Parts {
  client: HostClient;
  web: string;
}

/** As many as GitLab lists at a time, and so few that they are less than is read at once, however long their descriptions are. */
const mostAtOnce = 100;
const fewAtOnce = 10;

/** GitLab tells what was merged from what was closed otherwise, so that for both together all are listed. */
const stateAsked = { open: 'opened', closed: 'all', all: 'all' } as const;

/** Some of the merge requests of a project, from whichever on; from the first on where some of those that are listed are left out. */
export async function listMergeRequests(
  parts: Parts,
  repository: HostRepository,
  page: PullRequestPage,
  caller: HostCaller,
): Promise<HostPullRequestList> {
  const isSifted = page.state === 'closed' || Boolean(page.without?.size);
  const isWhole = !isSifted && page.offset % page.limit === 0;
  const asked = { ...page, isSifted };
  try {
    return await listInPages(
      parts,
      repository,
      { ...asked, size: isWhole ? page.limit : mostAtOnce },
      caller,
    );
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
    return listInPages(parts, repository, { ...asked, size: fewAtOnce }, caller);
  }
}

async function listInPages(
  { client, web }: Parts,
  repository: HostRepository,
  asked: PullRequestPage & { size: number; isSifted: boolean },
  caller: HostCaller,
): Promise<HostPullRequestList> {
  const { state, limit, offset, size, order, without, isSifted } = asked;
  const first = isSifted ? 0 : Math.floor(offset / size);
  const from = offset - first * size;
  const listed: HostPullRequestSummary[] = [];
  let total: number | null = null;
  const sorted = order === 'updated' ? '&order_by=updated_at' : '';
  for (let page = first; listed.length < from + limit; page += 1) {
    const query = `state=${stateAsked[state]}&per_page=${size}&page=${page + 1}${sorted}`;
    const path = `${projectPathById(repository)}/merge_requests?${query}`;
    const read = await client.page(path, MergeRequestSummaryPayload, caller);
    const told = read.items.map((item) => summaryOf(repository, item, web));
    listed.push(
      ...told.filter((one) => !without?.has(one.number) && (state !== 'closed' || one.state !== 'open')),
    );
    if (!isSifted) total = read.total;
    if (read.isLast) break;
  }
  return { items: listed.slice(from, from + limit), total };
}
