import assert from 'node:assert/strict';
import { after } from 'node:test';
import postgres from 'postgres';
import type { TestApp } from './build-app.ts';

/** An operator who can do to the database of a service what befalls servers. */
export function operatorOf({ config }: TestApp) {
  const url = new URL(config.databaseUrl ?? '');
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const server = postgres(url.href, { max: 1, onnotice: () => {} });
  after(() => server.end());
  return {
    allowConnections: (allowed: boolean) =>
      server.unsafe(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS ${allowed}`),
    hasListeners: async () => {
      const found = await server`
        SELECT FROM pg_stat_activity WHERE datname = ${name} AND query ILIKE 'listen %'`;
      return found.length > 0;
    },
    /** Ends the connections on which notifications are heard, and no others. */
    async endListeners() {
      const ended = await server`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name} AND query ILIKE 'listen %'`;
      assert.ok(ended.length > 0, 'somebody was listening');
    },
  };
}
