import type { Caller, CodeHost, MergedSince } from '../../code-hosts/code-host.ts';
import type { Queries } from '../../db/database.ts';
import { makePrivate, saveRepository, saveSeenRepository } from '../../db/repositories.ts';
import { withdrawGrant } from '../../db/rights.ts';
import {
  claimWatched,
  countWatchedPublic,
  forgetUnwatched,
  type HeldRepository,
  listWatchers,
  noteHeard,
  notePause,
  noteSeen,
  planWatched,
  releaseWatched,
  type Watcher,
} from '../../db/watches.ts';
import { noteMerges } from '../../db/webhook-events.ts';
import { type ErrorCode, Failure } from '../../domain/errors.ts';
import {
  isWanted,
  type MergedPullRequest,
  mergedBefore,
  oldestFirst,
  type PauseReason,
  pauseReasons,
} from '../../domain/watching.ts';
import type { Deps } from '../deps.ts';
import { anonymousCaller, type CallerOn } from '../repositories/find-on-host.ts';

interface Heard {
  repositoryId: string;
  now: Date;
}

/** What was merged, and for whom it is planned. */
interface Plan {
  pullRequest: MergedPullRequest;
  watchers: Set<Watcher>;
}

/**
 * Plans articles about pull requests that were merged in a repository, in the order given and in each language that somebody who
 * watches it wants them in, within the caller's transaction. However often a merge is heard of, it is planned once. Returns how
 * many articles are new.
 */
function planFor(tx: Queries, { repositoryId, now }: Heard, plans: Plan[]): Promise<number> {
  const wanted = plans.flatMap(({ pullRequest, watchers }) => {
    const wanting = [...watchers].filter((watcher) => isWanted(watcher, pullRequest));
    const languages = new Set(wanting.map(({ language }) => language));
    return [...languages].sort().map((language) => ({ number: pullRequest.number, language }));
  });
  return planWatched(tx, { repositoryId, wanted, now });
}

/** What is asked about, where, and for whom. */
interface Asked {
  codeHost: CodeHost;
  held: HeldRepository;
  watchers: Watcher[];
  signal: AbortSignal;
}

/** What the host has told, to whom, and what was merged before watching began, for those who have just begun. */
interface Told {
  since: MergedSince;
  before: Map<Watcher, MergedPullRequest[]>;
  asker: Watcher | null;
  askedAt: Date;
}

/** Why the poll failed for each follower (`hostAway` for those without an entry), and when to poll again. */
interface Untold {
  pauses: Map<Watcher, PauseReason>;
  retrySeconds: number;
  isLimited: boolean;
}

/** The host is away, or limits the token that was used. */
type HostAway = Omit<Untold, 'pauses'>;

