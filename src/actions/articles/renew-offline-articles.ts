import type { Database } from '../../db/database.ts';
import { findOutdatedArticles } from '../../db/drafts.ts';
import { claimWork, countLiveJobs } from '../../db/writing-jobs.ts';

/** Articles that users ask for come first: what is outdated waits while there is this much to do. */
const mostAtATime = 2;

interface Parts {
  database: Database;
  clock: () => Date;
  offlineWriter: () => Promise<number>;
}

/**
 * Has some of the articles written anew that an older offline writer wrote, on behalf of no user. Returns how many are left
 * to do now.
 */
export async function renewOfflineArticles(parts: Parts): Promise<number> {
  const { database, clock } = parts;
  const offlineWriter = await parts.offlineWriter();
  const outdated = await findOutdatedArticles(database, { offlineWriter, atMost: mostAtATime });
  if (outdated.length === 0) return 0;
  const room = mostAtATime - (await countLiveJobs(database));
  for (const article of outdated.slice(0, Math.max(0, room))) {
    await claimWork(database, { ...article, writer: 'offline' }, clock());
  }
  return outdated.length;
}
