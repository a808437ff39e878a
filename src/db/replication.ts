import postgres from 'postgres';
import { inTime } from '../domain/concurrency.ts';
import type { DatabaseAddress, ServerHost } from '../domain/database-address.ts';

/** How a server takes part in replication, and its settings that decide what a crash or a failover loses. */
export interface ReplicationLook {
  isStandby: boolean;
  /** How far a primary has written, or a standby has replayed, in bytes of the log of changes. */
  position: number;
  /** Whether a standby is connected to its primary. */
  isFollowing: boolean;
  standbys: number;
  /** Of those, for how many commits wait. */
  waitedFor: number;
  synchronousCommit: string;
  fsync: string;
  fullPageWrites: string;
}

const patienceMs = 5_000;

/** Asks one server of an address, whatever its role, on a connection of its own. */
export async function readReplication(
  { driverUrl, username }: DatabaseAddress,
  { host, port }: ServerHost,
): Promise<ReplicationLook> {
  const client = postgres(driverUrl, {
    ...(host && { host }),
    ...(port && { port }),
    ...(username && { username }),
    max: 1,
    connect_timeout: patienceMs / 1000,
    connection: { application_name: 'pullquote' },
    fetch_types: false,
    onnotice: () => {},
  });
  try {
    const asking = client<ReplicationLook[]>`
      SELECT pg_is_in_recovery() AS "isStandby",
        (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END - '0/0')::float8 AS position,
        EXISTS (SELECT FROM pg_stat_wal_receiver) AS "isFollowing",
        (SELECT count(*)::int FROM pg_stat_replication WHERE application_name <> 'pg_basebackup') AS standbys,
        (SELECT count(*)::int FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS "waitedFor",
        current_setting('synchronous_commit') AS "synchronousCommit",
        current_setting('fsync') AS fsync, current_setting('full_page_writes') AS "fullPageWrites"`;
    const [found] = await inTime(asking, patienceMs, () => {
      throw new Error('it does not answer in time');
    });
    if (!found) throw new Error('it answers with nothing');
    return found;
  } finally {
    void client.end({ timeout: 0 });
  }
}
