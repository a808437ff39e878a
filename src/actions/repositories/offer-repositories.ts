import type { CodeHost, OfferedRepository } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { listKnownRepositories } from '../../db/listed-repositories.ts';
import { isRemovedByName } from '../../db/removals.ts';
import type { ListViewer } from '../../db/visibility.ts';
import { inTime } from '../../domain/in-time.ts';

export interface OfferedPlace {
  host: string;
  owner: string;
  repo: string;
  /** How many merged pull requests it has; null where that is not known. */
  merged: number | null;
}

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  clock: () => Date;
}

/** As many as a page lists to begin with. */
const atMost = 20;

/** Looking through clones takes a while, which no client shall be able to keep the service busy with. */
const cachedMs = 60_000;

/** Readers of a page do not wait longer for it. */
const patienceMs = 2_000;

/**
 * Repositories that anybody may see, for readers who find no articles: those that a host offers by itself, and those that are
 * known of others. Null where that cannot be told in time.
 */
export function offerRepositories({ database, codeHosts, clock }: Parts) {
  const offers = new Map<CodeHost, { found: Promise<OfferedRepository[]>; until: number }>();
  const offeredBy = (codeHost: CodeHost): Promise<OfferedRepository[]> => {
    const now = clock().getTime();
    const kept = offers.get(codeHost);
    if (kept && now < kept.until) return kept.found;
    const found = codeHost.offerRepositories(atMost);
    offers.set(codeHost, { found, until: now + cachedMs });
    return found;
  };
  const isShown = async (codeHost: CodeHost, { owner, name }: OfferedRepository): Promise<boolean> => {
    // No pull request has the number 0: what is removed as a whole is meant.
    if (await isRemovedByName(database, { host: codeHost.id, owner, name, number: 0 })) return false;
    const caller = { identity: null, token: null, signal: AbortSignal.timeout(patienceMs) };
    const found = await codeHost.findRepository(owner, name, caller).catch(() => null);
    return found !== null && !found.isPrivate;
  };
  const find = async (viewer: ListViewer): Promise<OfferedPlace[]> => {
    const places: OfferedPlace[] = [];
    for (const codeHost of codeHosts) {
      const host = codeHost.id;
      for (const offered of await offeredBy(codeHost))
        if (await isShown(codeHost, offered))
          places.push({ host, owner: offered.owner, repo: offered.name, merged: offered.merged });
      const known = codeHost.isLocal
        ? []
        : await listKnownRepositories(database, { host, viewer, limit: atMost });
      places.push(...known.map((one) => ({ host, ...one, merged: null })));
    }
    return places.slice(0, atMost);
  };
  const untold = () => null;
  return (viewer: ListViewer) => inTime(find(viewer).catch(untold), patienceMs, untold);
}
