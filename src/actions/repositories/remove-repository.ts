import { deleteRemovedRepository, insertRemoval, type RemovalTarget } from '../../db/removals.ts';
import type { Deps } from '../deps.ts';

export async function removeRepository(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  target: RemovalTarget,
): Promise<boolean> {
  const isNew = await database.transaction((tx) => insertRemoval(tx, target, clock()));
  let gone: number;
  do gone = await deleteRemovedRepository(database, clock());
  while (gone > 0);
  return isNew;
}
