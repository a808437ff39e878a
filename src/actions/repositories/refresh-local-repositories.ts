import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import {
  confirmPublic,
  listRepositoriesOfHost,
  listUnconfirmedRepositories,
  makePrivate,
  type Repository,
  saveRepository,
} from '../../db/repositories.ts';
import { grantRepository, listGranted, withdrawGrant } from '../../db/rights.ts';
import { anonymousCaller } from './call-host.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  clock: () => Date;
}

/** Twice as often as lists need it. */
const renewedAfter = 1 / 2;

/**
 * Brings what is stored about repositories of local hosts up to what their settings and folders say now. Who may see
 * them changes only between two starts, so that it is done before the first request and lists never show what
 * yesterday's settings allowed.
 */
export async function refreshLocalRepositories(parts: Parts): Promise<void> {
  for (const codeHost of parts.codeHosts.filter(({ isLocal }) => isLocal))
    await refreshAll(parts, codeHost, await listRepositoriesOfHost(parts.database, codeHost.id));
}

/** Lists do not go by what a host said long ago; local ones are asked again before that, because asking costs nothing. */
export async function renewLocalRepositories(parts: Parts & { listedForMs: number }): Promise<void> {
  const { database, codeHosts, clock, listedForMs } = parts;
  const before = new Date(clock().getTime() - renewedAfter * listedForMs);
  for (const codeHost of codeHosts.filter(({ isLocal }) => isLocal))
    await refreshAll(
      parts,
      codeHost,
      await listUnconfirmedRepositories(database, { host: codeHost.id, before }),
    );
}

async function refreshAll(
  { database, clock }: Parts,
  codeHost: CodeHost,
  repositories: Repository[],
): Promise<void> {
  const askedAt = clock();
  const stillPublic: string[] = [];
  for (const repository of repositories)
    if (await isStillPublic(database, codeHost, repository, clock())) stillPublic.push(repository.id);
  if (stillPublic.length > 0) await confirmPublic(database, { repositoryIds: stillPublic, askedAt });
}

/** A clock that was set back must not keep the settings from being followed. */
const notBefore = (now: Date, known: Date) => (now < known ? known : now);

/** Stores what has changed, and says whether nothing has for one that everybody may see. */
async function isStillPublic(
  database: Database,
  codeHost: CodeHost,
  repository: Repository,
  now: Date,
): Promise<boolean> {
  const { id: repositoryId, isPrivate, checkedAt } = repository;
  const askedAt = notBefore(now, checkedAt);
  const caller = anonymousCaller(new AbortController().signal);
  const openToAll = await codeHost.findRepositoryById(repository, caller);
  if (openToAll) {
    const seen = { host: codeHost.id, ...openToAll };
    if (isPrivate) await database.transaction((tx) => saveRepository(tx, seen, askedAt));
    return !isPrivate;
  }
  if (!isPrivate) await makePrivate(database, { repositoryId, askedAt });
  for (const { identity, user, confirmedAt } of await listGranted(database, repositoryId)) {
    if (!user) continue;
    const stillVisible = await codeHost.findRepositoryById(repository, { ...caller, identity });
    const check = { repositoryId, userId: user.id, askedAt: notBefore(now, confirmedAt) };
    await (stillVisible ? grantRepository(database, check) : withdrawGrant(database, check));
  }
  return false;
}
