import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { inTime } from '../../src/domain/concurrency.ts';
import { type StallPoint, StatementFollower, splitMessages } from './follow-statements.ts';

/** The time after which a server closes a connection whose other end has disappeared. */
const foundOutMs = 5_000;

/** Bytes in one direction, which can be delayed. */
class Direction {
  readonly #to: Socket;
  #held: Buffer[] | null = null;
  #isOver = false;

  constructor(to: Socket) {
    this.#to = to;
  }

  pass(bytes: Buffer): void {
    if (this.#held) this.#held.push(bytes);
    else this.#to.write(bytes);
  }

  /** Bytes sent before the sender closed the connection still arrive, however late. */
  end(): void {
    this.#isOver = true;
    if (!this.#held) this.#to.end();
  }

  async hold(until: Promise<unknown>): Promise<void> {
    this.#held ??= [];
    await until;
    for (const bytes of this.#held ?? []) this.#to.write(bytes);
    this.#held = null;
    if (this.#isOver) this.#to.end();
  }
}

/** A connection of the service to the server, through the proxy. */
export class ProxiedConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #questions: Direction;
  readonly #answers: Direction;
  readonly #follower: StatementFollower;
  readonly #trap: Trap<ProxiedConnection>;
  #rest: Buffer = Buffer.alloc(0);
  #isGreeted = false;
  #isSwallowed = false;

  constructor(
    client: Socket,
    server: Socket,
    followed: { trap: Trap<ProxiedConnection>; lastOnes: Set<string> },
  ) {
    this.#client = client;
    this.#server = server;
    this.#questions = new Direction(server);
    this.#answers = new Direction(client);
    this.#trap = followed.trap;
    this.#follower = new StatementFollower(followed.lastOnes);
    client.on('data', (bytes) => this.#ask(bytes));
    server.on('data', (bytes) => this.#answers.pass(bytes));
    client.on('close', () => this.#questions.end());
    server.on('close', () => this.#answers.end());
    // A reset connection is closed too.
    for (const socket of [client, server]) socket.on('error', () => {});
  }

  /** The port by which the server knows it. */
  get port(): number | undefined {
    return this.#server.localPort;
  }

  /** Delays requests, from the current statement on. */
  holdQuestions(until: Promise<unknown>): Promise<void> {
    return this.#questions.hold(until);
  }

  /** Delays responses, from that to the current statement on. */
  holdAnswers(until: Promise<unknown>): Promise<void> {
    return this.#answers.hold(until);
  }

  /**
   * Delivers nothing in either direction, from the current statement on, not even the end of the connection. The server
   * notices it after a while, as with keepalives.
   */
  swallow(): void {
    this.#isSwallowed = true;
    for (const socket of [this.#client, this.#server]) socket.pause();
    setTimeout(() => this.#server.destroy(), foundOutMs).unref();
  }

  destroy(): void {
    for (const socket of [this.#client, this.#server]) socket.destroy();
  }

  #ask(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    // The first message names the client and has no type.
    if (!this.#isGreeted) {
      if (this.#rest.length < 4 || this.#rest.length < this.#rest.readInt32BE(0)) return;
      const end = this.#rest.readInt32BE(0);
      this.#questions.pass(this.#rest.subarray(0, end));
      this.#rest = this.#rest.subarray(end);
      this.#isGreeted = true;
    }
    const { messages, rest } = splitMessages(this.#rest);
    this.#rest = rest;
    for (const message of messages) {
      this.#trap.spring(this.#follower.stallPointOf(message), this);
      if (!this.#isSwallowed) this.#questions.pass(message);
    }
  }
}

/** A proxy between a service and its server on loopback, which stops passing bytes when told to. */
export class StallingProxy {
  readonly trap = new Trap<ProxiedConnection>();
  readonly #server = createServer();
  readonly #connections = new Set<ProxiedConnection>();
  #stalled: Promise<unknown> | null = null;

  /** The address of a database through its own proxy. */
  async open(databaseUrl: string): Promise<string> {
    const { hostname, port } = new URL(databaseUrl);
    const lastOnes = new Set<string>();
    this.#server.on('connection', (client) => {
      const server = connect(Number(port), hostname);
      const connection = new ProxiedConnection(client, server, { trap: this.trap, lastOnes });
      this.#connections.add(connection);
      server.on('close', () => this.#connections.delete(connection));
      if (this.#stalled) connection.holdQuestions(this.#stalled);
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const through = new URL(databaseUrl);
    through.port = String((this.#server.address() as AddressInfo).port);
    return through.href;
  }

  /** Delays all requests for a while, on every connection, including new ones. */
  async holdAll(until: Promise<unknown>): Promise<void> {
    this.#stalled = until;
    await Promise.all([...this.#connections].map((connection) => connection.holdQuestions(until)));
    this.#stalled = null;
  }

  close(): void {
    for (const connection of this.#connections) connection.destroy();
    this.#server.close();
  }
}

/** Longer than it takes until a statement reaches any position while users write. */
const mostMs = 20_000;

/** Waits for the first statement at a position, and acts on it. */
class Trap<Victim> {
  #set: { place: StallPoint; spring: (victim: Victim) => void } | null = null;

  /** Settles with the result of the action; null if no statement came. */
  async set<Result>(
    place: StallPoint,
    spring: (victim: Victim) => Promise<Result> | Result,
  ): Promise<Result | null> {
    const { promise, resolve } = Promise.withResolvers<Result>();
    this.#set = { place, spring: (victim) => resolve(spring(victim)) };
    return inTime(promise, mostMs, () => {
      this.#set = null;
      return null;
    });
  }

  spring(place: StallPoint | null, victim: Victim): void {
    const set = this.#set;
    if (!set || set.place !== place) return;
    this.#set = null;
    set.spring(victim);
  }
}
