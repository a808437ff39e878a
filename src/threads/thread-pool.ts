import type {
  InputOf,
  OutputOf,
  ParentOf,
  RunInThread,
  ThreadTasks,
} from '../actions/articles/thread-tasks.ts';
import { Failure } from '../domain/errors.ts';
import { currentClient, Semaphore } from '../domain/semaphore.ts';
import { Thread } from './thread.ts';
import type { TaskLimits } from './watch-limits.ts';

interface Options {
  /** How many tasks are done at the same time; clients whose tasks wait take turns. */
  most: number;
  limits: TaskLimits;
  /** Threads with the same limits that other pools use too while they have nothing to do; its own, unless told otherwise. */
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
      // What comes back is what the function of this name returned at the other end.
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

  /** Ends what is being done, and begins nothing of what waits. */
  async close(): Promise<void> {
    this.#closing.abort(new Failure('UNAVAILABLE', 'The service is being stopped. Try again.'));
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
