import type { CodeHost } from '../code-hosts/code-host.ts';
import type { Database } from '../db/database.ts';
import {
  findVisibleRepository as findStored,
  makePrivate,
  markUnreachable,
  type Repository,
  revokeGrant,
  saveRepository,
  saveSeenRepository,
} from '../db/repositories.ts';
import { inTime } from '../domain/in-time.ts';
import type { RepositoryAddress } from './find-on-host.ts';
import type { Viewer } from './identify-bearer.ts';

/** How long an answer of the host holds. */
export const freshForMs = 5 * 60 * 1000;

/** Readers do not wait longer than this for a host that is only asked whether all is as it was. */
const patienceMs = 2_000;

interface Parts {
  database: Database;
  clock: () => Date;
}

/**
 * A stored repository that the viewer may see, by its name. What is known is renewed every few minutes: with the
 * viewer's own rights where it is private. Without a grant the host is not even asked.
 */
export async function findVisibleRepository(
  { database, clock }: Parts,
  { codeHost, owner, name }: RepositoryAddress,
  viewer: Viewer | null,
): Promise<Repository | null> {
  const now = clock();
  const wanted = { host: codeHost.id, owner, name, viewer: { userId: viewer?.user?.id ?? null, now } };
  const find = () => findStored(database, wanted);
  return findAfterRenewal({ database, codeHosts: [codeHost], now }, find, (repository) => repository, viewer);
}

/**
 * Something of a repository that the viewer may see, found in whatever way, after what is known about the repository was
 * renewed. It is then found a second time, because the viewer may no longer see it.
 */
export async function findAfterRenewal<Found>(
  { database, codeHosts, now }: { database: Database; codeHosts: CodeHost[]; now: Date },
  find: () => Promise<Found | null>,
  repositoryOf: (found: Found) => Repository,
  viewer: Viewer | null,
): Promise<Found | null> {
  const found = await find();
  if (!found) return null;
  const stored = repositoryOf(found);
  if (now.getTime() - stored.checkedAt.getTime() < freshForMs) return found;
  const codeHost = codeHosts.find(({ id }) => id === stored.host);
  if (!codeHost) return found;
  await renew(database, codeHost, stored, viewer, now);
  return find();
}

async function renew(
  database: Database,
  codeHost: CodeHost,
  stored: Repository,
  viewer: Viewer | null,
  now: Date,
): Promise<void> {
  const asking = stored.isPrivate ? (viewer?.identity ?? null) : null;
  const asked = codeHost.findRepository(stored.owner, stored.name, asking);
  const answer = await inTime(
    asked.catch(() => 'unreachable' as const),
    patienceMs,
    () => 'unreachable' as const,
  );
  if (answer === 'unreachable') return markUnreachable(database, stored.id, now);
  // Another repository that has taken the name over says nothing about this one.
  const unmoved = answer?.hostRepoId === stored.hostRepoId ? answer : null;
  const userId = viewer?.user?.id;
  if (unmoved) {
    const seen = { host: codeHost.id, ...unmoved };
    if (userId) await database.transaction((tx) => saveSeenRepository(tx, { seen, userId, now }));
    else await saveRepository(database, seen, now);
  } else if (!stored.isPrivate) {
    await makePrivate(database, stored.id, now);
  } else if (userId) {
    await revokeGrant(database, { repositoryId: stored.id, userId });
  }
}
