import type { CodeHost, ListedClone } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import {
  findWrittenOrRemovedRepository,
  type ListedRepository,
  listDueGrants,
  listRepositories,
  listUnwrittenRepositories,
} from '../../db/repositories.ts';
import { freshWithinMs, type ListScope } from '../../db/visibility.ts';
import type { Identity } from '../../domain/accounts.ts';
import { inTime } from '../../domain/concurrency.ts';
import type { ActingUser, Deps, Viewer } from '../deps.ts';
import type { RepositoryAddress } from './find-repository.ts';

type ListScopeDeps = Pick<Deps, 'database' | 'codeHosts' | 'clock' | 'renewals' | 'confirmedWithinMs'>;

export type FindListScope = (viewer: Viewer | ActingUser | null) => ListScope;

const grantsEachTime = 10;
const pauseMs = 60_000;

/** Early enough that a user who visits every morning and evening still finds their repositories. */
const renewedAfter = 1 / 4;

const mostRemembered = 10_000;

/**
 * Private repositories can be confirmed only with the viewer's own token, so opening a list renews their grants in the
 * background. The list itself shows what was confirmed before.
 */
export function createListScope(deps: ListScopeDeps): FindListScope {
  const { clock, confirmedWithinMs } = deps;
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
    if (user && isDue(user.id, now)) renewGrants(deps, { ...viewer, user }, now).catch(() => {});
    return { userId: user?.id ?? null, now, purpose: 'list', confirmedWithinMs };
  };
}

const grantsInAbsence = 100;

export type BackgroundListScope = (user: Pick<ActingUser, 'identity' | 'user'>) => Promise<ListScope>;

/** A mail cannot be recalled, so it contains only private articles that were confirmed just now. */
export function createBackgroundListScope({
  database,
  codeHosts,
  renewals,
  clock,
  confirmedWithinMs,
}: ListScopeDeps): BackgroundListScope {
  return async ({ identity, user }) => {
    const acting = { identity, user, credential: { kind: 'saved' } } as const;
    const before = new Date(clock().getTime() - freshWithinMs);
    const due = { userId: user.id, hosts: codeHosts.map(({ id }) => id), before, limit: grantsInAbsence };
    for (const repository of await listDueGrants(database, due))
      await renewals.renew(repository, acting).catch(() => {});
    const now = clock();
    const grantConfirmedWithinMs = Math.min(now.getTime() - before.getTime(), confirmedWithinMs);
    return { userId: user.id, now, purpose: 'list', confirmedWithinMs, grantConfirmedWithinMs };
  };
}

async function renewGrants(
  { codeHosts, ...deps }: ListScopeDeps,
  viewer: ActingUser,
  now: Date,
): Promise<void> {
  const { database, renewals, confirmedWithinMs } = deps;
  const hosts = codeHosts.filter(({ isLocal }) => !isLocal).map(({ id }) => id);
  if (hosts.length === 0) return;
  const before = new Date(now.getTime() - renewedAfter * confirmedWithinMs);
  const due = { userId: viewer.user.id, hosts, before, limit: grantsEachTime };
  for (const repository of await listDueGrants(database, due))
    if ((await renewals.renew(repository, viewer).catch(() => null)) === 'unanswered') return;
}

interface UnwrittenRepository {
  host: string;
  owner: string;
  repo: string;
  isPrivate: boolean;
  merged: number | null;
}

interface Unwritten extends Omit<UnwrittenRepository, 'merged'> {
  countMerged?: ListedClone['countMerged'];
}

interface RepositoryList {
  written: ListedRepository[];
  unwritten: UnwrittenRepository[];
  total: number;
  isComplete: boolean;
}

type ListDeps = Pick<Deps, 'database' | 'codeHosts' | 'callerOn'>;

const patienceMs = 2_000;

interface ListRequest {
  viewer: Viewer | null;
  looking: ListScope;
  limit: number;
  offset: number;
}

/**
 * Every repository that a viewer may see and open: those with articles first, newest article first, then those without,
 * by name. Clones are listed before any of their data is stored. Repositories of other hosts without an article are
 * listed for users only, so that visitors do not learn what users look at.
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
      row.merged = (await page[index]?.countMerged?.().catch(() => null)) ?? null;
    }
  };
  await inTime(count(), patienceMs, () => {
    isLate = true;
  });
  return { written, unwritten, total: total + found.length, isComplete: isComplete && !isLate };
}

/**
 * A clone without articles that visitors may see. It is found in the list of all clones, so that hidden ones take as
 * long.
 */
export async function findListedClone(
  { database }: Pick<ListDeps, 'database'>,
  { codeHost, owner, name }: RepositoryAddress,
  looking: ListScope,
): Promise<Omit<UnwrittenRepository, 'merged'> | null> {
  const wanted = `${owner}/${name}`.toLowerCase();
  const clones = await clonesFor(database, codeHost, { identity: null, looking });
  return clones.find((clone) => calledIn(clone) === wanted) ?? null;
}

const calledIn = ({ owner, repo }: { owner: string; repo: string }) => `${owner}/${repo}`.toLowerCase();

async function findUnwritten(
  { database, codeHosts, callerOn }: ListDeps,
  viewer: Viewer | null,
  looking: ListScope,
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

async function clonesFor(
  database: Database,
  codeHost: CodeHost,
  { identity, looking }: { identity: Identity | null; looking: ListScope },
): Promise<Unwritten[]> {
  const { id: host } = codeHost;
  const clones = (await codeHost.listRepositories?.(identity)) ?? [];
  if (clones.length === 0) return [];
  const without = await findWrittenOrRemovedRepository(database, { host, clones, viewer: looking });
  return clones
    .filter(({ hostRepoId }) => !without.has(hostRepoId))
    .map(({ owner, name, isPrivate, countMerged }) => ({ host, owner, repo: name, isPrivate, countMerged }));
}
