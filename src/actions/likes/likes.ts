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
  deleteLikes,
  findLike,
  type GivenLike,
  insertLikes,
  type Like,
  type Likeable,
  markRankingSwept,
  mustSweepRanking,
  sweepRankingSlice,
} from '../../db/likes.ts';
import { batchReads, oneAfterAnother } from '../../domain/concurrency.ts';
import { accountGone, Failure } from '../../domain/errors.ts';
import { rankingPeriodNames, rankingPeriods } from '../../domain/time.ts';
import { noSuchArticle, requireVisibleArticle } from '../articles/read-article.ts';
import type { Deps, SignedUpViewer } from '../deps.ts';

type LikeDeps = Pick<Deps, 'database' | 'clock' | 'renewals' | 'repositoriesOf'> & { storeLikes: StoreLikes };

type Liking = Likeable & { userId: string };

export interface StoreLikes {
  /** Null for a like that its user has given already or may not give. */
  give: (liking: Liking) => Promise<GivenLike | null>;
  /** Returns the number of likes left; null if the user may not see the article. */
  takeBack: (liking: Liking) => Promise<number | null>;
}

/** Likes wait for a commit that is under way, and all that have gathered are stored with the next. */
export function storeLikesTogether({ database, clock }: Pick<Deps, 'database' | 'clock'>): StoreLikes {
  return {
    give: storeTogether((likings) => insertLikes(database, likings, clock())),
    takeBack: storeTogether((likings) => database.transaction((tx) => deleteLikes(tx, likings, clock()))),
  };
}

/** If storing changes together fails, they are stored one by one, so that each fails for its own reason only. */
function storeTogether<Stored>(
  storeAll: (likings: Liking[]) => Promise<Stored[]>,
): (liking: Liking) => Promise<Stored> {
  let calls = 0;
  const store = batchReads(
    async (likings: (Liking & { call: number })[]): Promise<(() => Promise<Stored>)[]> => {
      try {
        const stored = await storeAll(likings);
        return stored.map((one) => async () => one);
      } catch (error) {
        return likings.map((one) => async () => {
          if (likings.length === 1) throw error;
          const [stored] = await storeAll([one]);
          return stored as Stored;
        });
      }
    },
    oneAfterAnother,
  );
  // The number keeps equal likes apart: only one of them is new.
  return async (liking) => {
    calls += 1;
    const stored = await store({ ...liking, call: calls });
    return stored();
  };
}

/** The user may remove a like between finding and reading it, but not this many times in a row. */
const attempts = 20;

export async function likeArticle(
  deps: LikeDeps,
  likeable: Likeable,
  viewer: SignedUpViewer,
): Promise<{ like: Like; likeCount: number; isNew: boolean }> {
  const { database, clock } = deps;
  const now = clock();
  await requireVisibleArticle(deps, likeable, { viewer, now });
  const liking = { ...likeable, userId: viewer.user.id, now };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const given = await deps.storeLikes.give({ ...likeable, userId: viewer.user.id });
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
  await requireVisibleArticle(deps, likeable, { viewer, now: deps.clock() });
  const likeCount = await deps.storeLikes.takeBack({ ...likeable, userId: viewer.user.id });
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
