import type { Database } from '../../db/database.ts';
import { insertUser, saveIdentity, type User } from '../../db/users.ts';
import { Failure } from '../../domain/errors.ts';
import type { Identity } from '../../domain/identity.ts';

interface Parts {
  database: Database;
  clock: () => Date;
}

/** Makes a user of an identity. Of any number of calls at once, one succeeds. */
export async function signUp(
  { database, clock }: Parts,
  identity: Identity,
  language: string,
): Promise<User> {
  const now = clock();
  return database.transaction(async (tx) => {
    const identityId = await saveIdentity(tx, identity, now);
    const user = await insertUser(tx, { identityId, language, now });
    if (user) return user;
    throw new Failure(
      'ALREADY_SIGNED_UP',
      `${identity.hostUsername} has signed up already. GET /users/me answers the user, PATCH /users/me changes the language.`,
    );
  });
}
