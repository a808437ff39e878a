import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Failure } from '../../domain/errors.ts';
import { Semaphore, type Share } from '../../domain/semaphore.ts';
import type { GitCommand, GitEnd, Order, Report } from './spawn-git-for-parent.ts';

/** As much output of one command as may be on its way or wait to be read; git waits while there is more. */
const window = 1024 * 1024;

/** Beside this file and, like it, TypeScript in a checkout and JavaScript once built. */
const helperFile = join(import.meta.dirname, `spawn-git-for-parent${extname(import.meta.filename)}`);

/** How many gits run at once: enough for a few cores and disks, each with room for its largest diff. */
const mostAtOnce = 8;

export interface RunOptions {
  /** How long it may wait for other commands, and then how long git may take before it is stopped. */
  timeoutMs: number;
  /** What it takes a share of, so that what is stuck leaves room for other commands. */
  shares: Share[];
  /** Aborted when the caller no longer waits for the output. */
  signal?: AbortSignal | undefined;
}

/** A command that has not ended, or whose output is not read to its end. */
interface Run {
  id: number;
  chunks: Buffer[];
  end: GitEnd | null;
  /** Tells the reader that there is something new. */
  wake: () => void;
  timer: NodeJS.Timeout;
  /** Lets the next one in. */
  leave: () => void;
}

interface Helper {
  child: ChildProcess;
  /** Those that have not ended, by their ids. */
  running: Map<number, Run>;
}

/**
 * Runs git through a small process of its own; spawn-git-for-parent.ts says why. That process ends with this one. When it
 * dies before, the next command starts another. It does not keep this process alive while no command runs. Only a few gits
 * run at once; other commands wait for them.
 */
export class GitSpawner {
  readonly #semaphore = new Semaphore();
  #helper: Helper | null = null;
  #lastId = 0;
  #isClosed = false;

  /** Starts the process before it is needed, while this one is still small. */
  warmUp(): void {
    this.#helper ??= this.#startHelper();
  }

  /**
   * Yields what git prints and returns how it ended; git that takes too long, or whose output is no longer wanted, ends with
   * SIGKILL. A reader that stops early stops git.
   */
  async *run(command: GitCommand, options: RunOptions): AsyncGenerator<Buffer, GitEnd> {
    const { timeoutMs, signal } = options;
    const leave = await this.#enter(options);
    let stop = leave;
    try {
      if (this.#isClosed || signal?.aborted) throw abortedRead();
      this.#helper ??= this.#startHelper();
      const helper = this.#helper;
      this.#lastId += 1;
      const run = begin(helper, { id: this.#lastId, command, timeoutMs, leave });
      stop = () => kill(helper, run);
      signal?.addEventListener('abort', stop);
      return yield* read(helper, run);
    } finally {
      signal?.removeEventListener('abort', stop);
      stop();
    }
  }

  async #enter({ timeoutMs, shares, signal }: RunOptions): Promise<() => void> {
    const tooLong = AbortSignal.timeout(timeoutMs);
    const all = { of: 'all', most: mostAtOnce };
    try {
      return await this.#semaphore.acquire(
        [all, ...shares],
        signal ? AbortSignal.any([tooLong, signal]) : tooLong,
      );
    } catch (cause) {
      if (signal?.aborted) throw abortedRead(cause);
      const message =
        'So much is being read from clones that this had to wait too long. Try again in a minute.';
      throw new Failure('HOST_TIMEOUT', message, { cause });
    }
  }

  /** Ends the process and whatever it still runs, and starts nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const child = this.#helper?.child;
    this.#helper = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const ended = once(child, 'exit');
    killGroup(child);
    await ended;
  }

  #startHelper(): Helper {
    const child = spawn(process.execPath, [helperFile], {
      // A group of its own, so that it can be killed together with its gits.
      detached: true,
      env: {},
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    const helper: Helper = { child, running: new Map() };
    const lose = (complaint: string): void => {
      if (this.#helper === helper) this.#helper = null;
      killGroup(child);
      for (const run of helper.running.values()) finish(helper, run, { code: null, signal: null, complaint });
    };
    child.on('message', (report: Report) => receive(helper, report));
    child.on('error', ({ message }) => lose(message));
    child.on('disconnect', () => lose('the process that spawns git has ended'));
    letGo(helper);
    return helper;
  }
}

/** For a command whose output is no longer wanted, because the client hung up or the service ends. */
export function abortedRead(cause?: unknown): Failure {
  return new Failure('UNAVAILABLE', 'Reading the clone was given up. Try again.', { cause });
}

function begin(
  helper: Helper,
  {
    id,
    command,
    timeoutMs,
    leave,
  }: { id: number; command: GitCommand; timeoutMs: number; leave: () => void },
): Run {
  const timer = setTimeout(() => kill(helper, run), timeoutMs);
  const run: Run = { id, chunks: [], end: null, wake: () => {}, timer, leave };
  if (helper.running.size === 0) hold(helper);
  helper.running.set(id, run);
  send(helper, { kind: 'start', id, command, window });
  return run;
}

async function* read(helper: Helper, run: Run): AsyncGenerator<Buffer, GitEnd> {
  let unconfirmed = 0;
  for (;;) {
    const chunk = run.chunks.shift();
    if (chunk) {
      yield chunk;
      unconfirmed += chunk.length;
      // Rarely enough that most commands do without it, often enough that git need not wait for a quick reader.
      if (unconfirmed > window / 4 && !run.end) {
        send(helper, { kind: 'read', id: run.id, bytes: unconfirmed });
        unconfirmed = 0;
      }
    } else if (run.end) {
      return run.end;
    } else {
      await new Promise<void>((resolve) => {
        run.wake = resolve;
      });
    }
  }
}

function receive(helper: Helper, report: Report): void {
  const run = helper.running.get(report.id);
  if (!run) return;
  if (report.kind === 'end') {
    finish(helper, run, report.end);
  } else {
    run.chunks.push(Buffer.from(report.chunk.buffer, report.chunk.byteOffset, report.chunk.byteLength));
    run.wake();
  }
}

function kill(helper: Helper, run: Run): void {
  if (run.end) return;
  send(helper, { kind: 'kill', id: run.id });
  finish(helper, run, { code: null, signal: 'SIGKILL', complaint: '' });
}

function finish(helper: Helper, run: Run, end: GitEnd): void {
  run.end = end;
  run.wake();
  clearTimeout(run.timer);
  run.leave();
  helper.running.delete(run.id);
  if (helper.running.size === 0) letGo(helper);
}

function send({ child }: Helper, order: Order): void {
  // When it does not arrive, the process has ended, of which the waiting callers are told anyway.
  if (child.connected) child.send(order, undefined, undefined, () => {});
}

function hold({ child }: Helper): void {
  child.ref();
  child.channel?.ref();
}

function letGo({ child }: Helper): void {
  child.unref();
  child.channel?.unref();
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended already.
  }
}
