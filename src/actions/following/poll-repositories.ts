import type { Caller, CodeHost, MergedSince } from '../../code-hosts/code-host.ts';
import {
  claimRepositoryToPoll,
  countPublicPolls,
  deleteUnwatchedPolls,
  type HeldRepository,
  listWatchers,
  notePollSeen,
  noteWatchPause,
  planPolls,
  releasePolledRepository,
  savePollPosition,
  type Watcher,
} from '../../db/following-polls.ts';
import { makeRepositoryPrivate, saveRepository, saveSeenRepository } from '../../db/repositories.ts';
import { withdrawGrant } from '../../db/rights.ts';
import { forgetWebhooks, makePollsDueAfterOutage, saveMerges } from '../../db/webhooks.ts';
import { type ErrorCode, Failure } from '../../domain/errors.ts';
import {
  isWantedByWatch,
  type MergedPullRequest,
  mergedBefore,
  oldestFirst,
  type PauseReason,
  pauseReasons,
} from '../../domain/pull-requests.ts';
import type { Deps } from '../deps.ts';
import { anonymousCaller } from '../repositories/find-repository.ts';

interface Plan {
  pullRequest: MergedPullRequest;
  watchers: Set<Watcher>;
}

const wantedArticles = (plans: Plan[]): { number: number; language: string }[] =>
  plans.flatMap(({ pullRequest, watchers }) => {
    const wanting = [...watchers].filter((watcher) => isWantedByWatch(watcher, pullRequest));
    const languages = new Set(wanting.map(({ language }) => language));
    return [...languages].sort().map((language) => ({ number: pullRequest.number, language }));
  });

interface Poll {
  codeHost: CodeHost;
  held: HeldRepository;
  watchers: Watcher[];
  signal: AbortSignal;
}

interface PollResult {
  since: MergedSince;
  before: Map<Watcher, MergedPullRequest[]>;
  asker: Watcher | null;
  askedAt: Date;
}

interface PollFailure {
  pauses: Map<Watcher, PauseReason>;
  retrySeconds: number;
  isLimited: boolean;
}

type HostAway = Omit<PollFailure, 'pauses'>;

/** Polls a public repository anonymously, and a private one as one follower after another until the host shows it. */
async function poll(deps: PollDeps, target: Poll): Promise<PollResult | PollFailure> {
  if (!target.held.isPrivate) {
    const result = await pollAnonymously(deps, target);
    if (result) return 'since' in result ? result : { ...result, pauses: new Map() };
  }
  const failure: PollFailure = { pauses: new Map(), retrySeconds: 0, isLimited: false };
  let isAway = false;
  for (const watcher of target.watchers) {
    const result = await pollAsUser(deps, target, watcher, isAway);
    if (typeof result === 'string') {
      failure.pauses.set(watcher, result);
      continue;
    }
    if ('since' in result) return result;
    failure.pauses.set(watcher, 'hostAway');
    failure.retrySeconds = Math.max(failure.retrySeconds, result.retrySeconds);
    // A rate limit belongs to one token, so the next follower's token may work. A host that is down is not called
    // again.
    if (result.isLimited) failure.isLimited = true;
    else isAway = true;
  }
  return failure;
}

async function pollAnonymously(deps: PollDeps, target: Poll): Promise<PollResult | HostAway | null> {
  const { codeHost, held, signal } = target;
  const askedAt = deps.clock();
  const caller = anonymousCaller(signal);
  try {
    const result = await pollMerges(target, caller);
    if (result) return { ...result, asker: null, askedAt };
    if (await codeHost.findRepositoryById(held, caller))
      throw new Failure('HOST_ERROR', 'The host lists nothing of a repository that it shows.');
  } catch (error) {
    return hostAway(error);
  }
  await makeRepositoryPrivate(deps.database, { repositoryId: held.id, askedAt });
  return null;
}

async function pollAsUser(
  deps: PollDeps,
  target: Poll,
  watcher: Watcher,
  isAway: boolean,
): Promise<PollResult | HostAway | PauseReason> {
  const { codeHost, held, signal } = target;
  const { database, callerOn, clock } = deps;
  const askedAt = clock();
  const { user, identity, hasRights } = watcher;
  try {
    const caller = await callerOn(codeHost, { identity, credential: { kind: 'saved' } }, signal);
    if (!codeHost.isLocal && caller.token === null) return 'noToken';
    if (isAway) return 'hostAway';
    // A follower who lost access regains it only if the host shows them the repository.
    const shown = hasRights || (await codeHost.findRepositoryById(held, caller));
    const result = shown && (await pollMerges(target, caller));
    if (!result) {
      await withdrawGrant(database, { repositoryId: held.id, userId: user.id, askedAt });
      return 'noRights';
    }
    if (shown !== true) {
      const seen = { host: held.host, ...shown };
      await database.transaction((tx) => saveSeenRepository(tx, { seen, userId: user.id, askedAt }));
    }
    return { ...result, asker: watcher, askedAt };
  } catch (error) {
    if (error instanceof Failure && tokenIsOfNoUse.includes(error.code)) return 'noToken';
    return hostAway(error);
  }
}

