import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '../src/config.ts';
import { connectDatabase } from '../src/db/connect.ts';
import type { Database } from '../src/db/database.ts';
import { openLocalServer } from '../src/db/local-server/local-server.ts';
import { readServer } from '../src/db/local-server/server-folder.ts';
import { openPostgres } from '../src/db/postgres.ts';
import { fillingPatienceMs } from './growth.ts';

// Access of benchmarks to the PostgreSQL that a service starts without DATABASE_URL.

/** A folder for data folders, which the user of root's PostgreSQL may enter. */
export function makeBenchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** Opens the database of a service, running or not: the server of a data folder is started if needed. */
export async function openDatabase(settings: Record<string, string>): Promise<Database> {
  const config = parseConfig(settings);
  mkdirSync(config.dataFolder, { recursive: true });
  return connectDatabase(config, { command: 'bench', announce: () => {} });
}

/** Settings that make filling fast. The server of the measured service has none of these. */
const fillingServer = {
  fsync: 'off',
  shared_buffers: '512MB',
  max_wal_size: '8GB',
};

/** Fills the database of a data folder that no service uses yet. */
export async function fillDatabase(
  dataFolder: string,
  work: (database: Database) => Promise<unknown>,
): Promise<void> {
  mkdirSync(dataFolder, { recursive: true });
  const how = { command: 'bench', announce: () => {}, settings: fillingServer };
  const server = await openLocalServer({ dataFolder, ...how });
  try {
    const database = await openPostgres(server.url, { patienceMs: fillingPatienceMs });
    await work(database);
    await database.close();
  } finally {
    await server.stop();
  }
}

/** The folder of PostgreSQL's files, as its processes name it. */
const filesOf = (dataFolder: string): string => join(realpathSync(join(dataFolder, 'postgres')), 'data');

/** The first process of the server of a data folder, once it accepts connections. */
export function postmasterOf(dataFolder: string): number | null {
  const server = readServer(filesOf(dataFolder));
  return server?.isReady ? server.pid : null;
}

const processes = (): number[] => readdirSync('/proc').map(Number).filter(Boolean);

/**
 * All processes of the server of a data folder, including those of a killed postmaster: their working folder is the
 * same.
 */
export function serverProcesses(dataFolder: string): number[] {
  const files = filesOf(dataFolder);
  return processes().filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === files;
    } catch {
      return false;
    }
  });
}

/** The processes of the server that each serve a connection. */
export const backendsOf = (dataFolder: string): number[] =>
  serverProcesses(dataFolder).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(' [local] ');
    } catch {
      return false;
    }
  });

/** A process and all its descendants. */
export function withDescendants(root: number): number[] {
  const parents = new Map(processes().map((pid) => [pid, parentOf(pid)]));
  const isBelow = (pid: number | undefined): boolean =>
    pid === root || (pid !== undefined && isBelow(parents.get(pid)));
  return [...parents.keys()].filter(isBelow);
}

/** Undefined for a process that has ended, and for the first of all. */
function parentOf(pid: number): number | undefined {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    return Number(fields.split(' ')[1]) || undefined;
  } catch {
    return undefined;
  }
}

/** The memory of processes in MB, with each one's share of shared pages. */
export function megabytesOf(pids: number[]): number {
  const kibibytes = pids.map((pid) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      // The process has ended meanwhile.
      return 0;
    }
  });
  return (kibibytes.reduce((sum, one) => sum + one, 0) * 1024) / 1_000_000;
}
