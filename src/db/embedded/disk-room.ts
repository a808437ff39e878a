import { randomBytes } from 'node:crypto';
import { appendFileSync, rmSync, statfsSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { StartupProblem } from '../../domain/errors.ts';

const mebibyte = 1024 * 1024;

/** PostgreSQL's log is a row of files of this size. */
export const logFileBytes = 16 * mebibyte;

/** What stays beside whatever is stored, so that logging out and deleting always can be. */
const reserveBytes = 4 * logFileBytes;

/**
 * What stays for the log alone: its next file, and a little for what else a checkpoint writes. PostgreSQL gives up where it
 * cannot begin that file, and reading writes to the log too: it notes in rows who can see them.
 */
export const bytesForLog = logFileBytes + mebibyte;

/** A database when it is new, with its first file of the log. */
const newDatabaseBytes = 48 * mebibyte;

/** Whatever is stored is stored twice: in the log and in its table. */
const copies = 2;

/** Where less than this is free, other processes could use up the rest at any moment. */
const scarceBytes = 1024 * mebibyte;

/**
 * What is held is given up in steps: small ones, because other processes can take of each what the log does not need at once,
 * but not tiny ones, because some file systems first commit their journal before they give room that was just freed.
 */
const stepBytes = mebibyte / 4;

/** The file that holds room which is ours even when other processes have taken all the rest. */
const heldFile = (dataFolder: string) => join(dataFolder, 'held-room');

const heldIn = (dataFolder: string): number =>
  statSync(heldFile(dataFolder), { throwIfNoEntry: false })?.size ?? 0;

export function freeIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** The room on the disk that the embedded database is on: what is free, and what is held. */
export class DiskRoom {
  readonly #folder: string;

  /** What an earlier process held stays so while its database is opened, unless there is plenty. */
  constructor(dataFolder: string) {
    this.#folder = dataFolder;
    if (freeIn(dataFolder) > scarceBytes) rmSync(heldFile(dataFolder), { force: true });
  }

  get #bytes(): number {
    return freeIn(this.#folder) + heldIn(this.#folder);
  }

  /** Whether so many bytes can be stored without touching the reserve. */
  isEnoughFor(bytes: number): boolean {
    return this.#bytes >= reserveBytes + copies * bytes;
  }

  /** Whether the log can begin another file. */
  get isEnoughForLog(): boolean {
    return this.#bytes >= bytesForLog;
  }

  /** Whether not all of the reserve can be held. */
  get isShort(): boolean {
    return freeIn(this.#folder) <= scarceBytes && heldIn(this.#folder) < reserveBytes;
  }

  /** Where there is little, holds the reserve, or as much of it as there is. */
  hold(): void {
    const free = freeIn(this.#folder);
    if (free > scarceBytes) return;
    let missing = Math.min(reserveBytes - heldIn(this.#folder), free);
    if (missing <= 0) return;
    // Zeros, or a hole, might take no room.
    const noise = randomBytes(Math.min(missing, stepBytes));
    try {
      while (missing > 0) {
        appendFileSync(heldFile(this.#folder), noise.subarray(0, missing), { mode: 0o600 });
        missing -= noise.length;
      }
    } catch {
      // Other processes were faster. What could be written is held.
    }
  }

  /** Makes so much room of what is held, but for what is to be kept. Returns whether there was any. */
  give(bytes: number, kept: number): boolean {
    const held = heldIn(this.#folder);
    const given = Math.min(Math.ceil(bytes / stepBytes) * stepBytes, held - kept);
    if (given <= 0) return false;
    try {
      truncateSync(heldFile(this.#folder), held - given);
    } catch {
      // On some file systems it takes room to make a file shorter, and none to remove it.
      rmSync(heldFile(this.#folder), { force: true });
    }
    return true;
  }
}

/** Says so where there is too little room to start. What an earlier process held is not missing. */
export function requireRoomToStart(dataFolder: string): void {
  const isNew = statSync(join(dataFolder, 'database'), { throwIfNoEntry: false }) === undefined;
  const needed = reserveBytes + (isNew ? newDatabaseBytes : 0);
  const free = freeIn(dataFolder) + heldIn(dataFolder);
  if (free >= needed) return;
  const inMebibytes = (bytes: number) => `${Math.floor(bytes / mebibyte)} MiB`;
  throw new StartupProblem(
    `The disk of the data folder ${dataFolder} has only ${inMebibytes(free)} left, and Pullquote needs ` +
      `${inMebibytes(needed)} to start. Free some space, or choose a folder on another disk with PULLQUOTE_DATA.`,
  );
}
