import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { saveRepository, saveSeenRepository } from '../../db/repositories.ts';
import {
  claimWatched,
  countWatchedPublic,
  forgetUnwatched,
  type HeldRepository,
  listWatchers,
  noteHeard,
  notePause,
  noteSeen,
  releaseWatched,
  type Watcher,
} from '../../db/watches.ts';
import { noteMerges } from '../../db/webhook-events.ts';
import { type MergedPullRequest, oldestFirst, pauseReasons } from '../../domain/watching.ts';
import type { CallerOn } from '../repositories/call-host.ts';
import { type Asked, askForMerged, type Told, type Untold } from './ask-as-watchers.ts';
import { type Plan, planFor } from './plan-for-watchers.ts';

export interface WatchingParts {
  database: Database;
  codeHosts: CodeHost[];
  callerOn: CallerOn;
  clock: () => Date;
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
export async function askAboutNext(parts: WatchingParts, stopping: AbortSignal): Promise<boolean> {
  const { database, codeHosts, clock } = parts;
  const now = clock();
  const after = (ms: number) => new Date(now.getTime() + ms);
  const latest = { due: after(2 * longestMs), held: after(2 * leaseMs) };
  const held = await claimWatched(database, { now, until: after(leaseMs), latest });
  if (!held) return false;
  if (await database.transaction((tx) => forgetUnwatched(tx, held.id))) return true;
  const watchers = await listWatchers(database, held.id, held);
  const codeHost = codeHosts.find(({ id }) => id === held.host);
  if (!codeHost) {
    await noteUntold(parts, held, watchers, { pauses: new Map(), retrySeconds: 0, isLimited: false });
    return true;
  }
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(patienceMs)]);
  const asked: Asked = { codeHost, held, watchers, signal };
  const answer = await askForMerged(parts, asked);
  if ('since' in answer) await hear(parts, asked, answer);
  else await noteUntold(parts, held, watchers, answer);
  return true;
}

async function hear(parts: WatchingParts, asked: Asked, told: Told): Promise<void> {
  const { held } = asked;
  const { since, asker, askedAt } = told;
  const dueAt = await nextRound(parts, asked);
  const now = parts.clock();
  await parts.database.transaction(async (tx) => {
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
    const lists = { now, listedForMs: parts.listedForMs };
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
  parts: WatchingParts,
  { codeHost, held }: Pick<Asked, 'codeHost' | 'held'>,
): Promise<Date> {
  const { database, clock, watchEveryMs } = parts;
  const spare = ofSpare * codeHost.backgroundQuota();
  const isShared = !held.isPrivate && spare > 0 && Number.isFinite(spare);
  const stretched = isShared ? (hourMs * (await countWatchedPublic(database, held.host))) / spare : 0;
  const now = clock();
  const everyMs = hearsByItself(held, now) ? Math.max(watchEveryMs, hourMs) : watchEveryMs;
  const pauseMs = Math.max(everyMs, Math.min(stretched, longestMs));
  return new Date(now.getTime() + pauseMs);
}

/** Notes for those who watch it why nothing was told. A host that limits the service is asked ever less. */
async function noteUntold(
  { database, clock, watchEveryMs }: WatchingParts,
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
