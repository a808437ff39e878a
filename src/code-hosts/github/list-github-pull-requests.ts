import { isBotLogin, type MergedPullRequest } from '../../domain/watching.ts';
import type { HostPullRequestSummary, HostRepository, PullRequestPage } from '../code-host.ts';
import { AnswerTooLarge, type HostCaller } from '../http/host-api.ts';
import type { ChangedList } from '../http/list-merged.ts';
import { ghost, timeOf } from '../payload-types.ts';
import type { GitHubClient } from './github-api.ts';
import {
  ifVisibleTo,
  MergedPullRequestPayload,
  PullRequestSummaryPayload,
  repositoryOf,
} from './payloads.ts';
import { summaryOf } from './read-github-pull-request.ts';

/** As many as GitHub lists at a time. */
const mostAtOnce = 100;

/** So few are less than is read at once, however long their descriptions are. */
const fewAtOnce = 10;

interface Parts {
  client: GitHubClient;
  web: string;
}

/**
 * Some of the pull requests of a repository, from whichever on: in one call, or in two where they lie on two pages;
 * from the first on where some are left out. Each
 * tells of its repository once more, which may have become private since.
 */
export async function listGitHubPullRequests(
  parts: Parts,
  repository: HostRepository,
  page: PullRequestPage,
  caller: HostCaller,
): Promise<HostPullRequestSummary[]> {
  const isWhole = page.offset % page.limit === 0 && !page.without?.size;
  const size = isWhole ? page.limit : mostAtOnce;
  try {
    return await listInPages(parts, repository, { ...page, size }, caller);
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
    return listInPages(parts, repository, { ...page, size: fewAtOnce }, caller);
  }
}

async function listInPages(
  { client, web }: Parts,
  { owner, name }: HostRepository,
  { state, limit, offset, size, order, without }: PullRequestPage & { size: number },
  caller: HostCaller,
): Promise<HostPullRequestSummary[]> {
  // How many of those before the page are left out is known only once they are read.
  const first = without && without.size > 0 ? 0 : Math.floor(offset / size);
  const from = offset - first * size;
  const listed: HostPullRequestSummary[] = [];
  const sorted = order === 'updated' ? '&sort=updated&direction=desc' : '';
  for (let page = first; listed.length < from + limit; page += 1) {
    const path = `/repos/${owner}/${name}/pulls?state=${state}&per_page=${size}&page=${page + 1}${sorted}`;
    const { items, isLast } = await client.page(path, PullRequestSummaryPayload, caller);
    const isShown = items.every(({ base }) => ifVisibleTo(caller, repositoryOf(base.repo)));
    if (!isShown) return [];
    const wanted = items.filter(({ number }) => !without?.has(number));
    listed.push(...wanted.map((item) => summaryOf(item, web)));
    if (isLast) break;
  }
  return listed.slice(from, from + limit);
}

/** The closed pull requests of a repository, which is asked for by its id, so that it is found whatever it is called now. */
export const listChanged = (
  client: GitHubClient,
  { hostRepoId }: HostRepository,
  caller: HostCaller,
): ChangedList<MergedPullRequestPayload> => ({
  sizes: { usual: 30, large: 100, small: 10 },
  readPage: (size, page, tag) => {
    const order = 'state=closed&sort=updated&direction=desc';
    const path = `/repositories/${hostRepoId}/pulls?${order}&per_page=${size}&page=${page}`;
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
