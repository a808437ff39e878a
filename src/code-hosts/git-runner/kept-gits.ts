import type { Client, Share } from '../../domain/concurrency.ts';
import type { GitCommand, GitEnd } from './spawn-git-for-parent.ts';

export interface RunOptions {
  /** How long it may wait for a slot, and then how long git may run. */
  timeoutMs: number;
  /** Limits by share, so that stuck commands leave room for others. */
  shares: Share[];
  /** The client that takes turns with others; by default, the one of the current request. */
  client?: Client;
  signal?: AbortSignal | undefined;
}

export interface KeptGit {
  output: AsyncGenerator<Buffer, GitEnd>;
  write: (text: string) => void;
  /** Whether an answer is pending; otherwise it does not keep this process alive. */
  setAwaited: (isAwaited: boolean) => void;
  end: () => void;
}

interface Spawner {
  enter: (options: RunOptions) => Promise<() => void>;
  keep: (command: Omit<GitCommand, 'input'>) => KeptGit;
}

/** Starting a git takes longer than most answers. An idle one ends after this time. */
const idleMs = 3_000;

const mostIdle = 6;

/** A git grows a little with every query. */
const mostQueries = 500;

export interface KeptQuery {
  write: (text: string) => void;
  reader: ByteReader;
}

interface Kept {
  key: string;
  git: KeptGit;
  reader: ByteReader;
  queries: number;
  timer: NodeJS.Timeout | undefined;
}

/** A kept git has ended within an answer, or answered something else. */
export class NoAnswer extends Error {}

export class KeptGits {
  readonly #spawner: Spawner;
  readonly #idle = new Set<Kept>();

  constructor(spawner: Spawner) {
    this.#spawner = spawner;
  }

  /**
   * Runs `answer` with an idle git or a new one. A git is not reused after a timeout, an abort, an answer that was not read completely, or
   * if `isLast` is set.
   */
  async *query<Piece>(
    command: Omit<GitCommand, 'input'>,
    options: RunOptions & { isLast?: boolean },
    answer: (query: KeptQuery) => AsyncGenerator<Piece, void>,
  ): AsyncGenerator<Piece, void> {
    const leave = await this.#spawner.enter(options);
    let isAnswered = false;
    let stop = leave;
    let timer: NodeJS.Timeout | undefined;
    try {
      const kept = this.#take(command);
      stop = () => kept.git.end();
      timer = setTimeout(stop, options.timeoutMs);
      options.signal?.addEventListener('abort', stop);
      if (options.signal?.aborted) stop();
      yield* answer({ write: kept.git.write, reader: kept.reader });
      isAnswered = true;
      if (kept.queries < mostQueries && !options.isLast) this.#putBack(kept);
      else kept.git.end();
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', stop);
      if (!isAnswered) stop();
      leave();
    }
  }

  #take(command: Omit<GitCommand, 'input'>): Kept {
    const key = JSON.stringify(command);
    const known = [...this.#idle].findLast((one) => one.key === key);
    if (known) {
      this.#idle.delete(known);
      clearTimeout(known.timer);
      known.git.setAwaited(true);
      known.queries += 1;
      return known;
    }
    const git = this.#spawner.keep(command);
    return { key, git, reader: new ByteReader(git.output), queries: 1, timer: undefined };
  }

  #putBack(kept: Kept): void {
    kept.git.setAwaited(false);
    this.#idle.add(kept);
    kept.timer = setTimeout(() => this.#drop(kept), idleMs).unref();
    const [oldest] = this.#idle;
    if (oldest && this.#idle.size > mostIdle) this.#drop(oldest);
  }

  #drop(kept: Kept): void {
    this.#idle.delete(kept);
    clearTimeout(kept.timer);
    kept.git.end();
  }
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

  /** Yields everything before a mark, and skips the mark; false if the end comes first. */
  async *takeUntil(mark: Buffer): AsyncGenerator<Buffer, boolean> {
    for (;;) {
      const found = this.#rest.indexOf(mark);
      // The mark may have begun at the end of the buffer.
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
