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
  /** Of work, so that neither a busy machine nor waiting for a model counts. */
  workMs: number;
  memoryBytes: number;
}

/** Often enough that nothing grows far beyond its limit in between, rarely enough to cost nothing. */
const lookMs = 100;

/**
 * V8 ends the whole process where a thread reaches its own limit of the heap, so that this one must never be reached: it is
 * far beyond what may be used. It knows nothing of Buffers and of WebAssembly.
 */
const heapLimitMb = ({ memoryBytes }: TaskLimits): number => (4 * memoryBytes) / (1024 * 1024);

/** Half of what V8 would take: collecting young objects more often costs next to nothing. */
const maxYoungGenerationSizeMb = 24;

/** A thread that took this share of what it may take is not used again: what it has left behind would count. */
const shareThatStays = 1 / 4;

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
    else if (memory > memoryBytes) onPassed(tooLarge());
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      // It has ended, which the caller that waits for it hears itself.
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

function tooLarge(): Failure {
  return new Failure('UNREADABLE', 'This pull request takes too much memory to read.');
}

/** Beside this file and, like it, TypeScript in a checkout and JavaScript once built. */
const threadFile = join(import.meta.dirname, `in-thread${extname(import.meta.filename)}`);

interface Task {
  name: keyof ThreadTasks;
  input: unknown;
  parent: object;
}

/** A thread that does one task at a time. Whatever ends it fails the task that it was at, and nothing else. */
export class Thread {
  readonly #worker: Worker;
  readonly #limits: TaskLimits;
  #isEnded = false;

  constructor(limits: TaskLimits) {
    this.#worker = new Worker(threadFile, {
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMb(limits), maxYoungGenerationSizeMb },
    });
    this.#limits = limits;
    // A caller that waits for it listens for its end itself; an idle thread has no caller to tell.
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
    await this.#worker.terminate();
  }

  /** While it has nothing to do, it keeps no process from exiting. */
  rest(): void {
    this.#worker.unref();
  }

  async run({ name, input, parent }: Task, signal?: AbortSignal): Promise<unknown> {
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
    // Messages come in the context in which the thread was started, which was for another task: a span would be inside of that.
    const onMessage = AsyncResource.bind((message: FromThread): void => {
      if (message.kind === 'call') void answer(message);
      else if (message.kind === 'done') resolve(message.value);
      else if (message.kind === 'refused') reject(refusals.get(message.call));
      else reject(Object.assign(new Error(message.message), { stack: message.stack }));
    });
    const onError = (error: Error & { code?: string }): void =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error);
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

  /** Bytes change hands and are not copied, unless they are a part of a buffer that is still needed. */
  #hand(call: number, bytes: Uint8Array): void {
    const isWhole = bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength;
    const own = isWhole ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
    this.#say({ kind: 'answer', call, value: own }, [own.buffer]);
  }
}

interface Options {
  /** How many tasks are done at the same time; clients whose tasks wait take turns. */
  most: number;
  limits: TaskLimits;
  /** Threads with the same limits shared with other pools while idle; its own by default. */
  sharedIdle?: Thread[] | undefined;
}

/**
 * Threads in which pull requests are read and articles written and checked, so that requests need not wait for that. One is
 * started when there is work and none is free; another takes the place of one that has ended.
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

  /** Waits for a turn, which is left by calling what is returned. Of several threads, anonymous clients leave one to others. */
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

  /** One may have ended while it was idle. */
  #takeFree(): Thread | undefined {
    for (;;) {
      const thread = this.#free.pop();
      if (!thread?.isEnded) return thread;
    }
  }
}
