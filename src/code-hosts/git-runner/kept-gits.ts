import type { Client, Share } from '../../domain/semaphore.ts';
import type { GitCommand, GitEnd } from './spawn-git-for-parent.ts';

export interface RunOptions {
  /** How long it may wait for other commands, and then how long git may take before it is stopped. */
  timeoutMs: number;
  /** What it takes a share of, so that what is stuck leaves room for other commands. */
  shares: Share[];
  /** The client with whom others take turns; the one whose request is being handled, unless given. */
  client?: Client;
  /** Aborted when the caller no longer waits for the output. */
  signal?: AbortSignal | undefined;
}

/** A git that stays, and is asked one question after another. */
export interface KeptGit {
  /** What it prints; returns how it has ended. */
  output: AsyncGenerator<Buffer, GitEnd>;
  write: (question: string) => void;
  /** Whether an answer is waited for: otherwise it keeps no process from ending. */
  setAwaited: (isAwaited: boolean) => void;
  end: () => void;
}

interface Spawner {
  /** Waits for a turn, which is left by calling what is returned. */
  enter: (options: RunOptions) => Promise<() => void>;
  keep: (command: Omit<GitCommand, 'input'>) => KeptGit;
}

/** Starting a git takes longer than most answers; one that was asked nothing for so long goes. */
const idleMs = 3_000;

/** Of those that are asked nothing; the one that was asked longest ago goes first. */
const mostIdle = 6;

/** A git keeps a little of everything that it was asked about. */
const mostQuestions = 500;

/** A git of which one answer is read. */
export interface Asked {
  write: (question: string) => void;
  reader: ByteReader;
}

interface Kept {
  key: string;
  git: KeptGit;
  reader: ByteReader;
  questions: number;
  timer: NodeJS.Timeout | undefined;
}

/** Thrown when a kept git has ended in the middle of an answer, or answers something else than it was asked. */
export class NoAnswer extends Error {}

/** Gits that stay for a while, by what they are started with, and answer one question after another. */
export class KeptGits {
  readonly #spawner: Spawner;
  readonly #idle = new Set<Kept>();

  constructor(spawner: Spawner) {
    this.#spawner = spawner;
  }

  /**
   * Has `answer` ask a git that has nothing to do, or a new one. A git whose answer is not read to its end is not asked again;
   * neither is one that took too long, one for whose answer the caller no longer waits, nor one for which this is the last.
   */
  async *ask<Piece>(
    command: Omit<GitCommand, 'input'>,
    options: RunOptions & { isLast?: boolean },
    answer: (asked: Asked) => AsyncGenerator<Piece, void>,
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
      if (kept.questions < mostQuestions && !options.isLast) this.#putBack(kept);
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
      known.questions += 1;
      return known;
    }
    const git = this.#spawner.keep(command);
    return { key, git, reader: new ByteReader(git.output), questions: 1, timer: undefined };
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

/** Takes what comes in chunks by lines, by numbers of bytes, and up to a mark. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterator<Buffer>) {
    this.#chunks = chunks;
  }

  /** Without its end; null where the end of everything comes first. */
  async takeLine(): Promise<string | null> {
    let end = this.#rest.indexOf(lineBreak);
    while (end < 0 && (await this.#more())) end = this.#rest.indexOf(lineBreak);
    if (end < 0) return null;
    const line = this.#rest.toString('utf8', 0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  /** Null where the end comes first. */
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

  /** What comes before a mark, as it comes, and takes the mark away; false where the end comes first. */
  async *takeUntil(mark: Buffer): AsyncGenerator<Buffer, boolean> {
    for (;;) {
      const found = this.#rest.indexOf(mark);
      // The mark may have begun at the end of what is there.
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
