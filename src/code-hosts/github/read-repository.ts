import type { HostRepository } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { GitHubClient } from './github-client.ts';
import { RepositoryPayload } from './payloads.ts';

/** A repository that the caller may see, by its path: a name as of now or as of before a rename, or a number. */
export async function readRepository(
  client: GitHubClient,
  path: string,
  caller: HostCaller,
): Promise<HostRepository | null> {
  const found = await client.get(path, RepositoryPayload, caller);
  return found && ifVisibleTo(caller, repositoryOf(found));
}

export function repositoryOf({
  id,
  name,
  owner,
  private: isPrivate,
  visibility = 'public',
}: RepositoryPayload): HostRepository {
  return { hostRepoId: id, owner: owner.login, name, isPrivate: isPrivate || visibility !== 'public' };
}

/** Whether it is the one that was found before, and is as public or private as it was. */
export const isUnchanged = (before: HostRepository, now: HostRepository): boolean =>
  now.hostRepoId === before.hostRepoId && now.isPrivate === before.isPrivate;

/** The service's own token may see more than it may show: with it, only what is public counts as found. */
export const ifVisibleTo = ({ isService }: HostCaller, repository: HostRepository): HostRepository | null =>
  isService && repository.isPrivate ? null : repository;
