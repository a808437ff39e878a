import type { Database } from '../../db/database.ts';
import { type Favorite, findFavorite, insertFavorite } from '../../db/following.ts';
import { saveSeenRepository } from '../../db/repositories.ts';
import type { CallerOn } from './call-host.ts';
import { type Asker, findOnHost, noRepository, type RepositoryAddress } from './find-on-host.ts';

interface Parts {
  database: Database;
  callerOn: CallerOn;
  clock: () => Date;
}

/** Registers a repository that the viewer can see as a favorite, once however often it is asked for. */
export async function registerFavorite(
  parts: Parts,
  address: RepositoryAddress,
  asker: Asker,
): Promise<{ favorite: Favorite; isNew: boolean }> {
  const { database, clock } = parts;
  const askedAt = clock();
  const { user } = asker.viewer;
  const found = await findOnHost(parts, address, asker);
  const seen = { host: address.codeHost.id, ...found };
  return database.transaction(async (tx) => {
    const { id: repositoryId } = await saveSeenRepository(tx, { seen, userId: user.id, askedAt });
    const isNew = await insertFavorite(tx, { repositoryId, userId: user.id, now: askedAt });
    const viewer = { userId: user.id, now: askedAt, purpose: 'detail' } as const;
    const favorite = await findFavorite(tx, { repositoryId, viewer });
    // It turned private since the host was asked.
    if (!favorite) throw noRepository(address);
    return { favorite, isNew };
  });
}
