import type { HostRepository } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { NumberedPayload, RepositoryPayload } from './payloads.ts';

export const pathOf = ({ owner, name }: Pick<HostRepository, 'owner' | 'name'>): string =>
  `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;

/**
 * What an owner shows to accounts or to members alone is private here, and so is what only some units of are public: what
 * everybody sees on Gitea is what its owner and the repository show to those without an account.
 */
export function repositoryOf({
  id,
  name,
  owner,
  private: isPrivate,
  internal,
}: RepositoryPayload): HostRepository {
  return {
    hostRepoId: id,
    owner: owner.login,
    name,
    isPrivate: isPrivate || internal || owner.visibility !== 'public',
  };
}

/** Whether it is the one that was found before, and is as public or private as it was. */
export const isUnchanged = (before: HostRepository, now: HostRepository): boolean =>
  now.hostRepoId === before.hostRepoId && now.isPrivate === before.isPrivate;

/** The service's own token may see more than it may show: with it, only what is public counts as found. */
export const ifVisibleTo = ({ isService }: HostCaller, repository: HostRepository): HostRepository | null =>
  isService && repository.isPrivate ? null : repository;

/** Whoever sees a repository that has either of them turned off is shown no pull requests, its owner included. */
const isWithoutPullRequests = ({ has_pull_requests: hasPulls, has_code: hasCode }: RepositoryPayload) =>
  !hasPulls || hasCode === false;

/** Whether a caller is shown the code and the pull requests: members may see a repository and neither of these. */
export async function showsPullRequests(
  client: HostClient,
  repository: HostRepository,
  caller: HostCaller,
): Promise<boolean> {
  const path = `${pathOf(repository)}/pulls?state=all&limit=1`;
  return (await client.pageUnlessUnchanged(path, NumberedPayload, caller, null)) !== null;
}

/** A repository whose pull requests the caller may see, by its path: a name as of now or as of before a rename, or a number. */
export async function readRepository(
  client: HostClient,
  path: string,
  caller: HostCaller,
): Promise<HostRepository | null> {
  const found = await client.get(path, RepositoryPayload, caller);
  if (!found || isWithoutPullRequests(found)) return null;
  const shown = ifVisibleTo(caller, repositoryOf(found));
  if (!shown?.isPrivate) return shown;
  return (await showsPullRequests(client, shown, caller)) ? shown : null;
}
