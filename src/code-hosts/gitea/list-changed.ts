import { isBotLogin } from '../../domain/watching.ts';
import type { HostRepository } from '../code-host.ts';
import { timeOf } from '../host-times.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import type { ChangedList } from '../http/list-merged.ts';
import { MergedPullRequestPayload } from './payloads.ts';
import { ifVisibleTo, pathOf, repositoryOf } from './read-repository.ts';
import { ghost } from './read-texts.ts';

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
