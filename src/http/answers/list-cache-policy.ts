import type { Database } from '../../db/database.ts';
import { findNextLapse, type ListViewer } from '../../db/visibility.ts';
import type { CachePolicy } from '../cache/public-cache.ts';

/** What a host confirms after a while comes back to lists, without a notification. */
const cachedForMs = 60_000;

/**
 * Every offset is another answer to keep. People turn a few pages; a client that comes further walks through the whole list,
 * asks for each page once, and would evict what is read often.
 */
const deepestCached = 1_000;

/**
 * A list for an anonymous viewer can be sent again without a query, but no longer than all that it counts is confirmed. What
 * lies far down in it is not kept.
 */
export async function listCachePolicy(
  database: Database,
  viewer: ListViewer,
  offset: number,
): Promise<{ cachePolicy?: CachePolicy }> {
  if (viewer.userId !== null || offset > deepestCached) return {};
  const expiresAt = Math.min(viewer.now.getTime() + cachedForMs, await findNextLapse(database, viewer));
  return { cachePolicy: { dependsOn: ['ranking'], expiresAt } };
}
