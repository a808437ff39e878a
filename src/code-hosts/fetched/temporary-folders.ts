import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LazyPromise } from '../../domain/lazy-promise.ts';

/** Holds a file for as long as this process lives; throws when another process has it. */
export type TakeLock = (file: string) => () => void;

/** What fills a folder while it is being removed is waited for. */
const untilStill = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

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
      if (this.#isHeld(left)) continue;
      await rm(left, { recursive: true, force: true });
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
    const own = await mkdtemp(join(this.#folder, 'of-process-'));
    try {
      this.#release = this.#takeLock(lockIn(own));
    } catch (error) {
      await rm(own, { recursive: true, force: true });
      throw error;
    }
    return own;
  }

  #isHeld(left: string): boolean {
    try {
      this.#takeLock(lockIn(left))();
      return false;
    } catch {
      return true;
    }
  }
}
