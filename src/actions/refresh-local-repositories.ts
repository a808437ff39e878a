import type { CodeHost } from '../code-hosts/code-host.ts';
import type { Database } from '../db/database.ts';
import {
  listGranted,
  listRepositoriesOfHost,
  makePrivate,
  type Repository,
  revokeGrant,
  saveRepository,
} from '../db/repositories.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  clock: () => Date;
}

/**
 * Brings what is stored about repositories of local hosts up to what their settings and folders say now. Who may see
 * them changes only between two starts, so that it is done before the first request and lists never show what
 * yesterday's settings allowed.
 */
export async function refreshLocalRepositories({ database, codeHosts, clock }: Parts): Promise<void> {
  for (const codeHost of codeHosts.filter(({ isLocal }) => isLocal)) {
    for (const repository of await listRepositoriesOfHost(database, codeHost.id)) {
      await refresh(database, codeHost, repository, clock());
    }
  }
}

async function refresh(
  database: Database,
  codeHost: CodeHost,
  repository: Repository,
  now: Date,
): Promise<void> {
  const { id: repositoryId, owner, name, isPrivate } = repository;
  const openToAll = await codeHost.findRepository(owner, name, null);
  if (openToAll) {
    if (isPrivate) await saveRepository(database, { host: codeHost.id, ...openToAll }, now);
    return;
  }
  if (!isPrivate) await makePrivate(database, repositoryId, now);
  for (const { identity, user } of await listGranted(database, repositoryId)) {
    const stillVisible = await codeHost.findRepository(owner, name, identity);
    if (user && !stillVisible) await revokeGrant(database, { repositoryId, userId: user.id });
  }
}
