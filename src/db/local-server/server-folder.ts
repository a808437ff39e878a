import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { LockHeld, StartupProblem } from '../../domain/errors.ts';
import { canEnter, chooseSharedMemory, type PostgresPrograms, run, type ServerUser } from './programs.ts';

export const databaseUser = 'pullquote';

/** The folder for a service that runs as root, if the server's user cannot enter the data folder. */
const foldersOfRoot = '/var/lib/pullquote';

/** The kernel limits the path of a socket to 107 bytes on Linux and to 103 on macOS. */
const longestSocketPath = 103;

/** The folder `postgres` in the data folder, or a link if the server's user cannot enter that. */
export function prepareServerFolder(
  dataFolder: string,
  user: ServerUser | undefined,
  announce: (sentence: string) => void,
): string {
  if (existsSync(join(dataFolder, 'database')))
    throw new StartupProblem(
      `The data folder ${dataFolder} contains the embedded database of an earlier version, which this version cannot read.`,
      { remedy: 'Set PULLQUOTE_DATA to a new folder, or move the old one away.' },
    );
  if (user) letPass(dataFolder, user);
  const folder = join(dataFolder, 'postgres');
  if (!existsSync(folder)) {
    const place = canEnter(dataFolder, user) ? folder : folderOfRoot(dataFolder);
    mkdirSync(place, { recursive: true, mode: 0o700 });
    if (user) chownSync(place, user.uid, user.gid);
    if (place !== folder) {
      symlinkSync(place, folder);
      announce(
        `PostgreSQL does not run as root, and no other user can enter ${dataFolder}: the database is in ${place}.`,
      );
    }
  }
  return realpathSync(folder);
}

/** Lets the group of the server's user pass through root's data folder without listing it. */
function letPass(dataFolder: string, { uid, gid }: ServerUser): void {
  if (statSync(dataFolder).uid !== 0 || canEnter(dataFolder, { uid, gid })) return;
  chownSync(dataFolder, 0, gid);
  chmodSync(dataFolder, 0o710);
}

function folderOfRoot(dataFolder: string): string {
  mkdirSync(foldersOfRoot, { recursive: true, mode: 0o755 });
  return join(
    foldersOfRoot,
    createHash('sha256').update(realpathSync(dataFolder)).digest('hex').slice(0, 12),
  );
}

/** Files are created in a draft folder, so that an interrupted start leaves no incomplete database. */
export async function initialise(data: string, programs: PostgresPrograms): Promise<void> {
  if (existsSync(data)) return requireSameMajor(data, programs.major);
  const draft = `${data}.new`;
  rmSync(draft, { recursive: true, force: true });
  const locale =
    programs.major >= 17
      ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
      : ['--locale=C.UTF-8'];
  const memory = programs.major >= 16 ? ['--set', `dynamic_shared_memory_type=${chooseSharedMemory()}`] : [];
  await run(
    programs.initdb,
    // Only root and the server's user can reach the socket.
    [
      '--pgdata',
      draft,
      `--username=${databaseUser}`,
      '--auth=trust',
      '--encoding=UTF8',
      ...locale,
      ...memory,
    ],
    programs,
  );
  renameSync(draft, data);
}

function requireSameMajor(data: string, major: number): void {
  const made = Number(readFileSync(join(data, 'PG_VERSION'), 'utf8'));
  if (made === major) return;
  throw new StartupProblem(
    `The database in ${data} was created by PostgreSQL ${made}, and this is PostgreSQL ${major}.`,
    {
      remedy:
        'Back it up with the version of Pullquote that created it (pullquote backup), then restore it into a new data folder with ' +
        `this version (pullquote restore), or set POSTGRES_BIN to the folder with the programs of PostgreSQL ${made}.`,
    },
  );
}

/** A folder for the socket that only the server's user can enter, with a path that is short enough. */
export function prepareSocketFolder(folder: string, user: ServerUser | undefined): string {
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= longestSocketPath) return folder;
  const short = mkdtempSync(join(tmpdir(), 'pullquote-'));
  if (user) chownSync(short, user.uid, user.gid);
  return short;
}

interface RunningServer {
  pid: number;
  socketFolder: string;
  isReady: boolean;
}

const pidFile = (data: string) => join(data, 'postmaster.pid');

export function readServer(data: string): RunningServer | null {
  let lines: string[];
  try {
    lines = readFileSync(pidFile(data), 'utf8').split('\n');
  } catch {
    return null;
  }
  const [pid = '', , , , socketFolder = '', , , state = ''] = lines;
  return { pid: Number(pid), socketFolder, isReady: state.startsWith('ready') };
}

/** Signals that end a leftover server, gentlest first, with the time to wait after each. */
const endings: [signal: NodeJS.Signals, ms: number][] = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];

/**
 * Stops the server that a killed process left behind and removes its pid file. PostgreSQL would otherwise mistake an
 * unrelated process with the same id for it.
 */
export async function stopLeftover(data: string): Promise<void> {
  const left = readServer(data);
  if (left) await endServer(left.pid, data);
  rmSync(pidFile(data), { force: true });
}

async function endServer(pid: number, data: string): Promise<void> {
  for (const [signal, ms] of endings) {
    if (!isServerOf(pid, data)) return;
    try {
      process.kill(pid, signal);
    } catch {}
    for (const end = performance.now() + ms; performance.now() < end; await setTimeout(20))
      if (!isServerOf(pid, data)) return;
  }
  throw new StartupProblem(`The PostgreSQL of ${data} (process ${pid}) does not stop.`, {
    remedy: 'Stop it, then start again.',
  });
}

export function isServerOf(pid: number, data: string): boolean {
  if (!(pid > 0)) return false;
  return commandOf(pid).includes(` -D ${data} `);
}

function commandOf(pid: number): string {
  try {
    return `${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')} `;
  } catch {
    // Systems without /proc, such as macOS.
    return existsSync('/proc/self')
      ? ''
      : `${spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout} `;
  }
}

const sqliteBusy = 5;

/**
 * Locks a file until this process ends or releases it. Throws `LockHeld` with the holder's id and note if another
 * process has it. The lock is one of SQLite, because Node has none and the kernel releases it however the process ends.
 */
export function takeExclusiveLock(file: string, note = ''): () => void {
  const lock = new DatabaseSync(file);
  const pidFile = `${file}.pid`;
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!(error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy)) throw error;
    throw new LockHeld(...readHolder(pidFile), error);
  }
  try {
    writeFileSync(pidFile, `${process.pid} ${note}\n`);
  } catch {
    // The pid file is only for messages, so a failure to write it is ignored.
  }
  return () => {
    if (lock.isOpen) lock.close();
  };
}

function readHolder(pidFile: string): [pid: string, note: string] {
  try {
    const [pid = 'unknown', note = ''] = readFileSync(pidFile, 'utf8').trim().split(' ');
    return [pid, note];
  } catch {
    return ['unknown', ''];
  }
}
