import type { Caller, CodeHost, MergedSince } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { makePrivate, saveSeenRepository } from '../../db/repositories.ts';
import { withdrawGrant } from '../../db/rights.ts';
import type { HeldRepository, Watcher } from '../../db/watches.ts';
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

/** Why the poll failed for each follower (`hostAway` for those without an entry), and when to poll again. */
export interface Untold {
  pauses: Map<Watcher, PauseReason>;
  retrySeconds: number;
  isLimited: boolean;
}

/** The host is away, or limits the token that was used. */
type HostAway = Omit<Untold, 'pauses'>;

/** Asks with the rights of the service about what is public, and else with those of each who watches, until one is shown it. */
export async function askForMerged(parts: Parts, asked: Asked): Promise<Told | Untold> {
  if (!asked.held.isPrivate) {
    const told = await tellAsService(parts, asked);
    if (told) return 'since' in told ? told : { ...told, pauses: new Map() };
  }
  const untold: Untold = { pauses: new Map(), retrySeconds: 0, isLimited: false };
  let isAway = false;
  for (const watcher of asked.watchers) {
    const told = await tellAs(parts, asked, watcher, isAway);
    if (typeof told === 'string') {
      untold.pauses.set(watcher, told);
      continue;
    }
    if ('since' in told) return told;
    untold.pauses.set(watcher, 'hostAway');
    untold.retrySeconds = Math.max(untold.retrySeconds, told.retrySeconds);
    // A limit is that of one token. A host that is away is not asked again for the others.
    if (told.isLimited) untold.isLimited = true;
    else isAway = true;
  }
  return untold;
}

/** Null where it is not public any more. */
async function tellAsService(parts: Parts, asked: Asked): Promise<Told | HostAway | null> {
  const { codeHost, held, signal } = asked;
  const askedAt = parts.clock();
  const caller = anonymousCaller(signal);
  try {
    const told = await tell(asked, caller);
    if (told) return { ...told, asker: null, askedAt };
    if (await codeHost.findRepositoryById(held, caller))
      throw new Failure('HOST_ERROR', 'The host lists nothing of a repository that it shows.');
  } catch (error) {
    return hostAway(error);
  }
  await makePrivate(parts.database, { repositoryId: held.id, askedAt });
  return null;
}

async function tellAs(
  parts: Parts,
  asked: Asked,
  watcher: Watcher,
  isAway: boolean,
): Promise<Told | HostAway | PauseReason> {
  const { codeHost, held, signal } = asked;
  const { database, callerOn, clock } = parts;
  const askedAt = clock();
  const { user, identity, hasRights } = watcher;
  try {
    const caller = await callerOn(codeHost, { identity, credential: { kind: 'saved' } }, signal);
    if (!codeHost.isLocal && caller.token === null) return 'noToken';
    if (isAway) return 'hostAway';
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
    return hostAway(error);
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
function hostAway(error: unknown): HostAway {
  if (!(error instanceof Failure) || !away.includes(error.code)) throw error;
  const seconds = Number(error.headers['retry-after'] ?? 0);
  return { retrySeconds: seconds > 0 ? seconds : 0, isLimited: error.code === 'HOST_RATE_LIMITED' };
}
