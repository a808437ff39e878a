import type { Database } from '../../db/database.ts';
import { markSwept, mustSweep, sweepSlice } from '../../db/rankings.ts';
import { rankingPeriodNames, rankingPeriods } from '../../domain/ranking-periods.ts';

/** Few enough that users who like the same articles hardly wait. */
const likesAtOnce = 1_000;

/** Takes likes that have become too old out of the periods of the ranking. One replica at a time does it. */
export async function sweepRankings({ database, clock }: { database: Database; clock: () => Date }) {
  const now = clock();
  let isComplete = true;
  for (const period of rankingPeriodNames) {
    const length = rankingPeriods[period];
    if (length === null) continue;
    const slice = { period, upTo: new Date(now.getTime() - length), atMost: likesAtOnce };
    let left: 'all' | 'more' | 'busy' = (await mustSweep(database, slice)) ? 'more' : 'all';
    while (left === 'more') left = await database.transaction((tx) => sweepSlice(tx, slice));
    isComplete &&= left === 'all';
  }
  if (isComplete) await markSwept(database, now);
}
