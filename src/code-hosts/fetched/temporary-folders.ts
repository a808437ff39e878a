import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LazyPromise } from '../../domain/lazy-promise.ts';
import { LockHeld } from '../../domain/lock-held.ts';

/** Holds a file for as long as this process lives; throws LockHeld when another process has it. */
export type TakeLock = (file: string) => () => void;

/** What fills a folder while it is being removed is waited for. */
const untilStill = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

/** As often as another process may come between a folder and its lock. */
const mostAttempts = 10;

const lockIn = (folder: string): string => join(folder, 'lock');

/**
 * Folders for as long as they are needed. All those of one process lie in a folder that it holds a lock in: the kernel
 * gives that up when the process ends, however it ends and whichever container it ran in.
 */
export class TemporaryFolders {
  readonly #folder: string;
  readonly #takeLock: TakeLock;
  readonly #own = new LazyPromise(() => this.#begin());
  #release: (() => void) | null = null;

  constructor(folder: string, takeLock: TakeLock) {
    this.#folder = folder;
    this.#takeLock = takeLock;
  }

  /** Removes what processes that were killed have left behind. */
  async removeLeft(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) {
      const left = join(this.#folder, name);
      const release = this.#takeOver(left);
      if (!release) continue;
      // Held to the end, so that a process which has only just made it makes another one.
      await rm(left, { recursive: true, force: true }).finally(release);
    }
  }

  async make(): Promise<string> {
    return mkdtemp(join(await this.#own.get(), 'fetch-'));
  }

  /** The children of a git that was killed write on for a moment. What cannot be removed goes with the process' own folder. */
  async remove(made: string): Promise<void> {
    await rm(made, untilStill).catch(() => {});
  }

  async close(): Promise<void> {
    const own = await this.#own.ifStarted();
    this.#release?.();
    if (own) await rm(own, untilStill);
  }

  async #begin(): Promise<string> {
    await mkdir(this.#folder, { recursive: true });
    for (let attempt = 1; ; attempt += 1) {
      const own = await mkdtemp(join(this.#folder, 'of-process-'));
      try {
        this.#release = this.#takeLock(lockIn(own));
        return own;
      } catch (error) {
        // Before it was held it looked like one of those that are left behind.
        const isRemoved = error instanceof LockHeld || !existsSync(own);
        await rm(own, { recursive: true, force: true });
        if (!isRemoved || attempt === mostAttempts) throw error;
      }
    }
  }

  #takeOver(left: string): (() => void) | null {
    try {
      return this.#takeLock(lockIn(left));
    } catch {
      return null;
    }
  }
}
