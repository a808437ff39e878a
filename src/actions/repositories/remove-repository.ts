import { deleteRemoved, insertRemoval, type RemovalTarget } from '../../db/removals.ts';
import type { Deps } from '../deps.ts';

/** Stops fetching a repository or pull request and deletes what is stored of it. False if already removed. */
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
