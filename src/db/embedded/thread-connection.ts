import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { inTime } from '../../domain/in-time.ts';
import type { Reply, Request, ThreadSettings } from './database-thread.ts';

/** Longer than any query of ours takes, shorter than anybody waits. */
export const patienceMs = 10_000;

/** How long a database gets to close its files; one that is cut off recovers when it is opened again. */
const closingMs = 3_000;

const threadFile = join(import.meta.dirname, `database-thread${extname(import.meta.filename)}`);

interface Waiting extends PromiseWithResolvers<Reply> {
  since: number;
}

const problem = (code: string, message: string) => Object.assign(new Error(message), { code });

export const unanswered = () => problem('CONNECT_TIMEOUT', 'the database did not answer in time');
const ended = (cause?: unknown) =>
  Object.assign(new Error('the database is closed', { cause }), { code: 'CONNECTION_ENDED' });

/** A thread with a database in it, and those who wait for its answers, which come in the order of the questions. */
export class ThreadConnection {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  readonly #exit: Promise<void>;
  #closed: Error | null = null;
  #syncs = 0;

  private constructor(settings: ThreadSettings) {
    this.#worker = new Worker(threadFile, { workerData: settings });
    this.#worker.unref();
    this.#worker.on('message', (reply: Reply) => this.#answer(reply));
    this.#worker.on('error', (error) => this.#end(error));
    this.#exit = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#end();
        resolve();
      });
    });
  }

  /** Settles when the database can be asked. */
  static async open(settings: ThreadSettings): Promise<ThreadConnection> {
    const connection = new ThreadConnection(settings);
    await connection.#wait().catch((error: Error) => {
      throw error.cause ?? error;
    });
    return connection;
  }

  get syncs(): number {
    return this.#syncs;
  }

  /** Settles when the thread has ended, by itself or because it was closed. */
  get exit(): Promise<void> {
    return this.#exit;
  }

  /**
   * What the database answers. Who is in a hurry is told when it does not, and at once where somebody has waited in vain
   * already.
   */
  async ask(request: Request, { hurry = true } = {}): Promise<Reply> {
    if (this.#closed) throw this.#closed;
    const [oldest] = this.#waiting;
    if (hurry && oldest && performance.now() - oldest.since > patienceMs) throw unanswered();
    const transferred = request.kind === 'messages' ? [request.bytes.buffer as ArrayBuffer] : [];
    this.#worker.postMessage(request, transferred);
    const answer = this.#wait();
    return hurry
      ? inTime(answer, patienceMs, () => {
          throw unanswered();
        })
      : answer;
  }

  /** Closes the database, or ends its thread where it does not close in time. */
  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = ended();
      this.#worker.ref();
      this.#worker.postMessage({ kind: 'close' } satisfies Request);
    }
    await inTime(this.#exit, closingMs, () => this.#worker.terminate());
  }

  #wait(): Promise<Reply> {
    const waiting = { since: performance.now(), ...Promise.withResolvers<Reply>() };
    // Those who wait keep the process alive; a database that nobody asks anything does not.
    if (this.#waiting.push(waiting) === 1) this.#worker.ref();
    return waiting.promise;
  }

  #answer(reply: Reply): void {
    this.#syncs = reply.syncs;
    const answered = this.#waiting.shift();
    if (this.#waiting.length === 0 && !this.#closed) this.#worker.unref();
    const [next] = this.#waiting;
    // What has waited behind others has been asked only now.
    if (next) next.since = performance.now();
    answered?.resolve(reply);
  }

  #end(error?: unknown): void {
    this.#closed ??= ended(error);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#closed);
  }
}
