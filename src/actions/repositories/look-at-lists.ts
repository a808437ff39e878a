import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { listDueGrants } from '../../db/listed-renewals.ts';
import type { ListViewer } from '../../db/visibility.ts';
import type { ActingUser, Viewer } from '../accounts/identify-bearer.ts';
import type { RepositoryRenewals } from './renew-repositories.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  renewals: RepositoryRenewals;
  clock: () => Date;
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
export function createLookAtLists(parts: Parts): LookAtLists {
  const { clock, listedForMs } = parts;
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
    if (user && isDue(user.id, now)) renewGrants(parts, { ...viewer, user }, now).catch(() => {});
    return { userId: user?.id ?? null, now, purpose: 'list', listedForMs };
  };
}

async function renewGrants(
  { database, codeHosts, renewals, listedForMs }: Parts,
  viewer: ActingUser,
  now: Date,
): Promise<void> {
  const hosts = codeHosts.filter(({ isLocal }) => !isLocal).map(({ id }) => id);
  if (hosts.length === 0) return;
  const due = {
    userId: viewer.user.id,
    hosts,
    before: new Date(now.getTime() - renewedAfter * listedForMs),
    limit: grantsEachTime,
  };
  for (const repository of await listDueGrants(database, due))
    if ((await renewals.renew(repository, viewer)) === 'unanswered') return;
}
