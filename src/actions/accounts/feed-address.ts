import { randomBytes } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { findFeedReader, saveFeedAddress } from '../../db/feeds.ts';
import { feedSecretPrefix } from '../../domain/feed-secrets.ts';
import { hashToken } from '../../domain/token-hash.ts';
import type { ActingUser } from './identify-bearer.ts';

interface Parts {
  database: Database;
  clock: () => Date;
}

/** A new secret address of a user's feed; the one before ends. The secret exists only in what this returns. */
export async function makeFeedAddress({ database, clock }: Parts, userId: string): Promise<string> {
  const secret = `${feedSecretPrefix}${randomBytes(32).toString('base64url')}`;
  await saveFeedAddress(database, { userId, secretHash: hashToken(secret), now: clock() });
  return secret;
}

/** Whose feed is read at an address, with the rights of the tokens that they saved; null where there is none. */
export async function findFeedHolder(
  { database }: Pick<Parts, 'database'>,
  secret: string,
): Promise<ActingUser | null> {
  const found = await findFeedReader(database, hashToken(secret));
  return found && { ...found, credential: { kind: 'saved' } };
}
