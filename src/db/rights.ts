import {
  asKnownIdentity,
  type KnownIdentity,
  type KnownIdentityRow,
  knownIdentityColumns,
} from './accounts.ts';
import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { hiding, type Sql, sql } from './sql.ts';

interface Check {
  repositoryId: string;
  userId: string;
  askedAt: Date;
}

/** Grants access, unless a later response is stored, or one of the same time withdrew it. */
export const grantRepository = (tx: Queries, { repositoryId, userId, askedAt }: Check) =>
  tx.run(sql`
    INSERT INTO repository_grants AS grants (repository_id, user_id, confirmed_at)
    VALUES (${repositoryId}, ${userId}, ${askedAt})
    ON CONFLICT (repository_id, user_id) DO UPDATE SET
      confirmed_at = excluded.confirmed_at, withdrawn = false, unreachable_since = NULL, suspended_at = NULL
    WHERE (grants.confirmed_at < excluded.confirmed_at
        OR (grants.confirmed_at = excluded.confirmed_at AND NOT grants.withdrawn))
      AND (grants.suspended_at IS NULL OR grants.suspended_at <= excluded.confirmed_at)`);

/** Withdraws access, unless a later response is stored. */
export const withdrawGrant = (db: Queries, { repositoryId, userId, askedAt }: Check) =>
  db.run(
    hiding(sql`
      UPDATE repository_grants SET withdrawn = true, confirmed_at = ${askedAt}, unreachable_since = NULL
      WHERE repository_id = ${repositoryId} AND user_id = ${userId} AND confirmed_at <= ${askedAt}`),
  );

/** Stores that the host did not respond, unless it did later. */
export const markGrantUnreachable = (db: Queries, { repositoryId, userId, askedAt }: Check) =>
  db.run(sql`
    UPDATE repository_grants SET unreachable_since = ${askedAt}
    WHERE repository_id = ${repositoryId} AND user_id = ${userId} AND unreachable_since IS NULL
      AND suspended_at IS NULL AND confirmed_at < ${askedAt}`);

/** Suspends a grant whose user has no token left to check it; it counts again once it is confirmed. */
export const suspendGrant = (db: Queries, { repositoryId, userId, askedAt }: Check) =>
  db.run(
    hiding(sql`
    UPDATE repository_grants SET confirmed_at = 'epoch', unreachable_since = NULL, suspended_at = ${askedAt}
    WHERE repository_id = ${repositoryId} AND user_id = ${userId} AND NOT withdrawn AND confirmed_at < ${askedAt}`),
  );

/** Whether the user once had access to a private repository of this name and has not lost it. */
export const holdsGrant = (
  db: Queries,
  { host, owner, name, userId }: { host: string; owner: string; name: string; userId: string },
) =>
  db.any(sql`
    SELECT 1 FROM repository_grants AS grants JOIN repositories ON repositories.id = grants.repository_id
    WHERE grants.user_id = ${userId} AND NOT grants.withdrawn AND repositories.is_private AND NOT is_removed
      AND host = ${host} AND lower(owner) = lower(${owner}) AND lower(name) = lower(${name})`);

type Grant = Pick<Tables['repository_grants'], 'confirmedAt' | 'withdrawn'>;

export async function listGrants(db: Queries, repositoryId: string): Promise<(KnownIdentity & Grant)[]> {
  const rows = await db.query<KnownIdentityRow & Grant>(sql`
    SELECT ${knownIdentityColumns}, grants.confirmed_at, grants.withdrawn
    FROM repository_grants AS grants
    JOIN users ON users.id = grants.user_id
    JOIN identities ON identities.id = users.identity_id
    WHERE grants.repository_id = ${repositoryId}`);
  return rows.map(({ confirmedAt, withdrawn, ...row }) => ({
    ...asKnownIdentity(row),
    confirmedAt,
    withdrawn,
  }));
}

/** Deletes withdrawn grants that are older than any response that may still arrive. */
export const deleteWithdrawnGrants = (db: Queries, before: Date) =>
  db.run(sql`DELETE FROM repository_grants WHERE withdrawn AND confirmed_at < ${before}`);

/** The channel that tells processes which tokens to check with the host again. */
export const revocationChannel = 'rights_revoked';

interface RevokedRepositories {
  host: string;
  hostRepoIds: number[];
  /** Owners for all of whose private repositories rights were revoked. */
  owners: string[];
  /** Full or last names of groups for whose private repositories rights were revoked. */
  groups: string[];
}

const lowerCased = (names: string[]): string[] => names.map((name) => name.toLowerCase());

const liesIn = (group: Sql): Sql => sql`position('/' || ${group} || '/' IN '/' || lower(owner) || '/') > 0`;

