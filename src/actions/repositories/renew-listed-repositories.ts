import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import {
  claimRound,
  listDueRepositories,
  listHiddenRepositories,
  noteUnanswered,
} from '../../db/list-renewals.ts';
import { renewLocalRepositories } from './refresh-local-repositories.ts';
import type { RepositoryRenewals } from './renew-repositories.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  renewals: RepositoryRenewals;
  clock: () => Date;
  /** How long lists go by what a host said. */
  listedForMs: number;
}

const hourMs = 60 * 60 * 1000;

/** Hosts are asked a few questions at a time, about once a minute, rather than all of an hour at once. */
const roundsPerHour = 60;

/** Late enough that hardly more is asked than lists need, early enough that a host can be away for a while. */
const renewedAfter = 5 / 6;

/**
 * Has hosts confirm the public repositories that lists show, before lists no longer show them: those of local hosts at once,
 * those of others as far as they can spare the questions. What is left of these goes to what was hidden since, so that it comes
 * back when its host shows it again. One process of all asks a host.
 */
export async function renewListedRepositories(parts: Parts): Promise<void> {
  await renewLocalRepositories(parts);
  for (const codeHost of parts.codeHosts.filter(({ isLocal }) => !isLocal))
    await renewOnHost(parts, codeHost);
}

const sizeOfRound = (perHour: number): number =>
  perHour > 0 ? Math.max(1, Math.floor(perHour / roundsPerHour)) : 0;

async function renewOnHost(parts: Parts, codeHost: CodeHost): Promise<void> {
  const { database, renewals, clock, listedForMs } = parts;
  const { id: host } = codeHost;
  const perHour = codeHost.backgroundQuota();
  const limit = sizeOfRound(perHour);
  if (limit === 0) return;
  const now = clock();
  const after = (ms: number) => new Date(now.getTime() + ms);
  const pauseMs = (limit / perHour) * hourMs;
  const round = { host, now, until: after(pauseMs), latest: after(Math.max(pauseMs, hourMs)) };
  if (!(await claimRound(database, round))) return;
  const before = after(-renewedAfter * listedForMs);
  const due = await listDueRepositories(database, { host, now, before, limit });
  const hidden = await listHiddenRepositories(database, { host, now, limit: limit - due.length });
  for (const [asked, repository] of [...due, ...hidden].entries()) {
    // Each answer may tell that there is less to spare.
    if (asked >= sizeOfRound(codeHost.backgroundQuota())) return;
    const outcome = await renewals.renew(repository, null, { isRead: false });
    if (outcome === 'turnedPrivate' || outcome === 'otherwise') continue;
    // A host that does not answer or says to wait, or a disk without room, is left alone until the next round.
    if (outcome === 'unanswered' || outcome === 'lapsed')
      await noteUnanswered(database, { repositoryId: repository.id, now: clock() });
    return;
  }
}
