import type { Queries } from './database.ts';
import { sql } from './sql.ts';
import { asKnownIdentity, type KnownIdentity, type KnownIdentityRow, knownIdentityColumns } from './users.ts';

/** When a host was asked about a private repository, with the rights of which user. */
interface Check {
  repositoryId: string;
  userId: string;
  askedAt: Date;
}

/** Notes that the host showed a private repository to a user, unless it said otherwise later, or in the same moment. */
export async function grantRepository(tx: Queries, { repositoryId, userId, askedAt }: Check): Promise<void> {
  await tx.query(sql`
    INSERT INTO repository_grants AS grants (repository_id, user_id, confirmed_at)
    VALUES (${repositoryId}, ${userId}, ${askedAt})
    ON CONFLICT (repository_id, user_id) DO UPDATE SET
      confirmed_at = excluded.confirmed_at, withdrawn = false, unreachable_since = NULL, suspended_at = NULL
    WHERE (grants.confirmed_at < excluded.confirmed_at
        OR (grants.confirmed_at = excluded.confirmed_at AND NOT grants.withdrawn))
      AND (grants.suspended_at IS NULL OR grants.suspended_at <= excluded.confirmed_at)`);
}

/** Notes that the host no longer shows a private repository to a user, unless it did so later. */
export async function withdrawGrant(db: Queries, { repositoryId, userId, askedAt }: Check): Promise<void> {
  await db.query(
    sql`
      UPDATE repository_grants SET withdrawn = true, confirmed_at = ${askedAt}, unreachable_since = NULL
      WHERE repository_id = ${repositoryId} AND user_id = ${userId} AND confirmed_at <= ${askedAt}`,
  );
}

/** Notes that the host gave a user no answer about a private repository, unless it answered that question after all, or a later one. */
export async function markGrantUnreachable(
  db: Queries,
  { repositoryId, userId, askedAt }: Check,
): Promise<void> {
  await db.query(
    sql`
      UPDATE repository_grants SET unreachable_since = ${askedAt}
      WHERE repository_id = ${repositoryId} AND user_id = ${userId} AND unreachable_since IS NULL
        AND suspended_at IS NULL AND confirmed_at < ${askedAt}`,
  );
}

/** Notes that a user has no token left with which the host would tell, unless it has told since: it counts when it is confirmed anew. */
export async function suspendGrant(db: Queries, { repositoryId, userId, askedAt }: Check): Promise<void> {
  await db.query(
    sql`
      UPDATE repository_grants SET confirmed_at = 'epoch', unreachable_since = NULL, suspended_at = ${askedAt}
      WHERE repository_id = ${repositoryId} AND user_id = ${userId} AND NOT withdrawn AND confirmed_at < ${askedAt}`,
  );
}

/** Whether the host has shown a private repository of this name to a user, however long ago, and not taken it back since. */
export async function holdsGrant(
  db: Queries,
  { host, owner, name, userId }: { host: string; owner: string; name: string; userId: string },
): Promise<boolean> {
  const rows = await db.query(sql`
    SELECT 1 FROM repository_grants AS grants JOIN repositories ON repositories.id = grants.repository_id
    WHERE grants.user_id = ${userId} AND NOT grants.withdrawn AND repositories.is_private AND NOT is_removed
      AND host = ${host} AND lower(owner) = lower(${owner}) AND lower(name) = lower(${name})`);
  return rows.length > 0;
}

/** Whom the host has shown a private repository, and when it was asked. */
export async function listGranted(
  db: Queries,
  repositoryId: string,
): Promise<(KnownIdentity & { confirmedAt: Date })[]> {
  const rows = await db.query<KnownIdentityRow & { confirmedAt: Date }>(sql`
    SELECT ${knownIdentityColumns}, grants.confirmed_at AS "confirmedAt"
    FROM repository_grants AS grants
    JOIN users ON users.id = grants.user_id
    JOIN identities ON identities.id = users.identity_id
    WHERE grants.repository_id = ${repositoryId} AND NOT grants.withdrawn`);
  return rows.map((row) => ({ ...asKnownIdentity(row), confirmedAt: row.confirmedAt }));
}

/** Forgets what was withdrawn so long ago that no older answer can still be on its way. */
export async function deleteWithdrawnGrants(db: Queries, before: Date): Promise<void> {
  await db.query(sql`DELETE FROM repository_grants WHERE withdrawn AND confirmed_at < ${before}`);
}
