import type { Queries } from './database.ts';
import { fromReserve, type Sql, sql } from './sql.ts';

/** The channel on which processes are told whose tokens a host has to be asked about anew. */
export const revocationChannel = 'rights_revoked';

interface RevokedRepositories {
  host: string;
  hostRepoIds: number[];
  /** Owners, all of whose private repositories are meant. */
  owners: string[];
}

const isMeant = ({ host, hostRepoIds, owners }: RevokedRepositories): Sql => sql`
  host = ${host} AND (host_repo_id = ANY (${hostRepoIds}::bigint[])
    OR (is_private AND lower(owner) = ANY (${owners.map((owner) => owner.toLowerCase())}::text[])))`;

/** Whether any of them is known here. */
export async function knowsAny(db: Queries, revoked: RevokedRepositories): Promise<boolean> {
  const rows = await db.query(sql`SELECT 1 FROM repositories WHERE ${isMeant(revoked)} LIMIT 1`);
  return rows.length > 0;
}

/**
 * What the host said of some repositories until now no longer counts, for any viewer. An answer that was stored by a process
 * whose clock is ahead is older than this all the same.
 */
export async function revokeRepositories(
  tx: Queries,
  revoked: RevokedRepositories & { now: Date },
): Promise<void> {
  const { now } = revoked;
  const known = await tx.query<{ id: string }>(
    fromReserve(sql`
      UPDATE repositories SET revoked_at = GREATEST(revoked_at, ${now}), checked_at = LEAST(checked_at, ${now})
      WHERE id IN (SELECT id FROM repositories WHERE ${isMeant(revoked)} ORDER BY id FOR NO KEY UPDATE)
      RETURNING id`),
  );
  if (known.length === 0) return;
  await tx.query(
    fromReserve(sql`
      UPDATE repository_grants SET confirmed_at = ${now}
      WHERE repository_id = ANY (${known.map(({ id }) => id)}::uuid[]) AND confirmed_at > ${now}`),
  );
}

/**
 * What the host showed to a user until now no longer counts, and every process forgets that it vouched for their tokens.
 * Of users who saved a token of another host than their own it is not known whose account that is: any of them may be meant.
 */
export async function revokeUser(
  tx: Queries,
  { host, hostUserId, now }: { host: string; hostUserId: number; now: Date },
): Promise<void> {
  const revoked = await tx.query<{ id: string }>(
    fromReserve(sql`
      UPDATE users SET rights_revoked_at = GREATEST(rights_revoked_at, ${now}) FROM identities
      WHERE identities.id = users.identity_id AND CASE WHEN identities.host = ${host}
        THEN identities.host_user_id = ${hostUserId}
        ELSE EXISTS (SELECT FROM host_tokens AS tokens
          WHERE tokens.identity_id = identities.id AND tokens.host = ${host}) END
      RETURNING users.id`),
  );
  await tx.query(
    fromReserve(sql`
      UPDATE repository_grants SET confirmed_at = ${now}
      WHERE user_id = ANY (${revoked.map(({ id }) => id)}::uuid[]) AND confirmed_at > ${now}`),
  );
  await tx.query(sql`SELECT pg_notify(${revocationChannel}, ${`${host} ${hostUserId}`})`);
}
