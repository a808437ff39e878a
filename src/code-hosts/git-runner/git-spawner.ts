import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Semaphore } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import { type KeptGit, KeptGits, type RunOptions } from './kept-gits.ts';
import type { GitCommand, GitEnd, Order, Report } from './spawn-git-for-parent.ts';

/** How much output of one command may wait to be read; then git waits. */
const window = 1024 * 1024;

/** Beside this file: TypeScript in a checkout, JavaScript once built. */
const helperFile = join(import.meta.dirname, `spawn-git-for-parent${extname(import.meta.filename)}`);

/** Enough for a few cores and disks, each with room for its largest diff. */
const mostAtOnce = 8;

interface Run {
  id: number;
  chunks: Buffer[];
  end: GitEnd | null;
  wake: () => void;
  /** Whether a caller waits for it, so that this process must not end. */
  isAwaited: boolean;
  onEnd: () => void;
}

interface Helper {
  child: ChildProcess;
  running: Map<number, Run>;
  awaited: number;
  isEnding: boolean;
}

/**
 * Runs git through a small process; spawn-git-for-parent.ts says why. That process ends with this one. If it dies, the next command starts
 * another. It does not keep this process alive while no command runs. Only a few gits run at once.
 */
export class GitSpawner {
  readonly #semaphore = new Semaphore();
  readonly #busy = new BusyLoop();
  readonly kept = new KeptGits({
    enter: (options) => this.#enter(options),
    keep: (command) => this.#keep(command),
  });
  #helper: Helper | null = null;
  #lastId = 0;
  #isClosed = false;

  warmUp(): void {
    this.#helper ??= this.#startHelper();
  }

  /** Yields git's output and returns how it ended. A timeout, an abort or a reader that stops early kills git. */
  async *run(command: GitCommand, options: RunOptions): AsyncGenerator<Buffer, GitEnd> {
    const { timeoutMs, signal } = options;
    const leave = await this.#enter(options);
    let stop = leave;
    try {
      if (this.#isClosed || signal?.aborted) throw abortedRead();
      const { helper, run } = this.#begin(command, () => {
        clearTimeout(timer);
        leave();
      });
      stop = () => kill(helper, run);
      const timer = setTimeout(stop, timeoutMs);
      signal?.addEventListener('abort', stop);
      return yield* read(helper, run);
    } finally {
      signal?.removeEventListener('abort', stop);
      stop();
    }
  }

  /** Starts a git that runs until it is ended. Each query waits for a slot of its own. */
  #keep(command: Omit<GitCommand, 'input'>): KeptGit {
    if (this.#isClosed) throw abortedRead();
    const { helper, run } = this.#begin({ ...command, input: null }, () => {});
    return {
      output: read(helper, run),
      write: (input) => send(helper, { kind: 'write', id: run.id, input }),
      setAwaited: (isAwaited) => setAwaited(helper, run, isAwaited),
      end: () => kill(helper, run),
    };
  }

  #begin(command: GitCommand, onEnd: () => void): { helper: Helper; run: Run } {
    this.#helper ??= this.#startHelper();
    const helper = this.#helper;
    this.#lastId += 1;
    const run: Run = { id: this.#lastId, chunks: [], end: null, wake: () => {}, isAwaited: false, onEnd };
    helper.running.set(run.id, run);
    setAwaited(helper, run, true);
    send(helper, { kind: 'start', id: run.id, command, window });
    return { helper, run };
  }

  async #enter({ timeoutMs, shares, client, signal }: RunOptions): Promise<() => void> {
    const tooLong = AbortSignal.timeout(timeoutMs);
    const all = { of: 'all', most: mostAtOnce };
    const givenUp = signal ? AbortSignal.any([tooLong, signal]) : tooLong;
    try {
      const leave = await this.#semaphore.acquire([all, ...shares], givenUp, client);
      // Git's output is work for the event loop, of which anonymous clients leave half to others.
      while (client?.isAnonymous && !givenUp.aborted && this.#busy.share() > mostBusy) await pause(50);
      if (!givenUp.aborted) return leave;
      leave();
      throw givenUp.reason;
    } catch (cause) {
      if (signal?.aborted) throw abortedRead(cause);
      const message =
        'So much is being read from clones that this had to wait too long. Try again in a minute.';
      throw new Failure('HOST_TIMEOUT', message, { cause });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const helper = this.#helper;
    this.#helper = null;
    if (!helper || helper.child.exitCode !== null || helper.child.signalCode !== null) return;
    const { child } = helper;
    child.ref();
    helper.isEnding = true;
    const ended = once(child, 'exit');
    killGroup(child);
    await ended;
  }

  #startHelper(): Helper {
    const child = spawn(process.execPath, [helperFile], {
      // A process group, so that it can be killed together with its gits.
      detached: true,
      env: environmentOfHelper(),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    const helper: Helper = { child, running: new Map(), awaited: 0, isEnding: false };
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

/** It inherits only the compile cache, with which it starts in a third of the time. */
function environmentOfHelper(): Record<string, string> {
  // Node adds a folder for each of its versions.
  const cache = getCompileCacheDir();
  return cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {};
}

const mostBusy = 0.5;

/** How busy the event loop was in the last quarter of a second, or since the last look. */
class BusyLoop {
  #since = performance.eventLoopUtilization();
  #lookedAt = performance.now();
  #share = 0;

  share(): number {
    const now = performance.now();
    if (now - this.#lookedAt > 250) {
      const until = performance.eventLoopUtilization();
      this.#share = performance.eventLoopUtilization(until, this.#since).utilization;
      this.#since = until;
      this.#lookedAt = now;
    }
    return this.#share;
  }
}

export function abortedRead(cause?: unknown): Failure {
  return new Failure('UNAVAILABLE', 'Reading the clone was given up. Try again.', { cause });
}

async function* read(helper: Helper, run: Run): AsyncGenerator<Buffer, GitEnd> {
  let unconfirmed = 0;
  for (;;) {
    const chunk = run.chunks.shift();
    if (chunk) {
      yield chunk;
      unconfirmed += chunk.length;
      // Rarely enough that most commands need none, often enough that git does not wait for a fast reader.
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
  run.onEnd();
  helper.running.delete(run.id);
  setAwaited(helper, run, false);
}

function setAwaited(helper: Helper, run: Run, isAwaited: boolean): void {
  if (run.isAwaited === isAwaited || (isAwaited && run.end)) return;
  run.isAwaited = isAwaited;
  helper.awaited += isAwaited ? 1 : -1;
  if (isAwaited && helper.awaited === 1) hold(helper);
  if (helper.awaited === 0) letGo(helper);
}

function send({ child }: Helper, order: Order): void {
  // If it does not arrive, the process has ended, and callers get that error.
  if (child.connected) child.send(order, undefined, undefined, () => {});
}

function hold({ child }: Helper): void {
  child.ref();
  child.channel?.ref();
}

function letGo({ child, isEnding }: Helper): void {
  if (isEnding) return;
  child.unref();
  child.channel?.unref();
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {}
}
