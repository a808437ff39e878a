import postgres from 'postgres';
import { inTime } from '../domain/concurrency.ts';
import { throwAsDatabaseError } from './failures.ts';
import { listReaders } from './sql.ts';

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

/** 64-bit integers arrive as text unless told otherwise; every one that we store fits a number. */
const bigint = { to: 20, from: [20], serialize: String, parse: Number };

/** The queue hands JSON over as text; the driver would write it down as a JSON string of that text. */
const json = {
  to: 114,
  from: [114, 3802],
  serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
  parse: (text: string): unknown => JSON.parse(text),
};

/** Lists are written before the driver sees them. */
const lists = Object.fromEntries(
  Array.from(listReaders, ([type, parse]) => [
    `list ${type}`,
    { to: type, from: [type], serialize: String, parse },
  ]),
);

export type Client = postgres.Sql<{ bigint: number; json: unknown }>;

export interface ServerAccess {
  databaseUrl: string;
  patienceMs: number;
  /** Whether the server is away because its disk is full, as far as this process can tell. */
  isDiskFull: () => boolean;
}

/**
 * By these the server finds out, in seconds, that the process at the other end can no longer be reached. Until then it keeps
 * the locks of what was begun, and no other timeout counts while it waits for the rest of a statement. It would take hours.
 */
const keepalives = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
};

/**
 * A client with one connection. The server itself ends a statement before its asker gives up, sooner where the statement
 * only waits for a lock, and what was begun by a process that has frozen.
 */
export function createClient(
  { databaseUrl, patienceMs }: Omit<ServerAccess, 'isDiskFull'>,
  onclose?: () => void,
): Client {
  const [address, socket] = addressOf(databaseUrl);
  return postgres(address, {
    ...socket,
    max: 1,
    // The driver would end a connection by its age between two statements of a transaction.
    max_lifetime: null,
    connect_timeout: patienceMs / 1000,
    connection: {
      application_name: 'pullquote',
      statement_timeout: Math.ceil(patienceMs * 0.9),
      lock_timeout: Math.ceil(patienceMs / 2),
      idle_in_transaction_session_timeout: patienceMs * 3,
      ...keepalives,
    },
    types: { bigint, json, ...lists },
    transform: { column: { from: postgres.toCamel } },
    // It would ask for them by itself on each new connection, and end the process where that one is lost meanwhile.
    fetch_types: false,
    onnotice: () => {},
    ...(onclose && { onclose }),
  });
}

/** The driver takes the folder of a Unix socket as an option, where libpq takes it from the address. */
function addressOf(
  databaseUrl: string,
): [address: string, socket: { host?: string; port?: number; username?: string }] {
  const url = new URL(databaseUrl);
  const [host, port, username] = ['host', 'port', 'user'].map((name) => url.searchParams.get(name));
  for (const name of ['host', 'port', 'user']) url.searchParams.delete(name);
  return [
    url.href,
    { ...(host && { host }), ...(port && { port: Number(port) }), ...(username && { username }) },
  ];
}

/**
 * One connection to the server, which one asker has at a time. It is not used again once it was lost or an answer failed to
 * come: the driver writes to sockets that are gone, and would go on outside of the transaction that was lost with them.
 */
export class Connection {
  readonly #access: ServerAccess;
  readonly #client: Client;
  readonly #since = performance.now();
  #isUsable = true;

  constructor(access: ServerAccess) {
    this.#access = access;
    this.#client = createClient(access, () => {
      this.#isUsable = false;
    });
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  get ageMs(): number {
    return performance.now() - this.#since;
  }

  /** The server cancels a statement before its asker gives up, so that what is given up here was lost on the way. */
  async ask<Answer>(
    makeQuery: (client: Client) => PromiseLike<Answer>,
    { hurry = true } = {},
  ): Promise<Answer> {
    if (!this.#isUsable) throw connectionEnded();
    const answer = Promise.resolve(makeQuery(this.#client)).catch((error) =>
      throwAsDatabaseError(error, this.#access.isDiskFull),
    );
    if (!hurry) return answer;
    return inTime(answer, this.#access.patienceMs, () => {
      this.#isUsable = false;
      throw unanswered();
    });
  }

  async end(): Promise<void> {
    this.#isUsable = false;
    await this.#client.end({ timeout: 0 });
  }
}

/** Longer than any query of ours takes, shorter than a client waits. */
export const usualPatienceMs = 10_000;

const problem = (code: string, message: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code });

/** What is asked may still be done: its outcome is not known. */
export const unanswered = () => problem('CONNECT_TIMEOUT', 'the database did not answer in time');

export const connectionEnded = (cause?: unknown) =>
  problem('CONNECTION_ENDED', 'the database is closed', cause);
