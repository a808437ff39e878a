import { Worker } from 'node:worker_threads';
import { WireMessages } from '../../src/db/embedded/wire-messages.ts';
import { StatementFollower, splitMessages } from './follow-statements.ts';
import { Trap } from './trap.ts';

/** Something that the thread of the embedded database is about to be told. */
export interface ThreadMessage {
  /** Has the thread wait before it does it. */
  stall: (ms: number) => void;
  /** Ends the thread instead. */
  endThread: () => void;
}

/** In the words of the database, so that it answers something, but no rows. */
const sleeping = (ms: number) =>
  new WireMessages().query(`DO 'BEGIN PERFORM pg_sleep(${ms / 1000}); END'`).take();

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

/** Listens to what the thread of the embedded database is told, in this process, and stalls it where it is told to. */
export class StallingThread {
  readonly trap = new Trap<ThreadMessage>();
  readonly #followers = new WeakMap<Worker, StatementFollower>();
  readonly #lastOnes = new Set<string>();
  readonly #postMessage = Worker.prototype.postMessage;

  open(): void {
    const { followed, original } = { followed: this, original: this.#postMessage };
    Worker.prototype.postMessage = function (this: Worker, message, ...rest) {
      if (message?.kind !== 'messages') return original.call(this, message, ...rest);
      const told = followed.#follow(this, message.bytes);
      if (!told) return void this.terminate();
      return original.call(this, { ...message, bytes: told }, [told.buffer]);
    };
  }

  close(): void {
    Worker.prototype.postMessage = this.#postMessage;
  }

  /** What the thread is told in place of some bytes; null where it is ended. */
  #follow(worker: Worker, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | null {
    const follower = this.#followers.get(worker) ?? new StatementFollower(this.#lastOnes);
    this.#followers.set(worker, follower);
    let told: Uint8Array<ArrayBuffer> | null = bytes;
    const victim = {
      stall: (ms: number) => {
        told = join(sleeping(ms), bytes);
      },
      endThread: () => {
        told = null;
      },
    };
    const asked = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    for (const message of splitMessages(asked).messages)
      this.trap.spring(follower.stallPointOf(message), victim);
    return told;
  }
}
