import type { CodeHost, ListedClone } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import {
  findWrittenOrRemoved,
  type ListedRepository,
  listRepositories,
  listUnwrittenRepositories,
} from '../../db/repositories.ts';
import type { ListViewer } from '../../db/visibility.ts';
import type { Identity } from '../../domain/accounts.ts';
import { inTime } from '../../domain/concurrency.ts';
import type { Viewer } from '../accounts/identify-bearer.ts';
import type { Deps } from '../deps.ts';
import type { CallerOn, RepositoryAddress } from './find-on-host.ts';

/** A repository without an article. */
export interface UnwrittenRepository {
  host: string;
  owner: string;
  repo: string;
  isPrivate: boolean;
  /** How many merged pull requests it has; null where that is not known. */
  merged: number | null;
}

interface Unwritten extends Omit<UnwrittenRepository, 'merged'> {
  countMerged?: ListedClone['countMerged'];
}

interface RepositoryList {
  written: ListedRepository[];
  unwritten: UnwrittenRepository[];
  total: number;
  /** False where something could not be read in time, so that the next reader may see more. */
  isComplete: boolean;
}

interface ListDeps extends Pick<Deps, 'database' | 'codeHosts'> {
  callerOn: CallerOn;
}

/** Readers of a page do not wait longer for the clones, and then for what is in them. */
const patienceMs = 2_000;

interface ListRequest {
  viewer: Viewer | null;
  looking: ListViewer;
  limit: number;
  offset: number;
}

/**
 * Every repository that a viewer may see and whose page they can open: those with articles, newest article first, then those
 * without, by name. Clones are listed before anything of them is stored. What other hosts have without an article shows to
 * users alone, because a visitor is not to learn what users look at.
 */
export async function listVisibleRepositories(
  deps: ListDeps,
  { viewer, looking, limit, offset }: ListRequest,
): Promise<RepositoryList> {
  const [{ rows: written, total }, { found, isComplete }] = await Promise.all([
    listRepositories(deps.database, { viewer: looking, limit, offset }),
    findUnwritten(deps, viewer, looking),
  ]);
  const from = Math.max(0, offset - total);
  const page = found.slice(from, from + limit - written.length);
  const unwritten = page.map(({ countMerged: _, ...place }) => ({ ...place, merged: null as number | null }));
  let isLate = false;
  const count = async (): Promise<void> => {
    for (const [index, row] of unwritten.entries()) {
      if (isLate) return;
      // A damaged clone counts nothing; reading it on purpose says what is wrong with it.
      row.merged = (await page[index]?.countMerged?.().catch(() => null)) ?? null;
    }
  };
  await inTime(count(), patienceMs, () => {
    isLate = true;
  });
  return { written, unwritten, total: total + found.length, isComplete: isComplete && !isLate };
}

/** A clone without articles that visitors see: by the list of all, so that it takes as long for one that is hidden. */
export async function findListedClone(
  { database }: Pick<ListDeps, 'database'>,
  { codeHost, owner, name }: RepositoryAddress,
  looking: ListViewer,
): Promise<Omit<UnwrittenRepository, 'merged'> | null> {
  const wanted = `${owner}/${name}`.toLowerCase();
  const clones = await clonesFor(database, codeHost, { identity: null, looking });
  return clones.find((clone) => calledIn(clone) === wanted) ?? null;
}

const calledIn = ({ owner, repo }: { owner: string; repo: string }) => `${owner}/${repo}`.toLowerCase();

async function findUnwritten(
  { database, codeHosts, callerOn }: ListDeps,
  viewer: Viewer | null,
  looking: ListViewer,
): Promise<{ found: Unwritten[]; isComplete: boolean }> {
  const others = codeHosts.filter(({ listRepositories: lists }) => !lists).map(({ id }) => id);
  const reading = Promise.all([
    looking.userId === null ? [] : listUnwrittenRepositories(database, { viewer: looking, hosts: others }),
    ...codeHosts.map(async (codeHost) => {
      const { identity } = await callerOn(codeHost, viewer, AbortSignal.timeout(patienceMs));
      return clonesFor(database, codeHost, { identity, looking });
    }),
  ]);
  const found = await inTime(reading, patienceMs, () => null).catch(() => null);
  const sorted = found?.flat().sort((one, other) => (calledIn(one) < calledIn(other) ? -1 : 1)) ?? [];
  return { found: sorted, isComplete: found !== null };
}

/** Clones that a host shows to a viewer, without those that they find among what is written about, or that were removed here. */
async function clonesFor(
  database: Database,
  codeHost: CodeHost,
  { identity, looking }: { identity: Identity | null; looking: ListViewer },
): Promise<Unwritten[]> {
  const { id: host } = codeHost;
  const clones = (await codeHost.listRepositories?.(identity)) ?? [];
  if (clones.length === 0) return [];
  const without = await findWrittenOrRemoved(database, { host, clones, viewer: looking });
  return clones
    .filter(({ hostRepoId }) => !without.has(hostRepoId))
    .map(({ owner, name, isPrivate, countMerged }) => ({ host, owner, repo: name, isPrivate, countMerged }));
}
