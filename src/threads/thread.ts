import { AsyncResource } from 'node:async_hooks';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ThreadTasks } from '../actions/articles/thread-tasks.ts';
import type { FromThread, ToThread } from './messages.ts';
import { heapLimitMb, type TaskLimits, tooLarge, watchLimits } from './watch-limits.ts';

/** Beside this file and, like it, TypeScript in a checkout and JavaScript once built. */
const threadFile = join(import.meta.dirname, `in-thread${extname(import.meta.filename)}`);

export interface Task {
  name: keyof ThreadTasks;
  input: unknown;
  /** What the task may call, by name. */
  parent: object;
}

/** A thread that does one task at a time. Whatever ends it fails the task that it was at, and nothing else. */
export class Thread {
  readonly #worker: Worker;
  readonly #limits: TaskLimits;
  #isEnded = false;

  constructor(limits: TaskLimits) {
    this.#worker = new Worker(threadFile, {
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMb(limits) },
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

  /** Also in the middle of something, which could not be asked to stop. */
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
