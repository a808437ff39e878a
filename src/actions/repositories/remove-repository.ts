import { deleteRemoved, insertRemoval, type RemovalTarget } from '../../db/removals.ts';
import type { Deps } from '../deps.ts';

/**
 * Removes a repository, or one of its pull requests: it is not fetched from then on, and everything that is stored of it
 * goes, a little at a time. What an end of the process leaves over is for housekeeping. False when it had been removed already.
 */
export async function removeRepository(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  target: RemovalTarget,
): Promise<boolean> {
  const isNew = await database.transaction((tx) => insertRemoval(tx, target, clock()));
  let gone: number;
  do gone = await deleteRemoved(database, clock());
  while (gone > 0);
  return isNew;
}