const isMeant = ({ host, hostRepoIds, owners, groups }: RevokedRepositories): Sql => sql`
  host = ${host} AND (host_repo_id = ANY (${hostRepoIds}::bigint[])
    OR (is_private AND lower(owner) = ANY (${lowerCased(owners)}::text[]))
    OR (is_private AND EXISTS (
      SELECT FROM unnest(${lowerCased(groups)}::text[]) AS named (of_group) WHERE ${liesIn(sql`of_group`)})))`;

export const knowsAnyRepository = (db: Queries, revoked: RevokedRepositories) =>
  db.any(sql`SELECT 1 FROM repositories WHERE ${isMeant(revoked)} LIMIT 1`);

export interface RevokedRights {
  repositories: RevokedRepositories[];
  users: { host: string; hostUserId: number }[];
  now: Date;
}

/**
 * Discards the host's responses about some repositories and users, also those stored by a process whose clock is ahead.
 * Call it once per transaction: it locks each table once, in key order, to avoid deadlocks.
 */
export async function revokeRights(tx: Queries, { repositories, users, now }: RevokedRights): Promise<void> {
  const repositoryIds = await revokeRepositories(tx, repositories, now);
  const userIds = await revokeUsers(tx, users, now);
  if (repositoryIds.length === 0 && userIds.length === 0) return;
  await tx.query(sql`
    UPDATE repository_grants SET confirmed_at = ${now}
    WHERE (repository_id, user_id) IN (
      SELECT repository_id, user_id FROM repository_grants
      WHERE (repository_id = ANY (${repositoryIds}::uuid[]) OR user_id = ANY (${userIds}::uuid[]))
        AND confirmed_at > ${now}
      ORDER BY repository_id, user_id FOR NO KEY UPDATE)`);
}

async function revokeRepositories(tx: Queries, revoked: RevokedRepositories[], now: Date): Promise<string[]> {
  if (revoked.length === 0) return [];
  const byId = revoked.flatMap(({ host, hostRepoIds }) => hostRepoIds.map((id) => ({ host, id })));
  const byOwner = revoked.flatMap(({ host, owners }) => owners.map((owner) => ({ host, owner })));
  const byGroup = revoked.flatMap(({ host, groups }) => groups.map((group) => ({ host, group })));
  return tx.values<Tables['repositories']['id']>(
    hiding(sql`
    UPDATE repositories SET revoked_at = GREATEST(revoked_at, ${now}), checked_at = LEAST(checked_at, ${now})
    WHERE id IN (
      SELECT id FROM repositories WHERE id IN (
        SELECT id FROM repositories
        JOIN unnest(${byId.map(({ host }) => host)}::text[], ${byId.map(({ id }) => id)}::bigint[])
          AS revoked (host, host_repo_id) USING (host, host_repo_id)
        UNION ALL
        SELECT id FROM repositories
        JOIN unnest(${byOwner.map(({ host }) => host)}::text[],
            ${lowerCased(byOwner.map(({ owner }) => owner))}::text[]) AS revoked (host, of_owner)
          ON repositories.host = revoked.host AND lower(owner) = of_owner
        WHERE is_private
        UNION ALL
        SELECT id FROM repositories
        JOIN unnest(${byGroup.map(({ host }) => host)}::text[],
            ${lowerCased(byGroup.map(({ group }) => group))}::text[]) AS revoked (host, of_group)
          ON repositories.host = revoked.host AND ${liesIn(sql`of_group`)}
        WHERE is_private)
      ORDER BY id FOR NO KEY UPDATE)
    RETURNING id`),
  );
}

/**
 * All processes check the tokens again. For a saved token of another host the account is unknown, so all users with one
 * are affected.
 */
async function revokeUsers(tx: Queries, revoked: RevokedRights['users'], now: Date): Promise<string[]> {
  if (revoked.length === 0) return [];
  const hosts = revoked.map(({ host }) => host);
  const known = await tx.query<Pick<Tables['users'], 'id'>>(sql`
    UPDATE users SET rights_revoked_at = GREATEST(rights_revoked_at, ${now})
    WHERE id IN (
      SELECT id FROM users WHERE identity_id IN (
        SELECT id FROM identities
        JOIN unnest(${hosts}::text[], ${revoked.map(({ hostUserId }) => hostUserId)}::bigint[])
          AS revoked (host, host_user_id) USING (host, host_user_id)
        UNION ALL
        SELECT identities.id FROM identities JOIN host_tokens AS tokens ON tokens.identity_id = identities.id
        WHERE tokens.host = ANY (${hosts}::text[]) AND tokens.host <> identities.host)
      ORDER BY id FOR NO KEY UPDATE)
    RETURNING id`);
  const messages = revoked.map(({ host, hostUserId }) => `${host} ${hostUserId}`);
  await tx.query(sql`SELECT pg_notify(${revocationChannel}, said) FROM unnest(${messages}::text[]) AS said`);
  return known.map(({ id }) => id);
}
