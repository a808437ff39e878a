import { isBotLogin, type MergedPullRequest } from '../../domain/watching.ts';
import type { HostRepository } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import type { ChangedList } from '../http/list-merged.ts';
import { ghost } from '../texts.ts';
import { MergedPayload } from './payloads.ts';
import { mergedAt } from './read-merge-request.ts';
import { projectPathById } from './read-project.ts';

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