const tokenIsOfNoUse: ErrorCode[] = ['HOST_TOKEN_INVALID', 'HOST_TOKEN_REQUIRED'];

async function pollMerges(
  { codeHost, held, watchers }: Poll,
  caller: Caller,
): Promise<Pick<PollResult, 'since' | 'before'> | null> {
  // Merges are read before the rest, so that one that happens meanwhile is reported twice instead of never.
  const since = await codeHost.mergedSince(held, held.cursor, caller);
  if (!since) return null;
  const before: PollResult['before'] = new Map();
  const found = new Map<string, MergedPullRequest[]>();
  for (const watcher of watchers.filter(({ hasBegun }) => !hasBegun)) {
    const { labels, includeBots } = watcher;
    const filter = JSON.stringify([labels, includeBots]);
    const wanted = {
      most: mergedBefore,
      isWanted: (one: MergedPullRequest) => isWantedByWatch(watcher, one),
    };
    const last = found.get(filter) ?? (await codeHost.lastMerged(held, wanted, caller));
    if (!last) return null;
    found.set(filter, last);
    before.set(watcher, last);
  }
  return { since, before };
}

const away: ErrorCode[] = ['HOST_RATE_LIMITED', 'HOST_TIMEOUT', 'HOST_ERROR', 'UNAVAILABLE'];

function hostAway(error: unknown): HostAway {
  if (!(error instanceof Failure) || !away.includes(error.code)) throw error;
  const seconds = Number(error.headers['retry-after'] ?? 0);
  return { retrySeconds: seconds > 0 ? seconds : 0, isLimited: error.code === 'HOST_RATE_LIMITED' };
}

export type PollDeps = Pick<Deps, 'database' | 'codeHosts' | 'clock' | 'callerOn' | 'confirmedWithinMs'> & {
  watchEveryMs: number;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * How long a process holds a repository that it polls: longer than a poll takes. If it dies, another one polls it after
 * this time.
 */
const leaseMs = 5 * minuteMs;
const patienceMs = 4 * minuteMs;

/** Every repository is polled at least once a day, whatever the rate limit. */
const longestMs = 24 * hourMs;

/** After this long without an event, webhooks no longer count as set up. */
const webhooksLastMs = 24 * hourMs;

/** Most polls return 304, which GitHub does not count, so we plan for twice the background quota. */
const ofSpare = 2;

/**
 * Polls the repository that has been due longest and plans the articles that its followers want. False if none is due.
 * The cursor and the plans are stored in one transaction.
 */
export async function pollNextRepository(deps: PollDeps, stopping: AbortSignal): Promise<boolean> {
  const { database, codeHosts, clock } = deps;
  const now = clock();
  const after = (ms: number) => new Date(now.getTime() + ms);
  const latest = { due: after(2 * longestMs), held: after(2 * leaseMs) };
  const held = await claimRepositoryToPoll(database, { now, until: after(leaseMs), latest });
  if (!held) return false;
  if (await database.transaction((tx) => deleteUnwatchedPolls(tx, held.id))) return true;
  const watchers = await listWatchers(database, held.id, held);
  const codeHost = codeHosts.find(({ id }) => id === held.host);
  if (!codeHost) {
    await recordPollFailure(deps, held, watchers, { pauses: new Map(), retrySeconds: 0, isLimited: false });
    return true;
  }
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(patienceMs)]);
  const target: Poll = { codeHost, held, watchers, signal };
  const response = await poll(deps, target);
  if ('since' in response) await applyMerges(deps, target, response);
  else await recordPollFailure(deps, held, watchers, response);
  return true;
}

async function applyMerges(deps: PollDeps, target: Poll, result: PollResult): Promise<void> {
  const { held } = target;
  const { since, asker, askedAt } = result;
  const nextRound = await planNextRound(deps, target);
  const now = deps.clock();
  await deps.database.transaction(async (tx) => {
    if (since.repository) {
      const seen = { host: held.host, ...since.repository };
      if (asker) await saveSeenRepository(tx, { seen, userId: asker.user.id, askedAt });
      else await saveRepository(tx, seen, askedAt, { isRead: false });
    }
    const askedBy = asker?.user.id ?? null;
    if (!(await savePollPosition(tx, held, { cursor: since.cursor, askedBy }))) return;
    const watchers = (await listWatchers(tx, held.id)).filter(({ hasRights }) => hasRights);
    const newMerges = await saveMerges(tx, held.id, since.merged);
    await saveMerges(tx, held.id, [...result.before.values()].flat());
    // A merge without an event means that events were lost, such as in an outage: hosts do not send them again.
    const areEventsLost = newMerges > 0 && receivesWebhooks(held, now);
    if (areEventsLost) await forgetWebhooks(tx, held.id);
    const wanted = wantedArticles(plansOf(result, watchers));
    await planPolls(tx, { repositoryId: held.id, wanted, now });
    const seenBy = watchers.filter((one) => one.hasBegun || backlogFor(result, one) !== null);
    const favoriteIds = seenBy.map(({ favoriteId }) => favoriteId);
    const lists = { now, confirmedWithinMs: deps.confirmedWithinMs };
    await notePollSeen(tx, { repositoryId: held.id, favoriteIds, askedBy, lists });
    // Users who followed during this poll need another poll at once.
    await releasePolledRepository(tx, held, {
      dueAt: seenBy.length < watchers.length ? now : nextRound({ areEventsLost }),
      now,
      hasFailed: false,
    });
  });
}

