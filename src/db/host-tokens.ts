import type { Identity } from '../domain/accounts.ts';
import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { sql } from './sql.ts';

/** A token of a code host as it is stored: useless without the keys. */
export interface SavedHostToken
  extends Pick<
    Tables['host_tokens'],
    'identityId' | 'host' | 'sealed' | 'savedAt' | 'expiresAt' | 'refreshRefused'
  > {
  /** Another one for each token that was stored in its place. */
  generation: Tables['host_tokens']['generation'];
  claimedUntil: Tables['host_tokens']['refreshClaimedUntil'];
}

/** Whose token, of which host. */
interface TokenHolder {
  identity: Pick<Identity, 'host' | 'hostUserId'>;
  host: string;
}

const columns = sql`
  tokens.identity_id, tokens.host, tokens.sealed, tokens.saved_at,
  tokens.expires_at, tokens.generation, tokens.refresh_claimed_until AS "claimedUntil", tokens.refresh_refused`;

const isHeldBy = ({ identity, host }: TokenHolder) => sql`
  identities.id = tokens.identity_id AND tokens.host = ${host}
  AND identities.host = ${identity.host} AND identities.host_user_id = ${identity.hostUserId}`;

/** What was forgotten and saved anew counts from one again, and was saved at another time. */
const isUnchanged = ({ identityId, host, generation, savedAt }: SavedHostToken) => sql`
  identity_id = ${identityId} AND host = ${host} AND generation = ${generation} AND saved_at = ${savedAt}`;

export const findHostToken = (db: Queries, holder: TokenHolder) =>
  db.first<SavedHostToken>(sql`
    SELECT ${columns} FROM host_tokens AS tokens, identities WHERE ${isHeldBy(holder)}`);

/** Forgets every token of a user; returns what was there. */
export const deleteHostTokens = (tx: Queries, userId: string) =>
  tx.query<SavedHostToken>(sql`
    DELETE FROM host_tokens AS tokens USING users
    WHERE users.identity_id = tokens.identity_id AND users.id = ${userId} RETURNING ${columns}`);

/** Stores a token in place of whichever there was. */
export async function saveHostToken(
  tx: Queries,
  saved: Pick<SavedHostToken, 'identityId' | 'host' | 'sealed' | 'expiresAt'> & { now: Date },
): Promise<void> {
  const { identityId, host, sealed, expiresAt, now } = saved;
  await tx.query(sql`
    INSERT INTO host_tokens AS tokens (identity_id, host, sealed, expires_at, saved_at)
    VALUES (${identityId}, ${host}, ${sealed}, ${expiresAt}, ${now})
    ON CONFLICT (identity_id, host) DO UPDATE SET
      sealed = excluded.sealed, expires_at = excluded.expires_at, saved_at = excluded.saved_at,
      generation = tokens.generation + 1, refresh_claimed_until = NULL, refresh_refused = false`);
}

/** Forgets a token; returns what was there. */
export const deleteHostToken = (db: Queries, holder: TokenHolder) =>
  db.first<SavedHostToken>(sql`
    DELETE FROM host_tokens AS tokens USING identities WHERE ${isHeldBy(holder)} RETURNING ${columns}`);

/** Stores the same token as another key has sealed it, unless it is another one by now. */
export const resealHostToken = (db: Queries, saved: SavedHostToken, sealed: string) =>
  db.run(sql`UPDATE host_tokens SET sealed = ${sealed} WHERE ${isUnchanged(saved)}`);

/** Takes the right to ask the host for another token. Of any number of processes that try, one gets it, until a time. */
export const claimRefresh = (
  db: Queries,
  saved: SavedHostToken,
  { now, until }: { now: Date; until: Date },
) =>
  db.any(sql`
    UPDATE host_tokens SET refresh_claimed_until = ${until}
    WHERE ${isUnchanged(saved)} AND NOT refresh_refused
      AND (refresh_claimed_until IS NULL OR refresh_claimed_until <= ${now})
    RETURNING 1`);

/** Gives that right back. */
export const releaseRefresh = (db: Queries, saved: SavedHostToken) =>
  db.run(sql`UPDATE host_tokens SET refresh_claimed_until = NULL WHERE ${isUnchanged(saved)}`);

/** Stores the token that the host gave for another. Returns false when that is not there any more. */
export async function replaceHostToken(
  db: Queries,
  saved: SavedHostToken,
  { sealed, expiresAt }: Pick<SavedHostToken, 'sealed' | 'expiresAt'>,
): Promise<boolean> {
  // From the reserve: the host takes neither the old one nor what it was renewed with any more.
  const rows = await db.query(sql`
    UPDATE host_tokens SET sealed = ${sealed}, expires_at = ${expiresAt}, generation = generation + 1,
      refresh_claimed_until = NULL, refresh_refused = false
    WHERE ${isUnchanged(saved)} RETURNING 1`);
  return rows.length > 0;
}

/** Notes that the host gives out no other token for this one. */
export const refuseRefresh = (db: Queries, saved: SavedHostToken) =>
  db.run(sql`
    UPDATE host_tokens SET refresh_refused = true, refresh_claimed_until = NULL WHERE ${isUnchanged(saved)}`);
