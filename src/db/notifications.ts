import { inTime } from '../domain/concurrency.ts';
import { Connection, connectionEnded, type ServerAccess } from './connection-pool.ts';
import type { Listener } from './database.ts';

/** A connection that breaks unnoticed would never deliver anything, so it is asked this often. */
const beatMs = 750;

/** If the server is silent for longer, the others are asked whether one of them is the primary now. */
const silentMs = 400;

const retryMs = 250;

/**
 * Listens to all channels on one connection to the primary. It is also the first to notice that the primary is gone, and
 * looks for the next one until there is one.
 */
export class Notifications {
  readonly #access: ServerAccess;
  readonly #listeners = new Map<string, Set<Listener>>();
  #connection: Connection | null = null;
  #watching: Promise<void> | null = null;
  #wake = () => {};
  #isClosed = false;

  constructor(access: ServerAccess) {
    this.#access = access;
  }

  async listen(channel: string, listener: Listener): Promise<() => Promise<void>> {
    if (this.#isClosed) throw connectionEnded();
    const others = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, others.add(listener));
    await this.#listenOn(this.#connection ?? this.#connect());
    listener.onListening?.();
    this.#watching ??= this.#watch();
    return async () => void others.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    await this.#connection?.end();
    await this.#watching;
  }

  #connect(): Connection {
    this.#connection = new Connection(this.#access, {
      onNotify: (channel, message) => {
        for (const { onMessage } of this.#listeners.get(channel) ?? []) onMessage(message);
      },
      onClose: () => this.#wake(),
    });
    return this.#connection;
  }

  /** To listen once more changes nothing, so the same script also asks for a sign of life. */
  async #listenOn(connection: Connection): Promise<void> {
    const { servers } = this.#access;
    const channels = [...this.#listeners.keys()].map((channel) => `LISTEN "${channel}"`);
    const script = [...channels, `SELECT (pg_current_wal_lsn() - '0/0')::bigint AS position`].join('; ');
    const take = servers.measure();
    const answer = connection
      .ask((client) => client.unsafe(script))
      .then((results) => take(results.at(-1)?.[0].position));
    await (servers.areSeveral ? inTime(answer, silentMs, () => this.#searchDuring(answer)) : answer);
  }

  /** If another server is the primary now, the connection to the silent one is closed, which ends the answer. */
  async #searchDuring(answer: Promise<void>): Promise<void> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    answer.then(end, end);
    while (!isOver && !this.#isClosed) {
      await this.#access.servers.search().catch(() => {});
      await this.#pause(retryMs);
    }
    await answer;
  }

  async #watch(): Promise<void> {
    while (!this.#isClosed) {
      const known = this.#connection;
      if (known?.isUsable) await this.#pause(beatMs);
      if (this.#isClosed) return;
      try {
        if (known?.isUsable) await this.#listenOn(known);
        else if (await this.#access.servers.hasPrimary()) await this.#listenAgain();
        else await this.#pause(retryMs);
      } catch {
        // A connection that failed is not used again.
        await this.#connection?.end();
        await this.#pause(retryMs);
      }
    }
  }

  sayReadOnly(): void {
    for (const listeners of this.#listeners.values()) for (const { onReadOnly } of listeners) onReadOnly?.();
  }

  async #listenAgain(): Promise<void> {
    await this.#listenOn(this.#connect());
    for (const listeners of this.#listeners.values())
      for (const { onListening } of listeners) onListening?.();
  }

  #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms).unref();
    this.#wake = resolve;
    return promise.finally(() => clearTimeout(timer));
  }
}
