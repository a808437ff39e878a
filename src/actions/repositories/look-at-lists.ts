import { listDueGrants } from '../../db/list-renewals.ts';
import { freshForMs, type ListViewer } from '../../db/visibility.ts';
import type { ActingUser, Viewer } from '../accounts/identify-bearer.ts';
import type { Deps } from '../deps.ts';
import type { RepositoryRenewals } from './renew-repositories.ts';

interface ListDeps extends Pick<Deps, 'database' | 'codeHosts' | 'clock'> {
  renewals: RepositoryRenewals;
  /** How long lists go by what a host said. */
  listedForMs: number;
}

/** Who looks at a list, and what it may show them. */
export type LookAtLists = (viewer: Viewer | ActingUser | null) => ListViewer;

/** How many grants are renewed because their holder looks at a list, one after the other, and how often. */
const grantsEachTime = 10;
const pauseMs = 60_000;

/** Early enough that those who look twice a day find in the morning what they saw in the evening. */
const renewedAfter = 1 / 4;

/** More viewers than this are forgotten together: the worst that comes of it is a look at the database. */
const mostRemembered = 10_000;

/**
 * What is private is confirmed with its viewer's own rights alone, and therefore when they come to look: behind the answer,
 * which shows what was confirmed before.
 */
export function createLookAtLists(deps: ListDeps): LookAtLists {
  const { clock, listedForMs } = deps;
  const lastRenewals = new Map<string, number>();
  const isDue = (userId: string, now: Date): boolean => {
    if (now.getTime() - (lastRenewals.get(userId) ?? 0) < pauseMs) return false;
    if (lastRenewals.size >= mostRemembered) lastRenewals.clear();
    lastRenewals.set(userId, now.getTime());
    return true;
  };
  return (viewer) => {
    const now = clock();
    const user = viewer?.user;
    // Whatever keeps a grant from being renewed, its holder is told when they look at what it is about.
    if (user && isDue(user.id, now)) renewGrants(deps, { ...viewer, user }, now).catch(() => {});
    return { userId: user?.id ?? null, now, purpose: 'list', listedForMs };
  };
}

/** For a user in whose absence a list is made: as many as one is likely to follow. */
const grantsInAbsence = 100;

/** Who would look at a list, if they were here: what they may see is asked for first, with the tokens that they have saved. */
export type LookInAbsence = (user: Pick<ActingUser, 'identity' | 'user'>) => Promise<ListViewer>;

/** What is sent cannot be taken back: of what is private it has what was confirmed just now, and nothing else. */
export function createLookInAbsence({
  database,
  codeHosts,
  renewals,
  clock,
  listedForMs,
}: ListDeps): LookInAbsence {
  return async ({ identity, user }) => {
    const acting = { identity, user, credential: { kind: 'saved' } } as const;
    const before = new Date(clock().getTime() - freshForMs);
    const due = { userId: user.id, hosts: codeHosts.map(({ id }) => id), before, limit: grantsInAbsence };
    // One that cannot be asked about, because its host is silent or its token refused, says nothing about those of other hosts.
    for (const repository of await listDueGrants(database, due))
      await renewals.renew(repository, acting).catch(() => {});
    const now = clock();
    const grantedForMs = Math.min(now.getTime() - before.getTime(), listedForMs);
    return { userId: user.id, now, purpose: 'list', listedForMs, grantedForMs };
  };
}

async function renewGrants({ codeHosts, ...deps }: ListDeps, viewer: ActingUser, now: Date): Promise<void> {
  const { database, renewals, listedForMs } = deps;
  const hosts = codeHosts.filter(({ isLocal }) => !isLocal).map(({ id }) => id);
  if (hosts.length === 0) return;
  const before = new Date(now.getTime() - renewedAfter * listedForMs);
  const due = { userId: viewer.user.id, hosts, before, limit: grantsEachTime };
  // A token that one host refuses says nothing about those of others; each that it refuses is off the lists from then on.
  for (const repository of await listDueGrants(database, due))
    if ((await renewals.renew(repository, viewer).catch(() => null)) === 'unanswered') return;
}
