import { randomBytes } from 'node:crypto';
import type { Queries } from '../../db/database.ts';
import { insertSession, type Session } from '../../db/sessions.ts';
import { hashToken } from '../../domain/token-hash.ts';

export const sessionTokenPrefix = 'pq_';

/** A new session of an identity. Its token exists only in what this returns. */
export async function createSession(
  tx: Queries,
  { identityId, now }: { identityId: string; now: Date },
): Promise<{ session: Session; accessToken: string }> {
  const accessToken = `${sessionTokenPrefix}${randomBytes(32).toString('base64url')}`;
  const session = await insertSession(tx, { identityId, tokenHash: hashToken(accessToken), now });
  return { session, accessToken };
}
