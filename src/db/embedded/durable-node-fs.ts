import { fdatasyncSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { bytesForLog, type DiskRoom, logFileBytes } from './disk-room.ts';

type Init = NodeFS['init'];

interface Stream {
  nfd: number;
  path: string;
}

type Write = (stream: Stream, bytes: Int8Array, offset: number, length: number, position: number) => number;

interface EmscriptenNodeFs {
  stream_ops: { fsync?: (stream: Stream) => number; write: Write };
}

/** Numbers of errors as WebAssembly has them: a disk, or a user's quota on it, is full. */
const fullErrors = new Set([19, 51]);

/** What Emscripten throws is no Error. */
const isFull = (thrown: unknown): boolean =>
  typeof thrown === 'object' &&
  thrown !== null &&
  'errno' in thrown &&
  typeof thrown.errno === 'number' &&
  fullErrors.has(thrown.errno);

/** A file of the log, once it has got its name. */
const logFile = /^[\dA-F]{24}$/;

/** Room to end what is being written in: PostgreSQL has up to 4 MiB of it in memory. */
const bytesToEnd = 6 * 1024 * 1024;

/** PostgreSQL refuses a statement whose table cannot grow. Where it cannot write other files, it gives up. */
const isTable = (path: string): boolean => path.includes('/base/');

/**
 * The file system of the embedded database. The one it comes with has no fsync, so that a power cut could take back
 * what was acknowledged; this one hands every fsync on to the disk. What does not fit gets the room that is held.
 */
export class DurableNodeFs extends NodeFS {
  readonly #folder: string;
  readonly #room: DiskRoom;
  #currentLogFile: string | null = null;
  syncs = 0;
  /** How many bytes were written since the start. */
  written = 0;
  /** Called when the log is about to need another file, in the middle of whatever writes to it. */
  onLogFileEnding: () => void = () => {};

  constructor(folder: string, room: DiskRoom) {
    super(folder);
    this.#folder = folder;
    this.#room = room;
  }

  override async init(...parameters: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(...parameters);
    const change = ({ NODEFS: { stream_ops } }: { NODEFS: EmscriptenNodeFs }): void => {
      stream_ops.fsync = (stream) => {
        fdatasyncSync(stream.nfd);
        this.syncs += 1;
        return 0;
      };
      stream_ops.write = this.#writeAll(stream_ops.write);
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), change] } };
  }

  /** How many files the log has before its current one, which a checkpoint gives up or puts after it, and after that. */
  countLogFiles(): { before: number; after: number } {
    const current = this.#currentLogFile;
    if (current === null) return { before: 0, after: 0 };
    const names = readdirSync(join(this.#folder, 'pg_wal')).filter((name) => logFile.test(name));
    const before = names.filter((name) => name < current).length;
    return { before, after: names.length - before - 1 };
  }

  #writeAll(write: Write): Write {
    return (stream, bytes, offset, length, position) => {
      const kept = isTable(stream.path) ? bytesForLog : 0;
      let done = 0;
      while (done < length) {
        try {
          done += write(stream, bytes, offset + done, length - done, position + done);
        } catch (error) {
          if (!isFull(error) || !this.#room.give(length - done, kept)) throw error;
        }
      }
      this.written += done;
      this.#followLog(basename(stream.path), position + done);
      return done;
    };
  }

  #followLog(name: string, end: number): void {
    if (!logFile.test(name)) return;
    this.#currentLogFile = name;
    if (end > logFileBytes - bytesToEnd) this.onLogFileEnding();
  }
}
