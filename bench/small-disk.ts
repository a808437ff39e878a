import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const mebibyte = 1024 * 1024;
const diskMebibytes = 1024;

/** A small file system in memory, and a program that takes its space and gives it back. */
export class SmallDisk {
  readonly folder: string;
  readonly #foreignFile: string;
  readonly #isMounted: boolean;

  /** Mounts a file system, which requires root, or uses a folder that is on a small disk already. */
  constructor(scratch: string, existingFolder: string | undefined) {
    this.folder = existingFolder ?? join(scratch, 'disk');
    this.#foreignFile = join(this.folder, 'foreign');
    this.#isMounted = existingFolder === undefined;
    if (this.#isMounted) this.#mount();
  }

  #mount(): void {
    mkdirSync(this.folder);
    const size = `size=${diskMebibytes}m`;
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', this.folder], { stdio: 'pipe' });
    } catch {
      console.error(
        'A file system cannot be mounted here. Run this as root, or name a folder on a small disk with --folder.',
      );
      process.exit(1);
    }
  }

  unmount(): void {
    if (this.#isMounted) execFileSync('umount', ['--lazy', this.folder]);
  }

  #freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  /** Takes all space except this many bytes, as fast as possible. */
  takeRoom(left: number): void {
    const file = openSync(this.#foreignFile, 'a');
    const block = Buffer.alloc(mebibyte);
    try {
      for (let free = this.#freeBytes(); free > left; free = this.#freeBytes())
        writeSync(file, block, 0, Math.min(block.length, free - left));
    } catch {
      // The service has taken the rest.
    }
    closeSync(file);
  }

  giveBackAll(): void {
    rmSync(this.#foreignFile, { force: true });
  }
}
