import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { cannotRun, chooseSharedMemory, freeIn, type PostgresPrograms, reasonOf } from './programs.ts';
import { readServer, stopLeftover } from './server-folder.ts';

const mebibyte = 1024 * 1024;

/** PostgreSQL's log of changes is a row of files of 16 MiB: it stops if it cannot begin the next one. */
const bytesToRun = 32 * mebibyte;

const longestLog = mebibyte;
const firstPauseMs = 100;
const longestPauseMs = 10_000;

/** A server that ran for this long is restarted at once when it ends. */
const steadyMs = 60_000;

/**
 * Runs the server, and ends it when the pipe to this process closes: however this process ends, the server does not outlive
 * it. The shell is needed because a process that the terminal's ctrl-C does not reach is not ended with its parent either.
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

/** A PostgreSQL that is restarted whenever it ends, until it is stopped. */
export class ServerProcess {
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

  /** Whether the disk has too little room for the server to run or to store anything. */
  get isFull(): boolean {
    try {
      return freeIn(this.#files.folder) < bytesToRun;
    } catch {
      // The folder is gone, or its disk is.
      return false;
    }
  }

  get isRunning(): boolean {
    return this.#child !== null && isRunning(this.#child);
  }

  /** Resolves when the server answers. */
  async start(): Promise<void> {
    const log = join(this.#files.folder, 'server.log');
    if (sizeOf(log) > longestLog) truncateSync(log);
    const begin = sizeOf(log);
    const child = this.#spawn(log);
    this.#child = child;
    let readySince: number | null = null;
    const ended = new Promise<never>((_, reject) => {
      child.once('error', (error) => reject(cannotRun(reasonOf('/bin/sh', error), error)));
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
      // Ctrl-C in a terminal goes to all of its processes: the server has to outlive the last statement.
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
    // The event says why.
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
      // It has no replica.
      wal_level: 'minimal',
      max_wal_senders: '0',
      dynamic_shared_memory_type: chooseSharedMemory(),
      // Its workers would take memory, and save little on a local disk.
      ...(this.#programs.major >= 18 && { io_method: 'sync' }),
      // What fails is reported by the process that asked; statements can hold what is private.
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

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** The last line in which the server said why it ended. */
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
