import { randomUUID } from 'node:crypto';
import {
  constants,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { StartupProblem } from '../../domain/errors.ts';
import { copyAsked, copyBegun } from './pause-for-copy.ts';

interface How {
  /** Told how many files of how many are done. */
  progress: (done: number, total: number, now: string) => void;
  signal: AbortSignal;
}

interface Copied {
  file: bigint;
  size: bigint;
  changedNs: bigint;
  /** Whether it had been left alone for long enough that its time tells whether it has changed since. */
  isSettled: boolean;
}

/** File systems keep time in steps, of up to hundredths of a second: what changes within one has the time that it had. */
const settledNs = 1_000_000_000n;

const askEveryMs = 1_000;
const lookMs = 2;
/** A database that is at a long statement stands still after it. */
const answeredWithinMs = 30_000;
const mostTries = 5;

const mebibyte = 1024 * 1024;
/** For the backup itself, and what the service and the copy, once it is opened, hold back. */
const bytesBeside = 256 * mebibyte;

/**
 * Copies the files of a database that another process has open, as they are at one moment: all that was acknowledged before is
 * in them, and what was begun and not committed is undone when they are opened, as after a power cut. They are copied first, and
 * while the database stands still only those again that have changed since. Returns for how many milliseconds it did.
 */
export async function copyRunningDatabase(
  dataFolder: string,
  copyFolder: string,
  { progress, signal }: How,
): Promise<number> {
  const from = join(dataFolder, 'database');
  const to = join(copyFolder, 'database');
  const copied = new Map<string, Copied>();
  requireRoom(from, copyFolder);
  for (let tries = 0; tries < mostTries; tries += 1) {
    await copyAhead(from, to, copied, { progress, signal });
    const stoodMs = await whileItStandsStill(dataFolder, signal, () => copyRest(from, to, copied));
    if (stoodMs !== null) return stoodMs;
  }
  throw new StartupProblem(
    `So much changes in the database in ${dataFolder} that it cannot be copied while it is used. Try again when less is ` +
      'written, or stop the service first.',
  );
}

/** Before it takes the last room of a disk that the service may be on, too. */
function requireRoom(from: string, copyFolder: string): void {
  const needed = filesIn(from).reduce(
    (sum, name) => sum + (statSync(join(from, name), { throwIfNoEntry: false })?.size ?? 0),
    bytesBeside,
  );
  mkdirSync(copyFolder, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = statfsSync(copyFolder);
  if (bavail * bsize >= needed) return;
  const inMebibytes = (bytes: number) => `${Math.ceil(bytes / mebibyte)} MiB`;
  throw new StartupProblem(
    `A backup while the service runs needs room for a copy of its database, ${inMebibytes(needed)} in all, and the disk has ` +
      `${inMebibytes(bavail * bsize)} left. Free some space, name a folder on another disk, or stop the service first.`,
  );
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

function lookAt(file: string): Copied | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (!found) return null;
  const now = BigInt(Date.now()) * 1_000_000n;
  return {
    file: found.ino,
    size: found.size,
    changedNs: found.mtimeNs,
    isSettled: now - found.mtimeNs > settledNs,
  };
}

const isAsCopied = (now: Copied, then: Copied | undefined): boolean =>
  then?.isSettled === true &&
  now.file === then.file &&
  now.size === then.size &&
  now.changedNs === then.changedNs;

/** Copies what has changed, while it may go on changing. */
async function copyAhead(
  from: string,
  to: string,
  copied: Map<string, Copied>,
  { progress, signal }: How,
): Promise<void> {
  const names = filesIn(from);
  for (const [index, name] of names.entries()) {
    signal.throwIfAborted();
    progress(index, names.length, 'copying the database');
    const found = lookAt(join(from, name));
    if (!found || isAsCopied(found, copied.get(name))) continue;
    mkdirSync(dirname(join(to, name)), { recursive: true, mode: 0o700 });
    copied.delete(name);
    try {
      await copyFile(join(from, name), join(to, name), constants.COPYFILE_FICLONE);
      copied.set(name, found);
    } catch (error) {
      // It may have gone in this moment.
      if (lookAt(join(from, name))) throw error;
    }
  }
}

/** Makes the copy what the database is now. Empty folders matter too. */
function copyRest(from: string, to: string, copied: Map<string, Copied>): void {
  const entries = readdirSync(from, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isDirectory()))
    mkdirSync(join(to, join(entry.parentPath, entry.name).slice(from.length)), {
      recursive: true,
      mode: 0o700,
    });
  const names = new Set(filesIn(from));
  for (const name of filesIn(to).filter((one) => !names.has(one))) rmSync(join(to, name));
  for (const name of names) {
    const found = lookAt(join(from, name));
    if (found && !isAsCopied(found, copied.get(name)))
      copyFileSync(join(from, name), join(to, name), constants.COPYFILE_FICLONE);
  }
}

/** Does something while the database stands still; null where that took longer than it does, or another process came between. */
async function whileItStandsStill(
  dataFolder: string,
  signal: AbortSignal,
  work: () => void,
): Promise<number | null> {
  const asked = copyAsked(dataFolder);
  const begun = copyBegun(dataFolder);
  const name = randomUUID();
  const end = performance.now() + answeredWithinMs;
  let askedAt = Number.NEGATIVE_INFINITY;
  try {
    while (readIfThere(begun) !== name) {
      signal.throwIfAborted();
      if (performance.now() > end) throw unheard(dataFolder);
      if (performance.now() - askedAt > askEveryMs) {
        writeFileSync(asked, name, { mode: 0o600 });
        askedAt = performance.now();
      }
      await setTimeout(lookMs);
    }
    rmSync(asked, { force: true });
    const since = performance.now();
    work();
    return takeAway(begun) === name ? performance.now() - since : null;
  } finally {
    for (const file of [asked, begun]) if (readIfThere(file) === name) rmSync(file, { force: true });
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Gives it a new name first, so that only one can have taken it: this process, or the database because it has waited too long. */
function takeAway(file: string): string | null {
  const taken = `${file}.${process.pid}`;
  try {
    renameSync(file, taken);
  } catch {
    return null;
  }
  const text = readIfThere(taken);
  rmSync(taken);
  return text;
}

const unheard = (dataFolder: string): StartupProblem =>
  new StartupProblem(
    `The process that uses the data folder ${dataFolder} does not answer. It may be of an older version: stop it, and try again.`,
  );
