import { after } from 'node:test';
import postgres from 'postgres';
import type { Queries } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import type { TestApp } from './build-app.ts';
import { waitUntil } from './wait-until.ts';

/** The number of sessions of this database that wait for a lock. Other databases share the server, so only its own count. */
export async function countLockWaits(database: Queries): Promise<number> {
  const waiting = await database.query(sql`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return waiting.length;
}

/** An operator who can disturb the database of a service. */
export function operatorOf({ config }: Pick<TestApp, 'config'>) {
  const url = new URL(config.databaseUrl ?? '');
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const server = postgres(url.href, { max: 1, onnotice: () => {} });
  after(() => server.end());
  const hasListeners = async () => {
    const found = await server`
      SELECT FROM pg_stat_activity WHERE datname = ${name} AND query ILIKE 'listen %'`;
    return found.length > 0;
  };
  const untilListening = () => waitUntil('the service listens', hasListeners);
  const allowConnections = (allowed: boolean) =>
    server.unsafe(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS ${allowed}`);
  /** Returns once these connections are gone, because a terminated backend may still deliver a notification. */
  const endListeners = () => server`
    SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = ${name} AND query ILIKE 'listen %'`;
  return {
    allowConnections,
    untilListening,
    /** Ends the connections that listen for notifications, and no others. The service reconnects. */
    async endListeners() {
      await untilListening();
      await endListeners();
    },
    /** Ends the connections that listen for notifications, and refuses new ones. */
    async silence() {
      await untilListening();
      await allowConnections(false);
      await endListeners();
    },
  };
}
