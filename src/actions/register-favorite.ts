import type { CodeHost } from '../code-hosts/code-host.ts';
import type { Database } from '../db/connect.ts';
import { type Favorite, findFavorite, insertFavorite } from '../db/favorites.ts';
import { grantRepository, saveRepository } from '../db/repositories.ts';
import type { User } from '../db/users.ts';
import { Failure } from '../domain/errors.ts';
import type { Identity } from '../domain/identity.ts';

interface Parts {
  database: Database;
  clock: () => Date;
}

interface Wanted {
  codeHost: CodeHost;
  owner: string;
  name: string;
  identity: Identity;
  user: User;
}

/** Registers a repository that the user can see as a favorite, once however often it is asked for. */
export async function registerFavorite(
  { database, clock }: Parts,
  { codeHost, owner, name, identity, user }: Wanted,
): Promise<{ favorite: Favorite; isNew: boolean }> {
  const found = await codeHost.findRepository(owner, name, identity);
  if (!found) {
    throw new Failure(
      'REPOSITORY_NOT_FOUND',
      `There is no repository ${owner}/${name} on the code host ${codeHost.id}, or you may not see it. Check the spelling.`,
    );
  }
  const now = clock();
  return database.transaction(async (tx) => {
    const repository = await saveRepository(tx, { host: codeHost.id, ...found }, now);
    const ids = { repositoryId: repository.id, userId: user.id };
    if (repository.isPrivate) await grantRepository(tx, { ...ids, now });
    const isNew = await insertFavorite(tx, { ...ids, now });
    const favorite = await findFavorite(tx, ids);
    if (!favorite) throw new Error('A favorite was neither new nor there.');
    return { favorite, isNew };
  });
}
