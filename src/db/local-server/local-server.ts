import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { LockHeld, StartupProblem } from '../../domain/errors.ts';
import {
  cannotRun,
  chooseServerUser,
  chooseSharedMemory,
  findPrograms,
  freeIn,
  type PostgresPrograms,
  programReason,
  sharedUser,
} from './programs.ts';
import {
  databaseUser,
  initialise,
  isServerOf,
  prepareServerFolder,
  prepareSocketFolder,
  readServer,
  stopLeftover,
  takeExclusiveLock,
} from './server-folder.ts';

export interface LocalServer {
  url: string;
  isFull: () => boolean;
  isRunning: () => boolean;
  isOwn: boolean;
  stop: () => Promise<void>;
}

interface Wanted {
  dataFolder: string;
  postgresBin?: string | undefined;
  command: string;
  announce: (sentence: string) => void;
  settings?: Record<string, string>;
}

/** `serve` starts the server, and other commands use it. */
const service = 'serve';

const lookMs = 100;

const startMs = 60_000;

/** How long a start waits for sessions of a killed server: longer than a statement may run. */
const othersMs = 20_000;

/**
 * Starts the server of a data folder, or finds that of the running service. Waits for a command that uses the folder,
 * because its server ends with the command.
 */
export async function openLocalServer(wanted: Wanted): Promise<LocalServer> {
  const { dataFolder, command, announce } = wanted;
  const end = performance.now() + startMs;
  let isAnnounced = false;
  for (;;) {
    const held = takeLock(dataFolder, command);
    if (!(held instanceof LockHeld)) return startServer(wanted, held);
    const holder = `pullquote ${held.note} (process ${held.pid})`;
    if (held.note === service && command !== service) {
      const found = findServer(dataFolder);
      if (found) return found;
      if (performance.now() > end)
        throw new StartupProblem(`The database of ${holder} does not answer.`, {
          remedy: 'Wait until the service has started, then try again.',
        });
      await setTimeout(lookMs);
      continue;
    }
    if (held.note === service)
      throw new StartupProblem(`The data folder ${dataFolder} is in use by ${holder}.`, {
        remedy:
          'Stop it first, or set PULLQUOTE_DATA to another folder. To run several services on one database, set DATABASE_URL.',
      });
    if (!isAnnounced) announce(`Waiting for ${holder} to finish …`);
    isAnnounced = true;
    await setTimeout(lookMs);
  }
}

function takeLock(dataFolder: string, command: string): (() => void) | LockHeld {
  try {
    return takeExclusiveLock(join(dataFolder, 'database.lock'), command);
  } catch (error) {
    if (error instanceof LockHeld) return error;
    throw new StartupProblem(
      `The data folder ${dataFolder} cannot be locked: database.lock in it must be a file that this user can write to, on a ` +
        'disk that supports file locks.',
      { remedy: 'Fix that, or set PULLQUOTE_DATA to another folder.', cause: error },
    );
  }
}

