import type { CodeHost } from '../code-hosts/code-host.ts';
import type { Database } from '../db/database.ts';
import {
  listRepositoriesOfHost,
  listRepositoriesWithOldGrants,
  makePrivate,
  type Repository,
  saveRepository,
} from '../db/repositories.ts';
import { grantRepository, listGranted, withdrawGrant } from '../db/repository-grants.ts';
import { anybody } from './call-host.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  clock: () => Date;
}

/** Twice as often as lists need it. */
const grantsRenewedAfterMs = 12 * 60 * 60 * 1000;

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

/** Lists do not go by what a host said long ago; local ones are asked again before that, because asking costs nothing. */
export async function renewLocalGrants({ database, codeHosts, clock }: Parts): Promise<void> {
  const before = new Date(clock().getTime() - grantsRenewedAfterMs);
  for (const codeHost of codeHosts.filter(({ isLocal }) => isLocal)) {
    const { id: host } = codeHost;
    for (const repository of await listRepositoriesWithOldGrants(database, { host, before })) {
      await refresh(database, codeHost, repository, clock());
    }
  }
}

/** A clock that was set back must not keep the settings from being followed. */
const notBefore = (now: Date, known: Date) => (now < known ? known : now);

async function refresh(
  database: Database,
  codeHost: CodeHost,
  repository: Repository,
  now: Date,
): Promise<void> {
  const { id: repositoryId, isPrivate, checkedAt } = repository;
  const askedAt = notBefore(now, checkedAt);
  const nobody = anybody(new AbortController().signal);
  const openToAll = await codeHost.findRepositoryById(repository, nobody);
  if (openToAll) {
    if (isPrivate) await saveRepository(database, { host: codeHost.id, ...openToAll }, askedAt);
    return;
  }
  if (!isPrivate) await makePrivate(database, { repositoryId, askedAt });
  for (const { identity, user, confirmedAt } of await listGranted(database, repositoryId)) {
    if (!user) continue;
    const stillVisible = await codeHost.findRepositoryById(repository, { ...nobody, identity });
    const check = { repositoryId, userId: user.id, askedAt: notBefore(now, confirmedAt) };
    await (stillVisible ? grantRepository(database, check) : withdrawGrant(database, check));
  }
}
