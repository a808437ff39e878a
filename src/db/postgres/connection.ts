import postgres from 'postgres';
import { inTime } from '../../domain/in-time.ts';
import { throwAsDatabaseError } from '../failures.ts';
import { connectionEnded, unanswered } from '../patience.ts';
import { listReaders } from '../value-texts.ts';

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
    // It would ask for them by itself on each new connection, and end the process where that one is lost meanwhile.
    fetch_types: false,
    onnotice: () => {},
    ...(onclose && { onclose }),
  });
}

/** The driver takes the folder of a Unix socket as an option, where libpq takes it from the address. */
function addressOf(databaseUrl: string): [address: string, socket: { host?: string; username?: string }] {
  const url = new URL(databaseUrl);
  const [host, username] = [url.searchParams.get('host'), url.searchParams.get('user')];
  for (const name of ['host', 'user']) url.searchParams.delete(name);
  return [url.href, { ...(host && { host }), ...(username && { username }) }];
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