async function startServer(wanted: Wanted, unlock: () => void): Promise<LocalServer> {
  const { dataFolder, postgresBin, command, announce, settings = {} } = wanted;
  try {
    const user = chooseServerUser(dataFolder);
    const folder = prepareServerFolder(dataFolder, user, announce);
    // With these owners, the user of the data folder can later use it without root.
    if (user)
      for (const file of ['database.lock', 'database.lock.pid'])
        chownSync(join(dataFolder, file), user.uid, user.gid);
    const programs = await findPrograms(folder, { postgresBin, user });
    const data = join(folder, 'data');
    if (!existsSync(data)) announce('Creating the database; this takes a few seconds and happens once …');
    await initialise(data, programs);
    const shared = command === service && sharedUser(dataFolder);
    if (shared) announce(`${shared.problem} ${shared.remedy}`);
    await stopLeftover(data);
    const socketFolder = prepareSocketFolder(folder, user);
    const server = new ServerProcess(programs, { folder, data, socketFolder }, settings, announce);
    await startAfterOthers(server);
    return {
      url: serverUrl(socketFolder),
      isFull: () => server.isFull,
      isRunning: () => server.isRunning,
      isOwn: true,
      async stop() {
        await server.stop();
        if (socketFolder !== folder) rmSync(socketFolder, { recursive: true, force: true });
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Sessions of a killed server may continue for seconds, and PostgreSQL does not start beside them. */
async function startAfterOthers(server: ServerProcess): Promise<void> {
  for (const end = performance.now() + othersMs; ; await setTimeout(lookMs))
    try {
      return await server.start();
    } catch (error) {
      const isBlocked = error instanceof Error && error.message.includes('shared memory block');
      if (!isBlocked || performance.now() > end) throw error;
    }
}

const serverUrl = (socketFolder: string): string =>
  `postgresql:///postgres?host=${encodeURIComponent(socketFolder)}&port=5432&user=${databaseUser}`;

function findServer(dataFolder: string): LocalServer | null {
  const folder = join(dataFolder, 'postgres');
  const data = existsSync(folder) ? join(realpathSync(folder), 'data') : '';
  const server = readServer(data);
  if (!server?.isReady || !isServerOf(server.pid, data)) return null;
  return {
    url: serverUrl(server.socketFolder),
    isFull: () => false,
    // The server belongs to another process, which may change it at any time.
    isRunning: () => true,
    isOwn: false,
    async stop() {},
  };
}

const mebibyte = 1024 * 1024;

/** PostgreSQL writes its log of changes in files of 16 MiB, and stops if it cannot create the next one. */
const bytesToRun = 32 * mebibyte;

const longestLog = mebibyte;
const firstPauseMs = 100;
const longestPauseMs = 10_000;

/** A server that ran longer than this before it ended is restarted at once; others are restarted after a pause. */
const steadyMs = 60_000;

/**
 * Ends the server when the pipe to this process closes, however this process ends. A shell does this, because a process
 * outside the terminal's group does not end with its parent.
 */
const runUntilPipeCloses = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(read -r _ <&3; kill -INT $server; trap 'kill $!; exit' TERM; sleep 20 & wait; kill -QUIT $server) </dev/null >/dev/null 2>&1 &
watcher=$!
wait $server
status=$?
kill $watcher
exit $status`;

interface ServerFiles {
  folder: string;
  data: string;
  socketFolder: string;
}

class ServerProcess {
  readonly #programs: PostgresPrograms;
  readonly #files: ServerFiles;
  readonly #settings: Record<string, string>;
  readonly #report: (sentence: string) => void;
  readonly #stopping = new AbortController();
  #child: ChildProcess | null = null;
  #restarting: Promise<void> = Promise.resolve();

  constructor(
    programs: PostgresPrograms,
    files: ServerFiles,
    settings: Record<string, string>,
    report: (sentence: string) => void,
  ) {
    this.#programs = programs;
    this.#files = files;
    this.#settings = settings;
    this.#report = report;
  }

  get isFull(): boolean {
    try {
      return freeIn(this.#files.folder) < bytesToRun;
    } catch {
      // The data folder or its disk is gone.
      return false;
    }
  }

  get isRunning(): boolean {
    return this.#child !== null && isRunning(this.#child);
  }

  async start(): Promise<void> {
    const log = join(this.#files.folder, 'server.log');
    if (fileBytes(log) > longestLog) truncateSync(log);
    const begin = fileBytes(log);
    const child = this.#spawn(log);
    this.#child = child;
    let readySince: number | null = null;
    const ended = new Promise<never>((_, reject) => {
      child.once('error', (error) => reject(cannotRun(programReason('/bin/sh', error), error)));
      child.once('exit', () => {
        const complaint = lastComplaint(log, begin);
        reject(cannotRun(complaint));
        if (readySince === null || this.#stopping.signal.aborted) return;
        this.#restarting = this.#restart(complaint, performance.now() - readySince);
      });
    });
    ended.catch(() => {});
    await Promise.race([ended, this.#untilReady(child)]);
    readySince = performance.now();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const child = this.#child;
    if (child && isRunning(child)) {
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    }
    await this.#restarting;
  }

  #spawn(log: string): ChildProcess {
    const output = openSync(log, 'a', 0o600);
    const command = [runUntilPipeCloses, 'sh', this.#programs.postgres, ...this.#parameters()];
    const child = spawn('/bin/sh', ['-c', ...command], {
      ...this.#programs.user,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...this.#programs.environment },
      stdio: ['pipe', output, output],
      // Ctrl-C signals all processes of a terminal, but the server must outlive the last statement.
      detached: true,
    });
    closeSync(output);
    child.stdin?.on('error', () => {});
    return child;
  }

  async #untilReady(child: ChildProcess): Promise<void> {
    while (isRunning(child)) {
      if (readServer(this.#files.data)?.isReady) return;
      await setTimeout(10);
    }
    await new Promise(() => {});
  }

  async #restart(complaint: string, ranMs: number): Promise<void> {
    this.#report(`PostgreSQL ended (${complaint}). Starting it again …`);
    const { signal } = this.#stopping;
    let pauseMs = ranMs > steadyMs ? 0 : firstPauseMs;
    while (!signal.aborted) {
      try {
        await setTimeout(pauseMs, undefined, { signal });
        await stopLeftover(this.#files.data);
        if (signal.aborted) return;
        await this.start();
        this.#report('PostgreSQL is running again.');
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (pauseMs < longestPauseMs) this.#report(error instanceof Error ? error.message : String(error));
        pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, pauseMs * 2));
      }
    }
  }

  #parameters(): string[] {
    const { data, socketFolder } = this.#files;
    const settings = {
      listen_addresses: '',
      unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
      unix_socket_permissions: '0700',
      ssl: 'off',
      max_connections: '50',
      shared_buffers: '64MB',
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_logical_replication_workers: '0',
      dynamic_shared_memory_type: chooseSharedMemory(),
      // I/O workers would use memory and save little time on a local disk.
      ...(this.#programs.major >= 18 && { io_method: 'sync' }),
      // Callers report failures, and statements may contain private data.
      log_min_messages: 'log',
      log_checkpoints: 'off',
      log_timezone: 'UTC',
      timezone: 'UTC',
      ...this.#settings,
    };
    return ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  }
}

const isRunning = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid !== undefined && exitCode === null && signalCode === null;

const fileBytes = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function lastComplaint(log: string, begin: number): string {
  let lines: string[];
  try {
    lines = readFileSync(log).subarray(begin).toString().split('\n');
  } catch {
    return 'its log cannot be read';
  }
  const complaints = lines.filter((line) => /(?:FATAL|PANIC):/.test(line));
  const line =
    complaints.find((text) => text.includes('No space left')) ?? complaints[0] ?? lines.findLast(Boolean);
  return line?.replace(/^.*?(?:FATAL|PANIC): */, '') ?? 'it was killed';
}
