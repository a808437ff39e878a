import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StartupProblem } from '../../domain/errors.ts';

const mebibyte = 1024 * 1024;

/** What stays free beside whatever is stored: four files of the log, so that logging out and deleting always can be. */
const reserveBytes = 64 * mebibyte;

/** A database when it is new, with its first file of the log. */
const newDatabaseBytes = 48 * mebibyte;

/** Whatever is stored is stored twice: in the log and in its table. */
const copies = 2;

/** Where less than this is free, others could use up the rest at any moment. */
const scarceBytes = 1024 * mebibyte;

/** Two files of the log. Reading writes too, a little: it notes in rows who can see them. */
const heldBytes = 2 * 16 * mebibyte;

/** The file that holds room which is ours even when others have taken all the rest. */
const heldFile = (dataFolder: string) => join(dataFolder, 'held-room');

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** The room on the disk that the embedded database is on. */
export class DiskRoom {
  readonly #folder: string;
  #isHeld = false;

  constructor(dataFolder: string) {
    this.#folder = dataFolder;
    this.giveUpHeld();
  }

  /** Whether so many bytes can be stored without touching the reserve. */
  isEnoughFor(bytes: number): boolean {
    return freeBytes(this.#folder) >= reserveBytes + copies * bytes;
  }

  /** Whether what is held has been given up and cannot be held again. */
  get isShort(): boolean {
    return !this.#isHeld && freeBytes(this.#folder) < reserveBytes + heldBytes;
  }

  /** Holds some room where there is little, but never so much that it is missed. */
  hold(): void {
    const free = freeBytes(this.#folder);
    if (this.#isHeld || free > scarceBytes || free < reserveBytes + heldBytes) return;
    try {
      const file = openSync(heldFile(this.#folder), 'w', 0o600);
      // Zeros, or a hole, might take no room.
      const noise = crypto.getRandomValues(new Uint8Array(65_536));
      for (let written = 0; written < heldBytes; written += noise.length) writeSync(file, noise);
      closeSync(file);
      this.#isHeld = true;
    } catch {
      this.giveUpHeld();
    }
  }

  /** Makes room of what was held. Returns whether there was any. */
  giveUpHeld(): boolean {
    const wasHeld = this.#isHeld;
    this.#isHeld = false;
    rmSync(heldFile(this.#folder), { force: true });
    return wasHeld;
  }
}

/** Says so where there is too little room to start. What an earlier process held is not missing. */
export function requireRoomToStart(dataFolder: string): void {
  const held = statSync(heldFile(dataFolder), { throwIfNoEntry: false })?.size ?? 0;
  const isNew = statSync(join(dataFolder, 'database'), { throwIfNoEntry: false }) === undefined;
  const needed = reserveBytes + (isNew ? newDatabaseBytes : 0);
  const free = freeBytes(dataFolder) + held;
  if (free >= needed) return;
  const inMebibytes = (bytes: number) => `${Math.floor(bytes / mebibyte)} MiB`;
  throw new StartupProblem(
    `The disk of the data folder ${dataFolder} has only ${inMebibytes(free)} left, and Pullquote needs ` +
      `${inMebibytes(needed)} to start. Free some space, or choose a folder on another disk with PULLQUOTE_DATA.`,
  );
}
