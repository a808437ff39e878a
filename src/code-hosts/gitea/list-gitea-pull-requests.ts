import { isBotLogin } from '../../domain/watching.ts';
import type {
  HostPullRequestList,
  HostPullRequestSummary,
  HostRepository,
  PullRequestPage,
} from '../code-host.ts';
import { AnswerTooLarge, type HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import type { ChangedList } from '../http/list-merged.ts';
import { timeOf } from '../payload-types.ts';
import { MergedPullRequestPayload, PullRequestSummaryPayload } from './payloads.ts';
import { ghost, summaryOf } from './read-gitea-pull-request.ts';
import { ifVisibleTo, pathOf, repositoryOf } from './read-repository.ts';

/** As many as Gitea lists at a time, unless its operator lets it list others. */
const mostAtOnce = 50;

/** So few are less than is read at once, however long their descriptions are. */
const fewAtOnce = 10;

interface Parts {
  client: HostClient;
  web: string;
}

/**
 * Some of the pull requests of a repository, from whichever on: in as few pages as they lie on, from the first on where some are
 * left out. Each tells of its repository once more, which may have become private since.
 */
export async function listGiteaPullRequests(
  parts: Parts,
  repository: HostRepository,
  page: PullRequestPage,
  caller: HostCaller,
): Promise<HostPullRequestList> {
  const isWhole = page.limit <= mostAtOnce && page.offset % page.limit === 0 && !page.without?.size;
  const size = isWhole ? page.limit : mostAtOnce;
  const list = async (most: number): Promise<HostPullRequestList> => {
    const { shorter, ...listed } = await listInPages(parts, repository, { ...page, size: most }, caller);
    return shorter === null ? listed : list(shorter);
  };
  try {
    return await list(size);
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
    return list(fewAtOnce);
  }
}

interface Listed extends HostPullRequestList {
  /** How many there are on a page of this Gitea, where these are fewer than were asked for: all pages begin elsewhere then. */
  shorter: number | null;
}

async function listInPages(
  { client, web }: Parts,
  repository: HostRepository,
  { state, limit, offset, size, order, without }: PullRequestPage & { size: number },
  caller: HostCaller,
): Promise<Listed> {
  // How many of those before the page are left out is known only once they are read.
  const isSifted = Boolean(without?.size);
  const first = isSifted ? 0 : Math.floor(offset / size);
  const from = offset - first * size;
  const listed: HostPullRequestSummary[] = [];
  let total: number | null = null;
  const sorted = order === 'updated' ? '&sort=recentupdate' : '';
  for (let page = first; listed.length < from + limit; page += 1) {
    const path = `${pathOf(repository)}/pulls?state=${state}&limit=${size}&page=${page + 1}${sorted}`;
    const read = await client.page(path, PullRequestSummaryPayload, caller);
    const { items, isLast } = read;
    if (!isLast && items.length > 0 && items.length < size)
      return { items: [], total: null, shorter: items.length };
    // The name may be that of another repository by now.
    const isShown = items.every(
      ({ base }) => ifVisibleTo(caller, repositoryOf(base.repo))?.hostRepoId === repository.hostRepoId,
    );
    if (!isShown) return { items: [], total: null, shorter: null };
    if (!isSifted) total = read.total;
    const wanted = items.filter(({ number }) => !without?.has(number));
    listed.push(...wanted.map((item) => summaryOf(item, web)));
    if (isLast || items.length === 0) break;
  }
  return { items: listed.slice(from, from + limit), total, shorter: null };
}

/** Who works by itself has no mark of its own on Gitea, but for what runs workflows. */
const workflowLogin = /^(?:gitea|forgejo)-actions$/;

/** Older ones do not say what is a draft: titles do, as Gitea marks them unless told otherwise. */
const draftTitle = /^(?:WIP:|\[WIP\])/i;

/** What is closed in a repository. Its name may be that of another one by now, which says so itself. */
export const listChanged = (
  client: HostClient,
  repository: HostRepository,
  caller: HostCaller,
): ChangedList<MergedPullRequestPayload> => ({
  readPage: (size, page, tag) =>
    client.pageUnlessUnchanged(
      `${pathOf(repository)}/pulls?state=closed&sort=recentupdate&limit=${size}&page=${page}`,
      MergedPullRequestPayload,
      caller,
      tag,
    ),
  sizes: { usual: 30, large: 50, small: 10 },
  numberOf: ({ number }) => number,
  changedAt: ({ updated_at }) => updated_at,
  mergedOf({ number, title, user, labels, draft, merged_at }) {
    if (merged_at === null) return null;
    const authorLogin = user?.login || ghost;
    return {
      number,
      mergedAt: timeOf(merged_at),
      authorLogin,
      isBot: isBotLogin(authorLogin) || workflowLogin.test(authorLogin),
      isDraft: draft ?? draftTitle.test(title),
      labels: (labels ?? []).map(({ name }) => name),
    };
  },
  repositoryOf({ base }) {
    const shown = ifVisibleTo(caller, repositoryOf(base.repo));
    return shown?.hostRepoId === repository.hostRepoId ? shown : 'hidden';
  },
});
