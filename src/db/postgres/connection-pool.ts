import { inTime } from '../../domain/in-time.ts';
import { connectionEnded, unanswered } from '../patience.ts';
import { Connection, type ServerAccess } from './connection.ts';

/** A server's process keeps what it has once needed; after this long it may go. */
const oldestMs = 60 * 60 * 1000;

/** How long transactions and statements under way get to finish when the service ends. */
const closingMs = 5_000;

/** How many statements are on their way at once on a connection: the server finds the next one waiting. */
const mostPipelined = 8;

/** A statement that takes longer than this has none sent after it. */
const slowMs = 20;

interface Lent {
  connection: Connection;
  /** How many statements share it; null where it is lent for a transaction. */
  statements: number | null;
  /** When something last came of it. */
  since: number;
}

interface Waiting {
  isForStatement: boolean;
  lend: (lent: Lent) => void;
}

/**
 * Connections to the server, lent in the order in which they are asked for. A transaction has one to itself. Statements that
 * stand alone are sent one after the other where no connection is free, but not behind a slow one.
 */
export class ConnectionPool {
  readonly #access: ServerAccess;
  readonly #size: number;
  readonly #idle: Connection[] = [];
  readonly #lent = new Set<Lent>();
  readonly #waiting = new Set<Waiting>();
  readonly #allGivenBack = Promise.withResolvers<void>();
  #isClosed = false;

  constructor(access: ServerAccess, size: number) {
    this.#access = access;
    this.#size = size;
  }

  /** How many connections are lent, and how many callers wait for one. */
  get load(): { inUse: number; waiting: number } {
    return { inUse: this.#lent.size, waiting: this.#waiting.size };
  }

  /** A connection for a transaction or a script. */
  async use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const lent = await this.#borrow(false);
    try {
      return await work(lent.connection);
    } finally {
      this.#giveBack(lent);
    }
  }

  /** A connection for a single statement. */
  async share<Result>(ask: (connection: Connection) => Promise<Result>): Promise<Result> {
    const lent = await this.#borrow(true);
    try {
      return await ask(lent.connection);
    } finally {
      lent.since = performance.now();
      lent.statements = (lent.statements ?? 1) - 1;
      if (lent.statements === 0) this.#giveBack(lent);
      else this.#lendToWaiting();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#lent.size > 0) await inTime(this.#allGivenBack.promise, closingMs, () => {});
    const lent = [...this.#lent].map(({ connection }) => connection);
    await Promise.all([...this.#idle.splice(0), ...lent].map((connection) => connection.end()));
  }

  async #borrow(isForStatement: boolean): Promise<Lent> {
    if (this.#isClosed) throw connectionEnded();
    const lent = this.#waiting.size === 0 && this.#lend(isForStatement);
    if (lent) return lent;
    const { promise, resolve } = Promise.withResolvers<Lent>();
    const waiting = { isForStatement, lend: resolve };
    this.#waiting.add(waiting);
    return inTime(promise, this.#access.patienceMs, () => {
      this.#waiting.delete(waiting);
      throw unanswered();
    });
  }

  #lend(isForStatement: boolean): Lent | null {
    if (this.#lent.size < this.#size) {
      const statements = isForStatement ? 1 : null;
      const lent = { connection: this.#takeIdle(), statements, since: performance.now() };
      this.#lent.add(lent);
      return lent;
    }
    const shared = isForStatement ? this.#findShared() : null;
    if (shared) shared.statements = (shared.statements ?? 0) + 1;
    return shared;
  }

  /** The connection that was used last, which is the most likely to be there still. */
  #takeIdle(): Connection {
    let connection = this.#idle.pop();
    while (connection && !connection.isUsable) connection = this.#idle.pop();
    return connection ?? new Connection(this.#access);
  }

  #findShared(): Lent | null {
    const recently = performance.now() - slowMs;
    let best: Lent | null = null;
    let fewest = mostPipelined;
    for (const lent of this.#lent) {
      const { statements, since, connection } = lent;
      if (statements === null || statements >= fewest || since < recently || !connection.isUsable) continue;
      best = lent;
      fewest = statements;
    }
    return best;
  }

  #giveBack(lent: Lent): void {
    const { connection } = lent;
    this.#lent.delete(lent);
    if (connection.isUsable && connection.ageMs < oldestMs) this.#idle.push(connection);
    else void connection.end();
    this.#lendToWaiting();
    if (this.#lent.size === 0 && this.#isClosed) this.#allGivenBack.resolve();
  }

  #lendToWaiting(): void {
    for (const waiting of this.#waiting) {
      const lent = this.#lend(waiting.isForStatement);
      if (!lent) return;
      this.#waiting.delete(waiting);
      waiting.lend(lent);
    }
  }
}
