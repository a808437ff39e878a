import { AsyncResource } from 'node:async_hooks';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type {
  InputOf,
  OutputOf,
  ParentOf,
  RunInThread,
  ThreadTasks,
} from '../actions/articles/thread-tasks.ts';
import { currentClient, Semaphore } from '../domain/concurrency.ts';
import { Failure } from '../domain/errors.ts';
import type { FromThread, ToThread } from './tasks.ts';

export interface TaskLimits {
  /** The limit for working time, without waiting for a model or for a busy machine. */
  workMs: number;
  memoryBytes: number;
  /** The time after which an idle thread ends. */
  restMs?: number;
}

/** Often enough that no thread grows far beyond its limit between checks, and rarely enough to cost nothing. */
const lookMs = 100;

/**
 * The heap limit of V8 is far above ours, because V8 ends the whole process when a thread reaches it. It does not
 * include Buffers and WebAssembly.
 */
const heapLimitMb = ({ memoryBytes }: TaskLimits): number => (4 * memoryBytes) / (1024 * 1024);

/** Half of the default of V8: collecting young objects more often costs next to nothing. */
const maxYoungGenerationSizeMb = 24;

/**
 * A thread with more memory left over than this share of its limit is replaced, because the rest would count for the
 * next task.
 */
const shareThatStays = 1 / 4;

/** Idle threads hold tens of megabytes each, and starting one takes about 0.1 s of work. */
const usualRestMs = 10_000;

interface LimitWatch {
  isSmall: () => boolean;
  stop: () => void;
}

export function watchLimits(
  worker: Worker,
  { workMs, memoryBytes }: TaskLimits,
  onPassed: (failure: Failure) => void,
): LimitWatch {
  let workBefore: number | null = null;
  let mostMemory = 0;
  let isLooking = false;
  let isOver = false;
  const look = async (): Promise<void> => {
    const [{ user, system }, heap] = await Promise.all([worker.cpuUsage(), worker.getHeapStatistics()]);
    if (isOver) return;
    const work = (user + system) / 1000;
    workBefore ??= work;
    const memory = heap.total_heap_size + heap.external_memory;
    mostMemory = Math.max(mostMemory, memory);
    if (work - workBefore > workMs) onPassed(tooLong());
    else if (memory > memoryBytes) onPassed(taskTooLarge());
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      // The thread has ended, which its caller notices itself.
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  }, lookMs);
  return {
    isSmall: () => mostMemory < memoryBytes * shareThatStays,
    stop() {
      isOver = true;
      clearInterval(timer);
    },
  };
}

function tooLong(): Failure {
  return new Failure('UNREADABLE', 'This pull request takes too long to read.');
}

function taskTooLarge(): Failure {
  return new Failure('UNREADABLE', 'This pull request takes too much memory to read.');
}

/** Beside this file: TypeScript in a checkout, JavaScript once built. */
const threadFile = join(import.meta.dirname, `in-thread${extname(import.meta.filename)}`);

interface Task {
  name: keyof ThreadTasks;
  input: unknown;
  parent: object;
}

/** A thread that runs one task at a time. If it ends, only that task fails. */
export class Thread {
  readonly #worker: Worker;
  readonly #limits: TaskLimits;
  #isEnded = false;
  #resting: NodeJS.Timeout | undefined;

