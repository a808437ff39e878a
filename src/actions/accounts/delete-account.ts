import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { deleteHostTokens } from '../../db/host-tokens.ts';
import { deleteLikesOfUser } from '../../db/likes.ts';
import { deleteUser } from '../../db/users.ts';
import type { SecretKeys } from '../../domain/secret-keys.ts';
import { revokeForgotten } from './save-host-token.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  secretKeys: SecretKeys;
  clock: () => Date;
}

/** Removes a user and everything that belongs to them. Returns false when they were gone already. */
export async function deleteAccount(parts: Parts, userId: string): Promise<boolean> {
  const { forgotten, isDeleted } = await parts.database.transaction(async (tx) => {
    await deleteLikesOfUser(tx, userId);
    return { forgotten: await deleteHostTokens(tx, userId), isDeleted: await deleteUser(tx, userId) };
  });
  await revokeForgotten(parts, forgotten);
  return isDeleted;
}
