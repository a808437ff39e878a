import {
  findWrongArticleCounts,
  findWrongFacets,
  repairArticleCount,
  repairFacets,
  type WrongArticleCount,
  type WrongFacets,
} from '../../db/counters.ts';
import type { Database } from '../../db/database.ts';

/** Compares the counts of lists with the articles and optionally repairs them. */
export async function checkArticleCounts(
  database: Database,
  { repair }: { repair: boolean },
): Promise<WrongArticleCount[]> {
  const wrong = await findWrongArticleCounts(database);
  if (repair) for (const count of wrong) await database.transaction((tx) => repairArticleCount(tx, count));
  return wrong;
}

/** The same for the lists of authors and of change types. */
export async function checkFacets(
  database: Database,
  { repair }: { repair: boolean },
): Promise<WrongFacets[]> {
  const wrong = await findWrongFacets(database);
  if (repair) for (const facets of wrong) await database.transaction((tx) => repairFacets(tx, facets));
  return wrong;
}
