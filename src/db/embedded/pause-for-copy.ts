import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

// The embedded database belongs to one process. Another one, of a user who may write to the data folder, can ask it to stand still
// while its files are copied: it puts a file there, the database gives that another name and waits until it is gone.

/** Says that a process would like to copy the files. */
export const copyAsked = (dataFolder: string): string => join(dataFolder, 'copy-asked');

/** Says that the database stands still. */
export const copyBegun = (dataFolder: string): string => join(dataFolder, 'copy-begun');

/** A process that is still there asks again more often than this. */
const askedForMs = 5_000;

/** Callers wait meanwhile, and give up after three times as long. */
const longestPauseMs = 3_000;

const lookMs = 1;
const never = new Int32Array(new SharedArrayBuffer(4));

/** Stands still where that is asked for, in the middle of no statement, until the files are copied or it has taken too long. */
export function pauseForCopy(dataFolder: string, clock = () => performance.now()): void {
  const asked = statSync(copyAsked(dataFolder), { throwIfNoEntry: false });
  if (!asked) return;
  if (Date.now() - asked.mtimeMs > askedForMs) {
    rmSync(copyAsked(dataFolder), { force: true });
    return;
  }
  const begun = copyBegun(dataFolder);
  try {
    renameSync(copyAsked(dataFolder), begun);
  } catch {
    // The process that had asked has thought better of it.
    return;
  }
  const end = clock() + longestPauseMs;
  while (existsSync(begun) && clock() < end) Atomics.wait(never, 0, 0, lookMs);
  // Where it is still there, the copy is worth nothing, and the process that makes it finds that out by this.
  rmSync(begun, { force: true });
}
