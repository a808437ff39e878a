import type { Database } from '../db/database.ts';
import { deleteLikesOfUser } from '../db/likes.ts';
import { deleteUser } from '../db/users.ts';

/** Removes a user and everything that belongs to them. Returns false when they were gone already. */
export function deleteAccount(database: Database, userId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    await deleteLikesOfUser(tx, userId);
    return deleteUser(tx, userId);
  });
}
