import {
  findWrongArticleCounts,
  findWrongFacets,
  repairArticleCount,
  repairFacets,
  type WrongArticleCount,
  type WrongFacets,
} from '../../db/counters.ts';
import type { Database } from '../../db/database.ts';

export async function checkArticleCounts(
  database: Database,
  { repair }: { repair: boolean },
): Promise<WrongArticleCount[]> {
  const wrong = await findWrongArticleCounts(database);
  if (repair) for (const count of wrong) await database.transaction((tx) => repairArticleCount(tx, count));
  return wrong;
}

export async function checkFacets(
  database: Database,
  { repair }: { repair: boolean },
): Promise<WrongFacets[]> {
  const wrong = await findWrongFacets(database);
  if (repair) for (const facets of wrong) await database.transaction((tx) => repairFacets(tx, facets));
  return wrong;
}
