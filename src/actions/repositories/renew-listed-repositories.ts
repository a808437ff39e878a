import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import {
  claimRenewalRound,
  confirmRepositoryPublic,
  listDueRepositories,
  listHiddenRepositories,
  listRepositoriesOfHost,
  listUnconfirmedRepositories,
  makeRepositoryPrivate,
  noteUnansweredRepositories,
  saveRepository,
  saveRepositoryAddress,
  showOnlyHosts,
} from '../../db/repositories.ts';
import { grantRepository, listGrants, withdrawGrant } from '../../db/rights.ts';
import type { Repository } from '../../db/visibility.ts';
import { StartupProblem } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { anonymousCaller } from './find-repository.ts';

export async function registerCodeHosts(database: Database, codeHosts: CodeHost[]): Promise<void> {
  for (const { id: host, webUrl, isLocal } of codeHosts) {
    if (isLocal || webUrl === null) continue;
    const known = await saveRepositoryAddress(database, { host, address: webUrl });
    if (known === webUrl) continue;
    throw new StartupProblem(
      `This database belongs to the ${host} server at ${known}; at ${webUrl}, the same account numbers are other people. ` +
        `Set ${host.toUpperCase()}_URL=${known}, or use another database.`,
    );
  }
  await showOnlyHosts(
    database,
    codeHosts.map(({ id }) => id),
  );
}

const localRenewedAfter = 1 / 2;

type LocalDeps = Pick<Deps, 'database' | 'codeHosts' | 'clock'>;

/**
 * Applies the current settings to local repositories. Runs before the first request, so lists never show old access.
 */
export const refreshLocalRepositories = (deps: LocalDeps): Promise<void> =>
  refreshLocal(deps, (host) => listRepositoriesOfHost(deps.database, host));

export async function refreshLocal(
  { database, codeHosts, clock }: LocalDeps,
  list: (host: string) => Promise<Repository[]>,
): Promise<void> {
  for (const codeHost of codeHosts.filter(({ isLocal }) => isLocal)) {
    const askedAt = clock();
    const stillPublic: string[] = [];
    for (const repository of await list(codeHost.id))
      if (await isStillPublic(database, codeHost, repository, clock())) stillPublic.push(repository.id);
    if (stillPublic.length > 0)
      await confirmRepositoryPublic(database, { repositoryIds: stillPublic, askedAt });
  }
}

/** If the clock was set back, the settings must still apply. */
const notBefore = (now: Date, known: Date) => (now < known ? known : now);

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
  if (!isPrivate) await makeRepositoryPrivate(database, { repositoryId, askedAt });
  for (const { identity, user, confirmedAt, withdrawn } of await listGrants(database, repositoryId)) {
    if (!user) continue;
    const stillVisible = await codeHost.findRepositoryById(repository, { ...caller, identity });
    const check = { repositoryId, userId: user.id, askedAt: notBefore(now, confirmedAt) };
    if (stillVisible) await grantRepository(database, check);
    else if (!withdrawn) await withdrawGrant(database, check);
  }
  return false;
}

type RenewalDeps = Pick<Deps, 'database' | 'codeHosts' | 'clock' | 'renewals' | 'confirmedWithinMs'>;

const hourMs = 60 * 60 * 1000;

const roundsPerHour = 60;

/** Late enough to save calls, and early enough to survive a short outage. */
const renewedAfter = 5 / 6;

/**
 * Confirms public repositories before lists stop showing them: local ones all at once, others within the background
 * quota. Spare calls go to hidden repositories, which return if the host shows them again. One process at a time polls
 * a host.
 */
export async function renewListedRepositories(deps: RenewalDeps): Promise<void> {
  const before = new Date(deps.clock().getTime() - localRenewedAfter * deps.confirmedWithinMs);
  await refreshLocal(deps, (host) => listUnconfirmedRepositories(deps.database, { host, before }));
  for (const codeHost of deps.codeHosts.filter(({ isLocal }) => !isLocal)) await renewOnHost(deps, codeHost);
}

const sizeOfRound = (perHour: number): number =>
  perHour > 0 ? Math.max(1, Math.floor(perHour / roundsPerHour)) : 0;

async function renewOnHost(deps: RenewalDeps, codeHost: CodeHost): Promise<void> {
  const { database, renewals, clock, confirmedWithinMs } = deps;
  const { id: host } = codeHost;
  const perHour = codeHost.backgroundQuota();
  const limit = sizeOfRound(perHour);
  if (limit === 0) return;
  const now = clock();
  const after = (ms: number) => new Date(now.getTime() + ms);
  const pauseMs = (limit / perHour) * hourMs;
  const round = { host, now, until: after(pauseMs), latest: after(Math.max(pauseMs, hourMs)) };
  if (!(await claimRenewalRound(database, round))) return;
  const before = after(-renewedAfter * confirmedWithinMs);
  const due = await listDueRepositories(database, { host, now, before, limit });
  const hidden = await listHiddenRepositories(database, { host, now, limit: limit - due.length });
  for (const [index, repository] of [...due, ...hidden].entries()) {
    if (index >= sizeOfRound(codeHost.backgroundQuota())) return;
    const outcome = await renewals.renew(repository, null, { isRead: false });
    if (outcome === 'turnedPrivate' || outcome === 'otherwise') continue;
    // After no response, a wait hint or a full disk, the host is left alone until the next round.
    if (outcome === 'unanswered' || outcome === 'lapsed')
      await noteUnansweredRepositories(database, { repositoryId: repository.id, now: clock() });
    return;
  }
}