  constructor(limits: TaskLimits) {
    this.#worker = new Worker(threadFile, {
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMb(limits), maxYoungGenerationSizeMb },
    });
    this.#limits = limits;
    // The caller of a running task listens for the end itself; an idle thread has no caller.
    this.#worker
      .on('error', () => {})
      .on('exit', () => {
        this.#isEnded = true;
      });
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#resting);
    await this.#worker.terminate();
  }

  /** An idle thread does not keep the process from exiting. */
  rest(): void {
    this.#worker.unref();
    this.#resting = setTimeout(() => void this.end(), this.#limits.restMs ?? usualRestMs).unref();
  }

  async run({ name, input, parent }: Task, signal?: AbortSignal): Promise<unknown> {
    clearTimeout(this.#resting);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const refusals = new Map<number, unknown>();
    const answer = async ({ call, name: wanted, parameters }: FromThread & { kind: 'call' }) => {
      try {
        const method: unknown = Reflect.get(parent, wanted);
        if (typeof method !== 'function') throw new Error(`A task called ${wanted}, which its parent lacks.`);
        const value: unknown = await method(...parameters);
        if (value instanceof Uint8Array) this.#hand(call, value);
        else this.#say({ kind: 'answer', call, value });
      } catch (error) {
        refusals.set(call, error);
        this.#say({ kind: 'refusal', call });
      }
    };
    // Bound to the current task, because messages would otherwise arrive in the context in which the thread was
    // started, within a span of another task.
    const onMessage = AsyncResource.bind((message: FromThread): void => {
      if (message.kind === 'call') void answer(message);
      else if (message.kind === 'done') resolve(message.value);
      else if (message.kind === 'refused') reject(refusals.get(message.call));
      else reject(Object.assign(new Error(message.message), { stack: message.stack }));
    });
    const onError = (error: Error & { code?: string }): void =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? taskTooLarge() : error);
    const onExit = (): void => reject(new Error('The thread ended before its task did.'));
    const giveUp = (reason: unknown): void => {
      reject(reason);
      void this.end();
    };
    const onAbort = (): void => giveUp(signal?.reason);
    this.#worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    signal?.addEventListener('abort', onAbort);
    const watch = watchLimits(this.#worker, this.#limits, giveUp);
    try {
      signal?.throwIfAborted();
      this.#worker.ref();
      this.#say({ kind: 'task', name, input });
      return await promise;
    } finally {
      watch.stop();
      if (!watch.isSmall()) void this.end();
      this.#worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #say(message: ToThread, transferred: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transferred);
  }

  /** Bytes are transferred instead of copied, unless they are a part of a buffer that is still needed. */
  #hand(call: number, bytes: Uint8Array): void {
    const isWhole = bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength;
    const own = isWhole ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
    this.#say({ kind: 'answer', call, value: own }, [own.buffer]);
  }
}

interface Options {
  /** The number of tasks that run at once; clients with waiting tasks take turns. */
  most: number;
  limits: TaskLimits;
  /** Idle threads shared with other pools that have the same limits; by default the pool's own. */
  sharedIdle?: Thread[] | undefined;
}

/**
 * Threads that read pull requests and write and check articles, so that requests need not wait for that. A thread is
 * started when there is work and none is idle, and replaced when it ends.
 */
export class ThreadPool {
  readonly #most: number;
  readonly #limits: TaskLimits;
  readonly #free: Thread[];
  readonly #isFreeOwn: boolean;
  readonly #busy = new Set<Thread>();
  readonly #semaphore = new Semaphore();
  readonly #closing = new AbortController();

  constructor({ most, limits, sharedIdle }: Options) {
    this.#most = most;
    this.#limits = limits;
    this.#free = sharedIdle ?? [];
    this.#isFreeOwn = sharedIdle === undefined;
  }

  readonly run: RunInThread = async <Name extends keyof ThreadTasks>(
    name: Name,
    input: InputOf<Name>,
    parent: ParentOf<Name>,
    signal?: AbortSignal,
  ): Promise<OutputOf<Name>> => {
    const leave = await this.#enter(signal);
    const thread = this.#takeFree() ?? new Thread(this.#limits);
    this.#busy.add(thread);
    try {
      return (await thread.run({ name, input, parent }, signal)) as OutputOf<Name>;
    } finally {
      this.#busy.delete(thread);
      thread.rest();
      if (!thread.isEnded) this.#free.push(thread);
      leave();
    }
  };

  /**
   * Waits for a turn, and returns a function that ends it. If there are several threads, anonymous clients leave one to
   * others.
   */
  async #enter(signal?: AbortSignal): Promise<() => void> {
    const { isAnonymous, beginSlowWork } = currentClient();
    beginSlowWork();
    const most = isAnonymous ? Math.max(1, this.#most - 1) : this.#most;
    const closing = this.#closing.signal;
    return this.#semaphore.acquire(
      [{ of: 'threads', most: this.#most }, ...(isAnonymous ? [{ of: 'anonymous', most }] : [])],
      signal ? AbortSignal.any([closing, signal]) : closing,
    );
  }

  async close(): Promise<void> {
    this.#closing.abort(new Failure('UNAVAILABLE', 'The service is stopping. Try again.'));
    const ended = this.#isFreeOwn ? [...this.#free, ...this.#busy] : [...this.#busy];
    await Promise.all(ended.map((thread) => thread.end()));
  }

  /** A thread may have ended while it was idle. */
  #takeFree(): Thread | undefined {
    for (;;) {
      const thread = this.#free.pop();
      if (!thread?.isEnded) return thread;
    }
  }
}
