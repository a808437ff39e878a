import {
  findWrongArticleCounts,
  findWrongFacets,
  repairArticleCount,
  repairFacets,
  type WrongArticleCount,
  type WrongFacets,
} from '../../db/counters.ts';
import type { Database } from '../../db/database.ts';

/** Holds what lists say of how many articles there are against the articles and, if asked to, puts right what differs. */
export async function checkArticleCounts(
  database: Database,
  { repair }: { repair: boolean },
): Promise<WrongArticleCount[]> {
  const wrong = await findWrongArticleCounts(database);
  if (repair) for (const count of wrong) await database.transaction((tx) => repairArticleCount(tx, count));
  return wrong;
}

/** The same of the lists of authors and of change types. */
export async function checkFacets(
  database: Database,
  { repair }: { repair: boolean },
): Promise<WrongFacets[]> {
  const wrong = await findWrongFacets(database);
  if (repair) for (const facets of wrong) await database.transaction((tx) => repairFacets(tx, facets));
  return wrong;
}
