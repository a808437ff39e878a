import { fdatasyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import type { DiskRoom } from './disk-room.ts';

type Init = NodeFS['init'];

interface Stream {
  nfd: number;
}

type Write = (stream: Stream, bytes: Int8Array, offset: number, length: number, position: number) => number;

interface EmscriptenNodeFs {
  stream_ops: { fsync?: (stream: Stream) => number; write: Write };
}

/** Numbers of errors as WebAssembly has them: a disk, or somebody's share of it, is full. */
const fullErrors = new Set([19, 51]);

/** What Emscripten throws is no Error. */
const isFull = (thrown: unknown): boolean =>
  typeof thrown === 'object' &&
  thrown !== null &&
  'errno' in thrown &&
  typeof thrown.errno === 'number' &&
  fullErrors.has(thrown.errno);

/**
 * The file system of the embedded database. The one it comes with has no fsync, so that a power cut could take back
 * what was acknowledged; this one hands every fsync on to the disk. What does not fit gets the room that is held.
 */
export class DurableNodeFs extends NodeFS {
  readonly #room: DiskRoom;
  syncs = 0;
  /** How many bytes were written since the start. */
  written = 0;

  constructor(folder: string, room: DiskRoom) {
    super(folder);
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

  /** PostgreSQL gives up when its log cannot be written. */
  #writeAll(write: Write): Write {
    return (stream, bytes, offset, length, position) => {
      let done = 0;
      while (done < length) {
        try {
          done += write(stream, bytes, offset + done, length - done, position + done);
        } catch (error) {
          if (!isFull(error) || !this.#room.giveUpHeld()) throw error;
        }
      }
      this.written += done;
      return done;
    };
  }
}