/** Asks with the rights of the service about what is public, and else with those of each who watches, until one is shown it. */
async function askForMerged(deps: PollDeps, asked: Asked): Promise<Told | Untold> {
  if (!asked.held.isPrivate) {
    const told = await tellAsService(deps, asked);
    if (told) return 'since' in told ? told : { ...told, pauses: new Map() };
  }
  const untold: Untold = { pauses: new Map(), retrySeconds: 0, isLimited: false };
  let isAway = false;
  for (const watcher of asked.watchers) {
    const told = await tellAs(deps, asked, watcher, isAway);
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
async function tellAsService(deps: PollDeps, asked: Asked): Promise<Told | HostAway | null> {
  const { codeHost, held, signal } = asked;
  const askedAt = deps.clock();
  const caller = anonymousCaller(signal);
  try {
    const told = await tell(asked, caller);
    if (told) return { ...told, asker: null, askedAt };
    if (await codeHost.findRepositoryById(held, caller))
      throw new Failure('HOST_ERROR', 'The host lists nothing of a repository that it shows.');
  } catch (error) {
    return hostAway(error);
  }
  await makePrivate(deps.database, { repositoryId: held.id, askedAt });
  return null;
}

async function tellAs(
  deps: PollDeps,
  asked: Asked,
  watcher: Watcher,
  isAway: boolean,
): Promise<Told | HostAway | PauseReason> {
  const { codeHost, held, signal } = asked;
  const { database, callerOn, clock } = deps;
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

export interface PollDeps extends Pick<Deps, 'database' | 'codeHosts' | 'clock'> {
  callerOn: CallerOn;
  watchEveryMs: number;
  /** How long lists go by what a host said. */
  listedForMs: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Longer than a host is asked for; after a process that died, its repository is asked about by another one. */
const leaseMs = 5 * minuteMs;
const patienceMs = 4 * minuteMs;

/** However many are watched and however little a host lets be asked, each is asked about once a day. */
const longestMs = 24 * hourMs;

/** A host that told of nothing for so long may no longer do so. */
const webhooksLastMs = 24 * hourMs;

/** Most answers say that nothing has changed, which GitHub does not count: so twice of what can be spared is asked. */
const ofSpare = 2;

/**
 * Asks the host of the repository that has been due longest what was merged in it, and plans the articles that those who watch
 * it want. False where none is due. How far the host has told and what was planned of it are stored together or not at all.
 */
export async function askAboutNext(deps: PollDeps, stopping: AbortSignal): Promise<boolean> {
  const { database, codeHosts, clock } = deps;
  const now = clock();
  const after = (ms: number) => new Date(now.getTime() + ms);
  const latest = { due: after(2 * longestMs), held: after(2 * leaseMs) };
  const held = await claimWatched(database, { now, until: after(leaseMs), latest });
  if (!held) return false;
  if (await database.transaction((tx) => forgetUnwatched(tx, held.id))) return true;
  const watchers = await listWatchers(database, held.id, held);
  const codeHost = codeHosts.find(({ id }) => id === held.host);
  if (!codeHost) {
    await noteUntold(deps, held, watchers, { pauses: new Map(), retrySeconds: 0, isLimited: false });
    return true;
  }
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(patienceMs)]);
  const asked: Asked = { codeHost, held, watchers, signal };
  const answer = await askForMerged(deps, asked);
  if ('since' in answer) await hear(deps, asked, answer);
  else await noteUntold(deps, held, watchers, answer);
  return true;
}

async function hear(deps: PollDeps, asked: Asked, told: Told): Promise<void> {
  const { held } = asked;
  const { since, asker, askedAt } = told;
  const dueAt = await nextRound(deps, asked);
  const now = deps.clock();
  await deps.database.transaction(async (tx) => {
    // Before all else: those who remove a repository lock it first.
    if (since.repository) {
      const seen = { host: held.host, ...since.repository };
      if (asker) await saveSeenRepository(tx, { seen, userId: asker.user.id, askedAt });
      else await saveRepository(tx, seen, askedAt, { isRead: false });
    }
    const askedBy = asker?.user.id ?? null;
    if (!(await noteHeard(tx, held, { cursor: since.cursor, askedBy }))) return;
    const watchers = (await listWatchers(tx, held.id)).filter(({ hasRights }) => hasRights);
    await noteMerges(tx, held.id, [...since.merged, ...[...told.before.values()].flat()]);
    await planFor(tx, { repositoryId: held.id, now }, plansOf(told, watchers));
    const seenBy = watchers.filter((one) => one.hasBegun || beforeOf(told, one) !== null);
    const favoriteIds = seenBy.map(({ favoriteId }) => favoriteId);
    const lists = { now, listedForMs: deps.listedForMs };
    await noteSeen(tx, { repositoryId: held.id, favoriteIds, askedBy, lists });
    // Who came while the host was asked begins at once.
    await releaseWatched(tx, held, {
      dueAt: seenBy.length < watchers.length ? now : dueAt,
      now,
      hasFailed: false,
    });
  });
}

/**
 * Oldest first. What was merged since the host was last asked is for all who watched already; the last ones that were merged
 * before, for those who have just begun.
 */
function plansOf(told: Told, watchers: Watcher[]): Plan[] {
  const plans = new Map<number, Plan>();
  const add = (pullRequest: MergedPullRequest, wanting: Watcher[]): void => {
    const plan = plans.get(pullRequest.number) ?? { pullRequest, watchers: new Set() };
    for (const watcher of wanting) plan.watchers.add(watcher);
    plans.set(pullRequest.number, plan);
  };
  for (const pullRequest of told.since.merged)
    add(
      pullRequest,
      watchers.filter(({ hasBegun, since }) => hasBegun || pullRequest.mergedAt >= since),
    );
  for (const watcher of watchers)
    for (const pullRequest of beforeOf(told, watcher) ?? []) add(pullRequest, [watcher]);
  return [...plans.values()].sort((one, other) => oldestFirst(one.pullRequest, other.pullRequest));
}

/** Null for those who began, or came to want something else, after the host was asked. */
function beforeOf(
  { before }: Told,
  { favoriteId, hasBegun, ...wanted }: Watcher,
): MergedPullRequest[] | null {
  if (hasBegun) return null;
  const wish = ({ language, labels, includeBots }: Omit<Watcher, 'favoriteId' | 'hasBegun'>) =>
    JSON.stringify([language, labels, includeBots]);
  const found = [...before].find(([one]) => one.favoriteId === favoriteId && wish(one) === wish(wanted));
  return found?.[1] ?? null;
}

/**
 * Whether the host tells of what is merged, so that it is asked only to be sure. What it told of just now may not be on its lists
 * yet.
 */
const hearsByItself = ({ webhookAt, wasTold }: HeldRepository, now: Date): boolean =>
  webhookAt !== null && !wasTold && now.getTime() - webhookAt.getTime() < webhooksLastMs;

/** When the host is next asked: later than usual where more is watched than it lets be asked about. */
async function nextRound(
  deps: PollDeps,
  { codeHost, held }: Pick<Asked, 'codeHost' | 'held'>,
): Promise<Date> {
  const { database, clock, watchEveryMs } = deps;
  const spare = ofSpare * codeHost.sparePerHour();
  const isShared = !held.isPrivate && spare > 0 && Number.isFinite(spare);
  const stretched = isShared ? (hourMs * (await countWatchedPublic(database, held.host))) / spare : 0;
  const now = clock();
  const everyMs = hearsByItself(held, now) ? Math.max(watchEveryMs, hourMs) : watchEveryMs;
  const pauseMs = Math.max(everyMs, Math.min(stretched, longestMs));
  return new Date(now.getTime() + pauseMs);
}

/** Notes for those who watch it why nothing was told. A host that limits the service is asked ever less. */
async function noteUntold(
  { database, clock, watchEveryMs }: PollDeps,
  held: HeldRepository,
  watchers: Watcher[],
  untold: Untold,
): Promise<void> {
  const now = clock();
  const longerMs = Math.min(
    watchEveryMs * 2 ** Math.min(held.failures + 1, 10),
    Math.max(hourMs, watchEveryMs),
  );
  const pauseMs = Math.max(untold.isLimited ? longerMs : watchEveryMs, untold.retrySeconds * 1000);
  const dueAt = new Date(now.getTime() + pauseMs);
  await database.transaction(async (tx) => {
    await releaseWatched(tx, held, { dueAt, now, hasFailed: true });
    for (const pause of pauseReasons) {
      const paused = watchers.filter((watcher) => (untold.pauses.get(watcher) ?? 'hostAway') === pause);
      const favoriteIds = paused.map(({ favoriteId }) => favoriteId);
      if (favoriteIds.length > 0) await notePause(tx, { favoriteIds, pause, now });
    }
  });
}
