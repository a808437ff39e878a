import type { Caller, CodeHost, MergedSince } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { makePrivate, saveSeenRepository } from '../../db/repositories.ts';
import { withdrawGrant } from '../../db/repository-grants.ts';
import type { HeldRepository, Watcher } from '../../db/watched-repositories.ts';
import { type ErrorCode, Failure } from '../../domain/errors.ts';
import { isWanted, type MergedPullRequest, mergedBefore, type PauseReason } from '../../domain/watching.ts';
import { anonymousCaller, type CallerOn } from '../repositories/call-host.ts';

interface Parts {
  database: Database;
  callerOn: CallerOn;
  clock: () => Date;
}

/** What is asked about, where, and for whom. */
export interface Asked {
  codeHost: CodeHost;
  held: HeldRepository;
  watchers: Watcher[];
  signal: AbortSignal;
}

/** What the host has told, to whom, and what was merged before watching began, for those who have just begun. */
export interface Told {
  since: MergedSince;
  before: Map<Watcher, MergedPullRequest[]>;
  asker: Watcher | null;
  askedAt: Date;
}

/** Why nothing was told: to each of those who watch, or because the host does not answer, or not for some seconds. */
export type Untold = { pauses: Map<Watcher, PauseReason> } | { retrySeconds: number; isLimited: boolean };

/** Asks with the rights of the service about what is public, and else with those of each who watches, until one is shown it. */
export async function askForMerged(parts: Parts, asked: Asked): Promise<Told | Untold> {
  if (!asked.held.isPrivate) {
    const told = await tellAsService(parts, asked);
    if (told) return told;
  }
  const pauses = new Map<Watcher, PauseReason>();
  let limited: Untold | null = null;
  for (const watcher of asked.watchers) {
    const told = await tellAs(parts, asked, watcher);
    if (typeof told === 'string') pauses.set(watcher, told);
    else if ('isLimited' in told && told.isLimited) limited = told;
    else return told;
  }
  // Who is limited may be shown it later.
  return limited ?? { pauses };
}

/** Null where it is not public any more. */
async function tellAsService(parts: Parts, asked: Asked): Promise<Told | Untold | null> {
  const { codeHost, held, signal } = asked;
  const askedAt = parts.clock();
  const caller = anonymousCaller(signal);
  try {
    const told = await tell(asked, caller);
    if (told) return { ...told, asker: null, askedAt };
    if (await codeHost.findRepositoryById(held, caller))
      throw new Failure('HOST_ERROR', 'The host lists nothing of a repository that it shows.');
  } catch (error) {
    return untoldBy(error);
  }
  await makePrivate(parts.database, { repositoryId: held.id, askedAt });
  return null;
}

async function tellAs(parts: Parts, asked: Asked, watcher: Watcher): Promise<Told | Untold | PauseReason> {
  const { codeHost, held, signal } = asked;
  const { database, callerOn, clock } = parts;
  const askedAt = clock();
  const { user, identity, hasRights } = watcher;
  try {
    const caller = await callerOn(codeHost, { identity, credential: { kind: 'saved' } }, signal);
    if (!codeHost.isLocal && caller.token === null) return 'noToken';
    // Who has lost the right to see it has to be given it back by the host in so many words.
    const shown = hasRights || (await codeHost.findRepositoryById(held, caller));
    const told = shown && (await tell(asked, caller));
    if (!told) {
      await withdrawGrant(database, { repositoryId: held.id, userId: user.id, askedAt });
      return 'noRights';
    }
    if (shown !== true) {
      const seen = { host: held.host, ...shown };
      await database.transaction((tx) => saveSeenRepository(tx, { seen, userId: user.id, askedAt }));
    }
    return { ...told, asker: watcher, askedAt };
  } catch (error) {
    if (error instanceof Failure && tokenIsOfNoUse.includes(error.code)) return 'noToken';
    return untoldBy(error);
  }
}

const tokenIsOfNoUse: ErrorCode[] = ['HOST_TOKEN_INVALID', 'HOST_TOKEN_REQUIRED'];

async function tell(
  { codeHost, held, watchers }: Asked,
  caller: Caller,
): Promise<Pick<Told, 'since' | 'before'> | null> {
  // Asked for first, so that what is merged meanwhile is told twice rather than not at all.
  const since = await codeHost.mergedSince(held, held.cursor, caller);
  if (!since) return null;
  const before: Told['before'] = new Map();
  const found = new Map<string, MergedPullRequest[]>();
  for (const watcher of watchers.filter(({ hasBegun }) => !hasBegun)) {
    const { labels, includeBots } = watcher;
    const filter = JSON.stringify([labels, includeBots]);
    const wanted = { most: mergedBefore, isWanted: (one: MergedPullRequest) => isWanted(watcher, one) };
    const last = found.get(filter) ?? (await codeHost.lastMerged(held, wanted, caller));
    if (!last) return null;
    found.set(filter, last);
    before.set(watcher, last);
  }
  return { since, before };
}

const away: ErrorCode[] = ['HOST_RATE_LIMITED', 'HOST_TIMEOUT', 'HOST_ERROR', 'UNAVAILABLE'];

/** Throws what is no answer of a host. */
function untoldBy(error: unknown): Untold {
  if (!(error instanceof Failure) || !away.includes(error.code)) throw error;
  const seconds = Number(error.headers['retry-after'] ?? 0);
  return { retrySeconds: seconds > 0 ? seconds : 0, isLimited: error.code === 'HOST_RATE_LIMITED' };
}
