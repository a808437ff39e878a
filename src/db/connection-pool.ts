import postgres from 'postgres';
import { inTime } from '../domain/concurrency.ts';
import { isReadOnlyError, throwAsDatabaseError } from './failures.ts';
import type { DriverOptions, Server, Servers } from './servers.ts';
import { listReaders } from './sql.ts';

/** The memory of a PostgreSQL process only grows, so older connections are replaced. */
const oldestMs = 60 * 60 * 1000;

/** Idle connections are closed after this time: each PostgreSQL process keeps 5 to 15 MB after a few pages. */
const usualIdleMs = 10_000;

/** If connections were borrowed less often between two looks, only background jobs run … */
const fewBorrowed = 100;

/** … which use some connections all the time, so older ones are replaced too. */
const oldestIfQuietMs = 30_000;

const closingMs = 5_000;

const mostPipelined = 8;

const slowMs = 20;

interface Lent {
  connection: Connection;
  /** The number of statements that share the connection; null for a transaction. */
  statements: number | null;
  since: number;
}

interface Waiting {
  isForStatement: boolean;
  lend: (lent: Lent) => void;
}

/**
 * Lends connections in the order of requests. A transaction gets its own. If no connection is free, single statements
 * share one, but never behind a slow statement.
 */
export class ConnectionPool {
  readonly #access: ServerAccess;
  readonly #size: number;
  /** The connection used last is at the end. */
  readonly #idle: Connection[] = [];
  readonly #closingIdle: NodeJS.Timeout;
  readonly #lent = new Set<Lent>();
  readonly #waiting = new Set<Waiting>();
  readonly #allGivenBack = Promise.withResolvers<void>();
  #borrowed = 0;
  #isClosed = false;

  constructor(access: ServerAccess, size: number, idleMs = usualIdleMs) {
    this.#access = access;
    this.#size = size;
    this.#closingIdle = setInterval(() => this.#closeIdle(idleMs), idleMs / 2).unref();
  }

  get load(): { inUse: number; waiting: number } {
    return { inUse: this.#lent.size, waiting: this.#waiting.size };
  }

  async use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const lent = await this.#borrow(false);
    try {
      return await work(lent.connection);
    } finally {
      this.#giveBack(lent);
    }
  }

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
    clearInterval(this.#closingIdle);
    if (this.#lent.size > 0) await inTime(this.#allGivenBack.promise, closingMs, () => {});
    const lent = [...this.#lent].map(({ connection }) => connection);
    await Promise.all([...this.#idle.splice(0), ...lent].map((connection) => connection.end()));
  }

  async #borrow(isForStatement: boolean): Promise<Lent> {
    if (this.#isClosed) throw connectionEnded();
    this.#borrowed += 1;
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

  /** The connection used last is the most likely to be alive. */
  #takeIdle(): Connection {
    let connection = this.#idle.pop();
    while (connection && !connection.isUsable) connection = this.#idle.pop();
    return connection ?? new Connection(this.#access);
  }

  #closeIdle(idleMs: number): void {
    const mostMs = this.#borrowed < fewBorrowed ? oldestIfQuietMs : oldestMs;
    this.#borrowed = 0;
    const since = performance.now() - idleMs;
    for (const connection of this.#idle.splice(0))
      if (connection.usedAt > since && connection.ageMs < mostMs) this.#idle.push(connection);
      else void connection.end();
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

/** The driver returns 64-bit integers as text by default; all that we store fit a number. */
const bigint = { to: 20, from: [20], serialize: String, parse: Number };

/** JSON is passed as text, because the driver would encode it again. */
const json = {
  to: 114,
  from: [114, 3802],
  serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
  parse: (text: string): unknown => JSON.parse(text),
};

/** Lists are encoded here, so that the driver passes them on unchanged. */
const lists = Object.fromEntries(
  Array.from(listReaders, ([type, parse]) => [
    `list ${type}`,
    { to: type, from: [type], serialize: String, parse },
  ]),
);

type Client = postgres.Sql<{ bigint: number; json: unknown }>;

export interface ServerAccess {
  servers: Servers;
  patienceMs: number;
  /** Whether this process has seen the disk of the database full. */
  isDiskFull: () => boolean;
}

/**
 * With keepalives the server notices a lost client in seconds instead of hours. Until then it keeps the client's locks.
 */
const keepalives = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
};

interface ConnectionHooks {
  onClose: () => void;
  onNotify?: ((channel: string, message: string) => void) | undefined;
}

/**
 * The server cancels a statement before its caller gives up, and earlier if it waits for a lock. It also ends
 * transactions of frozen processes.
 */
function createClient({ servers, patienceMs }: ServerAccess, { onClose, onNotify }: ConnectionHooks) {
  const { driverUrl, username } = servers.address;
  let server: Server | null = null;
  const untyped = {
    onnotify: onNotify,
    async socket(options: DriverOptions) {
      const opened = await servers.open(options).catch((error) => {
        onClose();
        throw error;
      });
      server = opened.server;
      return opened.socket;
    },
  };
  const client: Client = postgres(driverUrl, {
    ...(username && { username }),
    ...untyped,
    max: 1,
    // With a maximum lifetime, the driver could close a connection between two statements of a transaction.
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
    // The driver would query the types on each new connection, and crash the process if that connection is lost
    // meanwhile.
    fetch_types: false,
    onnotice: () => {},
    onclose: onClose,
    // The driver rejects the first statement with what this throws, before it is sent.
    onparameter: (name, value) => void (server && servers.noteParameter(server, name, value)),
  });
  return { client, serverOf: () => server };
}

/**
 * A connection is not used again after a loss or a timeout, because the driver would continue outside of the lost
 * transaction.
 */
export class Connection {
  readonly #access: ServerAccess;
  readonly #client: Client;
  readonly #serverOf: () => Server | null;
  readonly #since = performance.now();
  #usedAt = this.#since;
  #isUsable = true;

  constructor(access: ServerAccess, { onClose, onNotify }: Partial<ConnectionHooks> = {}) {
    this.#access = access;
    const { client, serverOf } = createClient(access, {
      onNotify,
      onClose: () => {
        this.#isUsable = false;
        onClose?.();
      },
    });
    this.#client = client;
    this.#serverOf = serverOf;
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  get usedAt(): number {
    return this.#usedAt;
  }

  get ageMs(): number {
    return performance.now() - this.#since;
  }

  async ask<Answer>(
    makeQuery: (client: Client) => PromiseLike<Answer>,
    { hurry = true } = {},
  ): Promise<Answer> {
    if (!this.#isUsable) throw connectionEnded();
    this.#usedAt = performance.now();
    const answer = Promise.resolve(makeQuery(this.#client)).catch((error) => {
      const server = this.#serverOf();
      if (server && isReadOnlyError(error)) this.#access.servers.noteReadOnly(server);
      return throwAsDatabaseError(error, this.#access.isDiskFull);
    });
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

/** The time that a query may take: longer than any does, but shorter than clients wait for a response. */
export const usualPatienceMs = 10_000;

const connectionProblem = (code: string, message: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code });

/** After a timeout it is unknown whether the statement took effect. */
const unanswered = () => connectionProblem('CONNECT_TIMEOUT', 'the database did not answer in time');

export const connectionEnded = (cause?: unknown) =>
  connectionProblem('CONNECTION_ENDED', 'the database is closed', cause);
