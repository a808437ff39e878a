import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, Semaphore, type Share } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import type { GitCommand, GitEnd, Order, Report } from './spawn-git-for-parent.ts';

const window = 1024 * 1024;

/** The helper is beside this file: TypeScript in a checkout, JavaScript once built. */
const helperFile = join(import.meta.dirname, `spawn-git-for-parent${extname(import.meta.filename)}`);

/** The gits that run at once: enough for a few cores and disks, each with memory for its largest diff. */
const mostAtOnce = 8;

interface Run {
  helper: Helper;
  id: number;
  chunks: Buffer[];
  end: GitEnd | null;
  wake: () => void;
  isAwaited: boolean;
  onEnd: () => void;
}

interface Helper {
  child: ChildProcess;
  running: Map<number, Run>;
  awaited: number;
  isEnding: boolean;
}

/** A git process that runs several queries, one after another. */
interface Kept {
  key: string;
  run: Run;
  reader: ByteReader;
  queries: number;
  isAnswered: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Starting git takes longer than most queries. An idle git ends after this time. */
const idleMs = 3_000;

const mostIdle = 6;

const mostQueries = 500;

interface RunOptions {
  timeoutMs: number;
  shares: Share[];
  /** The client whose turn it takes; by default that of the current request. */
  client?: Client;
  signal?: AbortSignal | undefined;
}

export interface KeptQuery {
  write: (text: string) => void;
  reader: ByteReader;
}

export class NoResponse extends Error {}

/**
 * Runs git through a small helper process, for the reason given in spawn-git-for-parent.ts. The helper ends with this
 * process, is restarted if it dies, and does not keep this process alive. Only a few gits run at once.
 */
export class GitSpawner {
  readonly #semaphore = new Semaphore();
  readonly #busy = new BusyLoop();
  readonly #idle = new Set<Kept>();
  #helper: Helper | null = null;
  #lastId = 0;
  #isClosed = false;

  warmUp(): void {
    this.#helper ??= this.#startHelper();
  }

  /** Yields the output of git and returns how it ended. A timeout, an abort or a reader that stops early kills git. */
  run(command: GitCommand, options: RunOptions): AsyncGenerator<Buffer, GitEnd> {
    return this.#within(options, () => this.#begin(command), readRun, killRun);
  }

  /** Runs `answer` with an idle git or a new one. Git is reused if the output was read completely. */
  query<Piece>(
    command: Omit<GitCommand, 'input'>,
    options: RunOptions & { isLast?: boolean },
    response: (query: KeptQuery) => AsyncGenerator<Piece, void>,
  ): AsyncGenerator<Piece, void> {
    let kept: Kept;
    const take = (): Run => {
      kept = this.#take(command);
      return kept.run;
    };
    const work = async function* (run: Run): AsyncGenerator<Piece, void> {
      const write = (input: string) => send(run.helper, { kind: 'write', id: run.id, input });
      yield* response({ write, reader: kept.reader });
      kept.isAnswered = true;
    };
    return this.#within(options, take, work, (run) => {
      const isReusable = kept.isAnswered && !run.end && kept.queries < mostQueries && !options.isLast;
      if (isReusable) this.#putBack(kept);
      else killRun(run);
    });
  }

  async *#within<Piece, Done>(
    options: RunOptions,
    start: () => Run,
    work: (run: Run) => AsyncGenerator<Piece, Done>,
    end: (run: Run) => void,
  ): AsyncGenerator<Piece, Done> {
    const { timeoutMs, signal } = options;
    const leave = await this.#enter(options);
    try {
      if (this.#isClosed || signal?.aborted) throw abortedRead();
      const run = start();
      const stop = () => killRun(run);
      const timer = setTimeout(stop, timeoutMs);
      // The reader may take longer than git, or stop before the end.
      run.onEnd = () => {
        clearTimeout(timer);
        leave();
      };
      signal?.addEventListener('abort', stop);
      try {
        return yield* work(run);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        end(run);
      }
    } finally {
      leave();
    }
  }

  #take(command: Omit<GitCommand, 'input'>): Kept {
    const key = JSON.stringify(command);
    const known = [...this.#idle].findLast((one) => one.key === key && !one.run.end);
    if (known) {
      this.#idle.delete(known);
      clearTimeout(known.timer);
      setAwaited(known.run, true);
      return Object.assign(known, { queries: known.queries + 1, isAnswered: false });
    }
    const run = this.#begin({ ...command, input: null });
    const reader = new ByteReader(readRun(run));
    return { key, run, reader, queries: 1, isAnswered: false, timer: undefined };
  }

  #putBack(kept: Kept): void {
    setAwaited(kept.run, false);
    this.#idle.add(kept);
    kept.timer = setTimeout(() => this.#drop(kept), idleMs).unref();
    const [oldest] = this.#idle;
    if (oldest && this.#idle.size > mostIdle) this.#drop(oldest);
  }

  #drop(kept: Kept): void {
    this.#idle.delete(kept);
    clearTimeout(kept.timer);
    killRun(kept.run);
  }

  #begin(command: GitCommand): Run {
    this.#helper ??= this.#startHelper();
    const helper = this.#helper;
    this.#lastId += 1;
    const id = this.#lastId;
    const run: Run = { helper, id, chunks: [], end: null, wake: () => {}, isAwaited: false, onEnd: () => {} };
    helper.running.set(id, run);
    setAwaited(run, true);
    send(helper, { kind: 'start', id, command, window });
    return run;
  }

  async #enter({ timeoutMs, shares, client, signal }: RunOptions): Promise<() => void> {
    const tooLong = AbortSignal.timeout(timeoutMs);
    const all = { of: 'all', most: mostAtOnce };
    const givenUp = signal ? AbortSignal.any([tooLong, signal]) : tooLong;
    try {
      const leave = await this.#semaphore.acquire([all, ...shares], givenUp, client);
      // The output of git is work for the event loop; anonymous clients may use half of it.
      while (client?.isAnonymous && !givenUp.aborted && this.#busy.share() > mostBusy) await pause(50);
      if (!givenUp.aborted) return leave;
      leave();
      throw givenUp.reason;
    } catch (cause) {
      if (signal?.aborted) throw abortedRead(cause);
      const message = 'Too many requests are reading clones. Try again in a minute.';
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
      // A process group, so that the helper can be killed together with its gits.
      detached: true,
      env: environmentOfHelper(),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    const helper: Helper = { child, running: new Map(), awaited: 0, isEnding: false };
    const lose = (complaint: string): void => {
      if (this.#helper === helper) this.#helper = null;
      killGroup(child);
      for (const run of helper.running.values()) finish(run, { code: null, signal: null, complaint });
    };
    child.on('message', (report: Report) => receiveReport(helper, report));
    child.on('error', ({ message }) => lose(message));
    child.on('disconnect', () => lose('the process that spawns git has ended'));
    letGo(helper);
    return helper;
  }
}

/** The helper inherits only the compile cache, which reduces its start time to a third. */
function environmentOfHelper(): Record<string, string> {
  const cache = getCompileCacheDir();
  return cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {};
}

const mostBusy = 0.5;

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
  return new Failure('UNAVAILABLE', 'Reading the clone was cancelled. Try again.', { cause });
}

