import {
  type CheckedContent,
  checkCounters,
  checkLikeTotals,
  repairCounters,
  repairLikeTotal,
  type WrongCounter,
  type WrongTotal,
} from '../../db/counters.ts';
import type { Database } from '../../db/database.ts';
import {
  deleteLike,
  findLike,
  type GivenLike,
  insertLikes,
  type Like,
  type Likeable,
  markRankingSwept,
  mustSweepRanking,
  sweepRankingSlice,
} from '../../db/likes.ts';
import { batchReads } from '../../domain/concurrency.ts';
import { accountGone, Failure } from '../../domain/errors.ts';
import { rankingPeriodNames, rankingPeriods } from '../../domain/time.ts';
import { noSuchArticle, requireVisibleArticle } from '../articles/read-article.ts';
import type { Deps, SignedUpViewer } from '../deps.ts';

type LikeDeps = Pick<Deps, 'database' | 'clock' | 'renewals'>;

type Liking = Likeable & { userId: string };

export type GiveLike = (liking: Liking) => Promise<GivenLike | null>;

/**
 * Stores concurrent likes of this process with one commit. If storing them together fails, they are stored one by one,
 * so that each fails for its own reason only.
 */
export function storeLikesTogether({ database, clock }: Pick<Deps, 'database' | 'clock'>): GiveLike {
  let calls = 0;
  const storeOne = async (liking: Liking) => (await insertLikes(database, [liking], clock()))[0] ?? null;
  const store = batchReads(async (likings: (Liking & { call: number })[]) => {
    try {
      const given = await insertLikes(database, likings, clock());
      return given.map((one) => async () => one);
    } catch (error) {
      return likings.map((one) => async () => {
        if (likings.length === 1) throw error;
        return storeOne(one);
      });
    }
  });
  // The number keeps equal likes apart: only one of them is new.
  return async (liking) => {
    calls += 1;
    const given = await store({ ...liking, call: calls });
    return given();
  };
}

/** The user may remove a like between finding and reading it, but not this many times in a row. */
const attempts = 20;

export async function likeArticle(
  deps: LikeDeps & { giveLike: GiveLike },
  likeable: Likeable,
  viewer: SignedUpViewer,
): Promise<{ like: Like; likeCount: number; isNew: boolean }> {
  const { database, clock } = deps;
  const now = clock();
  await requireVisibleArticle(deps, likeable, { viewer, now });
  const liking = { ...likeable, userId: viewer.user.id, now };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const given = await deps.giveLike({ ...likeable, userId: viewer.user.id });
    if (given) return { ...given, isNew: true };
    const standing = await findLike(database, liking);
    if (!standing) throw noSuchArticle();
    const { like, likeCount, isSignedUp } = standing;
    if (like) return { like, likeCount, isNew: false };
    if (!isSignedUp) throw accountGone();
  }
  throw new Failure('UNAVAILABLE', 'This like is being changed by another request. Try again.', {
    headers: { 'retry-after': '1' },
  });
}

export async function unlikeArticle(
  deps: LikeDeps,
  likeable: Likeable,
  viewer: SignedUpViewer,
): Promise<number> {
  const { database, clock } = deps;
  const now = clock();
  await requireVisibleArticle(deps, likeable, { viewer, now });
  const liking = { ...likeable, userId: viewer.user.id, now };
  const likeCount = await database.transaction((tx) => deleteLike(tx, liking));
  if (likeCount === null) throw noSuchArticle();
  return likeCount;
}

/** The articles checked by one statement: few enough that it stays short even if they have very many likes. */
const articlesAtOnce = 200;

export interface LikesReport {
  checked: number;
  counters: WrongCounter[];
  totals: WrongTotal[];
}

export async function checkLikes(database: Database, { repair }: { repair: boolean }): Promise<LikesReport> {
  const counters: WrongCounter[] = [];
  let checked = 0;
  let after: CheckedContent | null = null;
  do {
    const contents: CheckedContent[] = await checkCounters(database, { after, atMost: articlesAtOnce });
    const differing = contents.filter(({ wrong }) => wrong.length > 0);
    for (const { wrong, ...likeable } of differing)
      counters.push(...wrong.map((counter) => ({ ...likeable, ...counter })));
    if (repair && differing.length > 0) await database.transaction((tx) => repairCounters(tx, differing));
    checked += contents.length;
    after = contents.at(-1) ?? null;
  } while (after);
  // Totals are checked after the counters, because repairing rankings changes the totals and would hide which were
  // wrong.
  const totals = await checkLikeTotals(database);
  if (repair) for (const total of totals) await database.transaction((tx) => repairLikeTotal(tx, total));
  return { checked, counters, totals };
}

/** The likes swept in one transaction: few enough that users who like the same articles hardly wait. */
const likesAtOnce = 1_000;

/** Removes expired likes from the periods of the ranking. One process does this at a time. */
export async function sweepRankings({ database, clock }: Pick<Deps, 'database' | 'clock'>) {
  const now = clock();
  let isComplete = true;
  for (const period of rankingPeriodNames) {
    const length = rankingPeriods[period];
    if (length === null) continue;
    const slice = { period, upTo: new Date(now.getTime() - length), atMost: likesAtOnce };
    let left: 'all' | 'more' | 'busy' = (await mustSweepRanking(database, slice)) ? 'more' : 'all';
    while (left === 'more') left = await database.transaction((tx) => sweepRankingSlice(tx, slice));
    isComplete &&= left === 'all';
  }
  if (isComplete) await markRankingSwept(database, now);
}
