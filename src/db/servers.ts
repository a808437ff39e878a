import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import postgres from 'postgres';
import { inTime } from '../domain/concurrency.ts';
import {
  type DatabaseAddress,
  nameServer,
  parseDatabaseUrl,
  type ServerHost,
} from '../domain/database-address.ts';
import { readOnlyState } from './failures.ts';

type Role = 'primary' | 'standby';

export interface Server {
  host: ServerHost;
  role: Role;
}

/** The answer of a server to a probe. */
interface Report extends Server {
  /** Raised by every promotion, so the primary with the highest one is the newest. */
  timeline: number;
  /** How far it has written or replayed the log of changes, in bytes. */
  position: number;
}

/** A server that drops packets answers nothing, so each attempt is bounded. */
const probeMs = 1_000;

/** How long the first primary that answers waits for a newer one to answer too. */
const othersMs = 250;

/** The part of the driver's options that opening a socket needs. */
export interface DriverOptions {
  host: string[];
  port: number[];
  path: string | false;
  parameters: Record<string, string | undefined>;
}

const connectionError = (message: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code: 'CONNECTION_CLOSED' });

/**
 * The servers of a database, of which one is the primary. All connections lead to it. If it is lost, all servers are
 * asked; when another takes its place, connections to the former one are closed, so nothing is written to it any more.
 */
export class Servers {
  readonly address: DatabaseAddress;
  /** Called when a standby takes the place of the primary. */
  onReadOnly = () => {};
  readonly #patienceMs: number;
  readonly #sockets = new Map<Socket, Server>();
  #current: Server | null;
  #timeline = 0;
  #searching: Promise<Server> | null = null;

  /** How far a standby must have come to be read: as far as the primary when it last answered; null for never. */
  #needed: number | null;
  /** The number of statements that hide something and are not committed yet. */
  #hiding = 0;
  #hidings = 0;

  constructor(databaseUrl: string, patienceMs: number, { readsStandby }: { readsStandby: boolean }) {
    const address = parseDatabaseUrl(databaseUrl);
    if (!address) throw new Error('The address of the database cannot be read.');
    this.address = address;
    this.#patienceMs = patienceMs;
    this.#needed = readsStandby ? 0 : null;
    // A single server is taken for the primary until it says otherwise.
    this.#current = this.areSeveral || readsStandby ? null : { host: address.hosts[0], role: 'primary' };
  }

  get isReadOnly(): boolean {
    return this.#current?.role === 'standby';
  }

  get areSeveral(): boolean {
    return this.address.hosts.length > 1;
  }

