import type { Database } from '../../db/database.ts';
import {
  type CheckedContent,
  checkCounters,
  checkTotals,
  repairCounters,
  repairTotal,
  type WrongCounter,
  type WrongTotal,
} from '../../db/likes.ts';

/** Few enough that one statement over them is short even where articles have very many likes. */
const articlesAtOnce = 200;

export interface LikesReport {
  /** How many articles, each language for itself, were looked at. */
  checked: number;
  counters: WrongCounter[];
  totals: WrongTotal[];
}

/** Holds every counter of likes against the likes themselves and, if asked to, puts right what differs. */
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
  // Only now: putting rows of the ranking right moves the totals, and would hide where those were wrong before.
  const totals = await checkTotals(database);
  if (repair) for (const total of totals) await database.transaction((tx) => repairTotal(tx, total));
  return { checked, counters, totals };
}