function plansOf(result: PollResult, watchers: Watcher[]): Plan[] {
  const plans = new Map<number, Plan>();
  const add = (pullRequest: MergedPullRequest, wanting: Watcher[]): void => {
    const plan = plans.get(pullRequest.number) ?? { pullRequest, watchers: new Set() };
    for (const watcher of wanting) plan.watchers.add(watcher);
    plans.set(pullRequest.number, plan);
  };
  for (const pullRequest of result.since.merged)
    add(
      pullRequest,
      watchers.filter(({ hasBegun, since }) => hasBegun || pullRequest.mergedAt >= since),
    );
  for (const watcher of watchers)
    for (const pullRequest of backlogFor(result, watcher) ?? []) add(pullRequest, [watcher]);
  return [...plans.values()].sort((one, other) => oldestFirst(one.pullRequest, other.pullRequest));
}

function backlogFor(
  { before }: PollResult,
  { favoriteId, hasBegun, ...wanted }: Watcher,
): MergedPullRequest[] | null {
  if (hasBegun) return null;
  const wish = ({ language, labels, includeBots }: Omit<Watcher, 'favoriteId' | 'hasBegun'>) =>
    JSON.stringify([language, labels, includeBots]);
  const found = [...before].find(([one]) => one.favoriteId === favoriteId && wish(one) === wish(wanted));
  return found?.[1] ?? null;
}

/**
 * With webhooks, polling is only a fallback. A merge that a webhook has just reported may be missing from the host's
 * lists.
 */
const receivesWebhooks = ({ webhookAt, wasTold }: HeldRepository, now: Date): boolean =>
  webhookAt !== null && !wasTold && now.getTime() - webhookAt.getTime() < webhooksLastMs;

async function planNextRound(
  deps: PollDeps,
  { codeHost, held }: Pick<Poll, 'codeHost' | 'held'>,
): Promise<(found: { areEventsLost: boolean }) => Date> {
  const { database, clock, watchEveryMs } = deps;
  const spare = ofSpare * codeHost.backgroundQuota();
  const isShared = !held.isPrivate && spare > 0 && Number.isFinite(spare);
  const stretched = isShared ? (hourMs * (await countPublicPolls(database, held.host))) / spare : 0;
  const now = clock();
  return ({ areEventsLost }) => {
    const isRare = receivesWebhooks(held, now) && !areEventsLost;
    const everyMs = isRare ? Math.max(watchEveryMs, hourMs) : watchEveryMs;
    return new Date(now.getTime() + Math.max(everyMs, Math.min(stretched, longestMs)));
  };
}

/**
 * Polls the repositories whose webhooks may have been missed while no process ran. Call it once when a process starts.
 */
export const pollAfterOutage = ({ database, clock }: Pick<PollDeps, 'database' | 'clock'>): Promise<void> =>
  makePollsDueAfterOutage(database, clock());

async function recordPollFailure(
  { database, clock, watchEveryMs }: PollDeps,
  held: HeldRepository,
  watchers: Watcher[],
  failure: PollFailure,
): Promise<void> {
  const now = clock();
  const longerMs = Math.min(
    watchEveryMs * 2 ** Math.min(held.failures + 1, 10),
    Math.max(hourMs, watchEveryMs),
  );
  const pauseMs = Math.max(failure.isLimited ? longerMs : watchEveryMs, failure.retrySeconds * 1000);
  const dueAt = new Date(now.getTime() + pauseMs);
  await database.transaction(async (tx) => {
    await releasePolledRepository(tx, held, { dueAt, now, hasFailed: true });
    for (const pause of pauseReasons) {
      const paused = watchers.filter((watcher) => (failure.pauses.get(watcher) ?? 'hostAway') === pause);
      const favoriteIds = paused.map(({ favoriteId }) => favoriteId);
      if (favoriteIds.length > 0) await noteWatchPause(tx, { favoriteIds, pause, now });
    }
  });
}
