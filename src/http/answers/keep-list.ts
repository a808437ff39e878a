import type { Database } from '../../db/database.ts';
import { findNextLapse, type ListViewer } from '../../db/visibility.ts';
import type { Keep } from '../cache/public-cache.ts';

/** What a host confirms after a while comes back to lists, of which nobody tells. */
const keptForMs = 60_000;

/** A list for nobody in particular can be sent again without a look, but no longer than all that it counts is confirmed. */
export async function keepList(database: Database, viewer: ListViewer): Promise<{ keep?: Keep }> {
  if (viewer.userId !== null) return {};
  const until = Math.min(viewer.now.getTime() + keptForMs, await findNextLapse(database, viewer));
  return { keep: { about: ['ranking'], until } };
}
