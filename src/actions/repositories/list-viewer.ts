import { listDueGrants } from '../../db/repositories.ts';
import { freshForMs, type ListViewer } from '../../db/visibility.ts';
import type { ActingUser, Viewer } from '../accounts/identify-bearer.ts';
import type { Deps } from '../deps.ts';
import type { RepositoryRenewals } from './renew-repositories.ts';

interface ListDeps extends Pick<Deps, 'database' | 'codeHosts' | 'clock'> {
  renewals: RepositoryRenewals;
  /** How long lists go by what a host said. */
  listedForMs: number;
}

/** The viewer of a list, for the visibility rules of the database. */
export type FindListViewer = (viewer: Viewer | ActingUser | null) => ListViewer;

/** How many grants are renewed when their holder opens a list, and how often. */
const grantsEachTime = 10;
const pauseMs = 60_000;

/** Early enough that those who look twice a day find in the morning what they saw in the evening. */
const renewedAfter = 1 / 4;

/** Beyond this the map is cleared, which costs a query each. */
const mostRemembered = 10_000;

/**
 * Private repositories can be confirmed only with the viewer's own token, so opening a list renews their grants in the
 * background. The list itself shows what was confirmed before.
 */
export function createListViewer(deps: ListDeps): FindListViewer {
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
    // Errors are reported when the user opens the repository.
    if (user && isDue(user.id, now)) renewGrants(deps, { ...viewer, user }, now).catch(() => {});
    return { userId: user?.id ?? null, now, purpose: 'list', listedForMs };
  };
}

const grantsInAbsence = 100;

/** The viewer of a list that is made in the user's absence, after a check with their saved tokens. */
export type BackgroundListViewer = (user: Pick<ActingUser, 'identity' | 'user'>) => Promise<ListViewer>;

/** A mail cannot be taken back, so it contains only private articles that were confirmed just now. */
export function createBackgroundListViewer({
  database,
  codeHosts,
  renewals,
  clock,
  listedForMs,
}: ListDeps): BackgroundListViewer {
  return async ({ identity, user }) => {
    const acting = { identity, user, credential: { kind: 'saved' } } as const;
    const before = new Date(clock().getTime() - freshForMs);
    const due = { userId: user.id, hosts: codeHosts.map(({ id }) => id), before, limit: grantsInAbsence };
    // A failure on one host says nothing about the others.
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
  for (const repository of await listDueGrants(database, due))
    if ((await renewals.renew(repository, viewer).catch(() => null)) === 'unanswered') return;
}
