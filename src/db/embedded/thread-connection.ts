import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { inTime } from '../../domain/in-time.ts';
import { connectionEnded, unanswered } from '../patience.ts';
import type { Reply, Request, ThreadSettings } from './database-thread.ts';

/** How long a database gets to close its files; one that is cut off recovers when it is opened again. */
const closingMs = 3_000;

/**
 * A disk that stalls is waited for: opening the files anew would take longer. What takes this many times the callers'
 * patience is taken for something that never ends.
 */
const patiencesUntilHung = 3;

const threadFile = join(import.meta.dirname, `database-thread${extname(import.meta.filename)}`);

export interface Sending {
  /** Whether the asker gives up when no answer comes in time. */
  hurry?: boolean;
  /** Whether it is sent also while other statements wait in vain: what ends a transaction is. */
  always?: boolean;
}

interface Waiting extends PromiseWithResolvers<Reply> {
  since: number;
  hurry: boolean;
}

/** A thread with a database in it, and the callers that wait for its answers, which come in the order of the questions. */
export class ThreadConnection {
  readonly #worker: Worker;
  readonly #patienceMs: number;
  readonly #waiting: Waiting[] = [];
  readonly #exit: Promise<void>;
  #closed: Error | null = null;
  #hangWatch: NodeJS.Timeout | null = null;
  #syncs = 0;

  private constructor(settings: ThreadSettings, patienceMs: number) {
    this.#patienceMs = patienceMs;
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

  /** Settles when the database can be asked, or when the thread of one that cannot has ended. */
  static async open(settings: ThreadSettings, patienceMs: number): Promise<ThreadConnection> {
    const connection = new ThreadConnection(settings, patienceMs);
    try {
      await connection.#wait(false);
    } catch (error) {
      await connection.exit;
      throw (error instanceof Error && error.cause) || error;
    }
    return connection;
  }

  get syncs(): number {
    return this.#syncs;
  }

  /** Settles when the thread has ended, by itself or because it was closed. */
  get exit(): Promise<void> {
    return this.#exit;
  }

  /** Throws where a question would not be sent: at once, where another has waited in vain already. */
  requireAnswers(hurry: boolean): void {
    if (this.#closed) throw this.#closed;
    const [oldest] = this.#waiting;
    if (!hurry || !oldest || performance.now() - oldest.since <= this.#patienceMs) return;
    this.#watchForHang();
    throw unanswered();
  }

  /** Sends a question, and settles with the answer however late it comes. */
  async send(request: Request, { hurry = true, always = false }: Sending = {}): Promise<Reply> {
    this.requireAnswers(hurry && !always);
    const transferred = request.kind === 'messages' ? [request.bytes.buffer as ArrayBuffer] : [];
    this.#worker.postMessage(request, transferred);
    return this.#wait(hurry);
  }

  /** An answer, unless it comes too late. */
  inPatience<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return inTime(answer, this.#patienceMs, () => {
      this.#watchForHang();
      throw unanswered();
    });
  }

  /** Closes the database, or ends its thread where it does not close in time. */
  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = connectionEnded();
      this.#worker.ref();
      this.#worker.postMessage({ kind: 'close' } satisfies Request);
    }
    await inTime(this.#exit, closingMs, () => this.#worker.terminate());
  }

  #wait(hurry: boolean): Promise<Reply> {
    const waiting = { since: performance.now(), hurry, ...Promise.withResolvers<Reply>() };
    // Waiting callers keep the process alive; an idle database does not.
    if (this.#waiting.push(waiting) === 1) this.#worker.ref();
    return waiting.promise;
  }

  #answer(reply: Reply): void {
    this.#syncs = reply.syncs;
    const answered = this.#waiting.shift();
    if (this.#waiting.length === 0 && !this.#closed) this.#worker.unref();
    const [next] = this.#waiting;
    // What has waited behind other statements has been asked only now.
    if (next) next.since = performance.now();
    answered?.resolve(reply);
  }

  /** Ends the thread once what it is at has taken too long, unless that may take any time; its files recover when opened. */
  #watchForHang(): void {
    if (this.#hangWatch) return;
    const [oldest] = this.#waiting;
    if (!oldest?.hurry) return;
    const leftMs = oldest.since + patiencesUntilHung * this.#patienceMs - performance.now();
    if (leftMs <= 0) {
      this.#end();
      this.#worker.terminate();
      return;
    }
    this.#hangWatch = setTimeout(() => {
      this.#hangWatch = null;
      this.#watchForHang();
    }, leftMs).unref();
  }

  #end(error?: unknown): void {
    if (this.#hangWatch) clearTimeout(this.#hangWatch);
    this.#closed ??= connectionEnded(error);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#closed);
  }
}