async function* readRun(run: Run): AsyncGenerator<Buffer, GitEnd> {
  let unconfirmed = 0;
  for (;;) {
    const chunk = run.chunks.shift();
    if (chunk) {
      yield chunk;
      unconfirmed += chunk.length;
      if (unconfirmed > window / 4 && !run.end) {
        send(run.helper, { kind: 'read', id: run.id, bytes: unconfirmed });
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

function receiveReport({ running }: Helper, report: Report): void {
  const run = running.get(report.id);
  if (!run) return;
  if (report.kind === 'end') {
    finish(run, report.end);
  } else {
    run.chunks.push(Buffer.from(report.chunk.buffer, report.chunk.byteOffset, report.chunk.byteLength));
    run.wake();
  }
}

function killRun(run: Run): void {
  if (run.end) return;
  send(run.helper, { kind: 'kill', id: run.id });
  finish(run, { code: null, signal: 'SIGKILL', complaint: '' });
}

function finish(run: Run, end: GitEnd): void {
  run.end = end;
  run.wake();
  run.onEnd();
  run.helper.running.delete(run.id);
  setAwaited(run, false);
}

/** The helper keeps this process alive only while the end of a run is awaited. */
function setAwaited(run: Run, isAwaited: boolean): void {
  if (run.isAwaited === isAwaited || (isAwaited && run.end)) return;
  const { helper } = run;
  run.isAwaited = isAwaited;
  helper.awaited += isAwaited ? 1 : -1;
  if (isAwaited && helper.awaited === 1) {
    helper.child.ref();
    helper.child.channel?.ref();
  }
  if (helper.awaited === 0) letGo(helper);
}

function send({ child }: Helper, order: Order): void {
  if (child.connected) child.send(order, undefined, undefined, () => {});
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

const lineBreak = 10;

class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterator<Buffer>) {
    this.#chunks = chunks;
  }

  async takeLine(): Promise<string | null> {
    let end = this.#rest.indexOf(lineBreak);
    while (end < 0 && (await this.#more())) end = this.#rest.indexOf(lineBreak);
    if (end < 0) return null;
    const line = this.#rest.toString('utf8', 0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  async take(count: number): Promise<Buffer | null> {
    const taken = [];
    let missing = count;
    while (missing > this.#rest.length) {
      taken.push(this.#rest);
      missing -= this.#rest.length;
      this.#rest = Buffer.alloc(0);
      if (!(await this.#more())) return null;
    }
    taken.push(this.#rest.subarray(0, missing));
    this.#rest = this.#rest.subarray(missing);
    return Buffer.concat(taken);
  }

  /** Yields everything before a mark and skips the mark. Returns false if the output ends first. */
  async *takeUntil(mark: Buffer): AsyncGenerator<Buffer, boolean> {
    for (;;) {
      const found = this.#rest.indexOf(mark);
      const certain = found >= 0 ? found : Math.max(0, this.#rest.length - mark.length + 1);
      if (certain > 0) {
        const chunk = this.#rest.subarray(0, certain);
        this.#rest = this.#rest.subarray(certain);
        yield chunk;
      }
      if (found >= 0) {
        this.#rest = this.#rest.subarray(mark.length);
        return true;
      }
      if (!(await this.#more())) return false;
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (!done) this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    return !done;
  }
}