  /** Opens a socket for a client of the driver, and says to which server. */
  async open(options: DriverOptions): Promise<{ socket: Socket; server: Server }> {
    const server = this.#current ?? (await this.search());
    // The driver reports only settings that differ from those of its last connection.
    options.parameters = {};
    const socket = await openSocket(server.host, options, this.areSeveral ? probeMs : this.#patienceMs).catch(
      (error) => {
        this.#lose(server);
        throw error;
      },
    );
    if (!this.#isCurrent(server)) {
      socket.destroy();
      return this.open(options);
    }
    this.#sockets.set(socket, server);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (!socket.writableEnded) this.#lose(server);
    });
    return { socket, server };
  }

  /** A server reports these settings to each client that connects, and when they change. */
  noteParameter(server: Server, name: string, value: string): void {
    if (!/^(?:in_hot_standby|default_transaction_read_only)$/.test(name) || value !== 'on') return;
    this.noteReadOnly(server);
    if (server.role === 'primary')
      throw Object.assign(new Error(`${nameServer(server.host)} is not the primary`), {
        code: readOnlyState,
      });
  }

  noteReadOnly(server: Server): void {
    if (this.#isCurrent(server) && server.role === 'primary') this.#leave('primary');
  }

  /** Notes that something was hidden, which a standby must know before it is read. */
  noteHidden(): void {
    this.#hidings += 1;
    this.#needed = null;
    if (this.isReadOnly) this.#leave('standby');
  }

  /** The same for changes of this process, from before they are sent until they are committed or given up. */
  async whileHiding<Result>(work: (begin: () => void) => Promise<Result>): Promise<Result> {
    let begun = 0;
    const begin = () => {
      begun += 1;
      this.#hiding += 1;
      this.noteHidden();
    };
    try {
      return await work(begin);
    } finally {
      if (begun > 0) {
        this.#hiding -= begun;
        this.noteHidden();
      }
    }
  }

  /** Called before the primary is asked how far it is; returns a function that takes the answer. */
  measure(): (position: number) => void {
    const before = this.#hidings;
    return (position) => {
      if (this.#hiding === 0 && this.#hidings === before) this.#needed = position;
    };
  }

  /** Whether there is a primary. Asks all servers if that is not known. */
  async hasPrimary(): Promise<boolean> {
    return this.#current?.role === 'primary' || (await this.search()).role === 'primary';
  }

  #lose(server: Server): void {
    if (this.areSeveral && this.#isCurrent(server)) this.#current = null;
  }

  #isCurrent({ host, role }: Server): boolean {
    return this.#current?.host === host && this.#current.role === role;
  }

  /** Asks all servers at once. Those who search at the same time share the answer. */
  search(): Promise<Server> {
    this.#searching ??= this.#searchOnce().finally(() => {
      this.#searching = null;
    });
    return this.#searching;
  }

  async #searchOnce(): Promise<Server> {
    const reports: Report[] = [];
    const problems: string[] = [];
    const { promise: found, resolve } = Promise.withResolvers<void>();
    const asking = this.address.hosts.map((host) =>
      probe(this.address, host).then(
        (report) => {
          reports.push(report);
          if (report.role === 'primary') resolve();
        },
        (error: unknown) => void problems.push(`${nameServer(host)}: ${reasonOf(error)}`),
      ),
    );
    await Promise.race([
      Promise.all(asking),
      found.then(() => setTimeout(othersMs, undefined, { ref: false })),
    ]);
    const [newest] = reports
      .filter(({ role, timeline }) => role === 'primary' && timeline >= this.#timeline)
      .sort((one, other) => other.timeline - one.timeline);
    if (newest) {
      this.#timeline = newest.timeline;
      return this.#use(newest);
    }
    const needed = this.#needed ?? Number.POSITIVE_INFINITY;
    const standbys = reports.filter(({ role, position }) => role === 'standby' && position >= needed);
    const standby = standbys.find(({ host }) => host === this.#current?.host) ?? standbys[0];
    if (standby) return this.#use(standby);
    this.#leave('standby');
    const others = reports.map(
      ({ host, role }) => `${nameServer(host)} is ${role === 'standby' ? 'a standby' : 'a former primary'}`,
    );
    throw connectionError(`no server is the primary (${[...others, ...problems].join('; ')})`);
  }

  #use({ host, role }: Server): Server {
    if (this.#current && this.#isCurrent({ host, role })) return this.#current;
    const current = { host, role };
    this.#current = current;
    for (const [socket, server] of this.#sockets)
      if (server.host !== host || server.role !== role) socket.destroy();
    // The position of the former primary does not apply to this one.
    if (role === 'primary') this.noteHidden();
    else this.onReadOnly();
    return current;
  }

  #leave(role: Role): void {
    this.#current = null;
    for (const [socket, server] of this.#sockets) if (server.role === role) socket.destroy();
  }
}

async function openSocket(
  { host, port }: ServerHost,
  options: DriverOptions,
  patienceMs: number,
): Promise<Socket> {
  const [defaultHost] = options.host;
  const at = port ?? options.port[0] ?? 5432;
  const folder = host.startsWith('/') ? `${host}/.s.PGSQL.${at}` : host === '' && options.path;
  const socket = folder ? connect(folder) : connect({ host: host || defaultHost, port: at });
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  socket.once('connect', () => resolve(socket)).once('error', reject);
  try {
    const opened = await inTime(promise, patienceMs, () => {
      throw connectionError(`${nameServer({ host, port })} does not answer in time`);
    });
    // The driver verifies the certificate for this name.
    return Object.assign(opened.off('error', reject), { host: host || defaultHost });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Asks one server on a connection of its own. */
async function probe(address: DatabaseAddress, host: ServerHost): Promise<Report> {
  const sockets: Socket[] = [];
  const client = postgres(address.driverUrl, {
    ...(address.username && { username: address.username }),
    socket: async (options: DriverOptions) => {
      const socket = await openSocket(host, options, probeMs);
      sockets.push(socket);
      return socket;
    },
    max: 1,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'pullquote' },
  } as postgres.Options<never>);
  try {
    const asking = client.unsafe<[{ standby: boolean; timeline: number; position: string }]>(`
      SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS standby,
        CASE WHEN pg_is_in_recovery() THEN '0'
          ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline,
        (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END - '0/0')::text AS position`);
    const [row] = await inTime(asking, probeMs, () => {
      throw connectionError('does not answer in time');
    });
    return {
      host,
      role: row.standby ? 'standby' : 'primary',
      timeline: row.timeline,
      position: Number(row.position),
    };
  } finally {
    for (const socket of sockets) socket.destroy();
    void client.end({ timeout: 0 });
  }
}

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (error instanceof Error && error.message) || code || String(error);
};
