import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalServer } from '../src/db/local-server/local-server.ts';
import { readServer } from '../src/db/local-server/server-folder.ts';
import { waitUntil } from './wait-until.ts';

export interface PostgresServer {
  url: string;
  /** Kills it with SIGKILL, and waits until it runs again at the same address. */
  killAndStart: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Test data need not survive a crash of the machine. */
const settingsOfTests = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
};

/** Starts a local server in its own folder with a port, so that a proxy can be in front of it. */
export async function startPostgres(settings: Record<string, string> = {}): Promise<PostgresServer> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'pullquote-postgres-'));
  const port = String(await freePort());
  const server = await openLocalServer({
    dataFolder,
    command: 'test',
    announce: () => {},
    settings: { ...settingsOfTests, listen_addresses: '127.0.0.1', port, ...settings },
  });
  const data = join(dataFolder, 'postgres', 'data');
  return {
    url: `postgres://pullquote@127.0.0.1:${port}/postgres`,
    async killAndStart() {
      const killed = readServer(data)?.pid ?? 0;
      process.kill(killed, 'SIGKILL');
      await waitUntil('the server runs again', () => {
        const running = readServer(data);
        return running?.isReady === true && running.pid !== killed;
      });
    },
    async stop() {
      await server.stop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/** The address of a database on a server. */
export function databaseOn(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.on('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/**
 * A port for a program that cannot choose one, below the range that systems assign, so that no other program or connection
 * takes it before or during a restart.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    if (await isFree(port)) return port;
  }
}
