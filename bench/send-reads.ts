import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** The addresses to read, and how. */
export interface Reading {
  /** The addresses of one server; all its responses have the same length. */
  servers: string[][];
  connections: number;
  turns: number;
  turnMs: number;
}

/** The responses of one server, by turn. */
export interface Read {
  perSecond: number[];
  p50Ms: number;
  p99Ms: number;
  bytes: number;
}

/**
 * Large enough to read everything that has arrived at once. The content is only counted, so all connections share the
 * buffer.
 */
const buffer = Buffer.allocUnsafeSlow(256 * 1024);
const good = 'HTTP/1.1 200';

/**
 * Reads addresses of one server in turn on many connections, one request at a time on each. Responses are counted by
 * length only, so that the client costs as little as possible.
 */
class Reader {
  readonly latencies: number[] = [];
  readonly perSecond: number[] = [];
  bytes = 0;
  #sockets: Socket[] = [];
  #requests: string[];
  #asked = 0;
  #whole = 0;
  #end = 0;
  #answered = 0;
  #busy = 0;
  #over = Promise.withResolvers<void>();
  #asks: (() => void)[] = [];

  constructor(urls: string[]) {
    this.#requests = urls.map((url) => {
      const { pathname, search, host } = new URL(url);
      return `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\n\r\n`;
    });
  }

  async open(url: string, connections: number): Promise<void> {
    const { hostname, port } = new URL(url);
    for (let index = 0; index < connections; index++) {
      let askedAt = 0;
      let missing = 0;
      const callback = (length: number): boolean => {
        if (missing === 0) {
          if (buffer.toString('latin1', 0, good.length) !== good) {
            this.#over.reject(new Error(buffer.toString('latin1', 0, Math.min(length, 500))));
            return false;
          }
          missing = this.#whole || this.#measureFirst(length);
        }
        missing -= length;
        if (missing > 0) return true;
        const now = performance.now();
        this.latencies.push(now - askedAt);
        this.#answered += 1;
        if (now < this.#end) ask();
        else if (--this.#busy === 0) this.#over.resolve();
        return true;
      };
      const socket = connect({ port: Number(port), host: hostname, onread: { buffer, callback } });
      const ask = () => {
        askedAt = performance.now();
        socket.write(this.#requests[this.#asked++ % this.#requests.length] ?? '');
      };
      await once(socket, 'connect');
      socket.on('error', (error) => this.#over.reject(error));
      socket.on('close', () => this.#over.reject(new Error('The server has closed a connection.')));
      this.#asks.push(ask);
      this.#sockets.push(socket);
    }
  }

  /** Every response is as long as the first: parsing each head would cost more than some servers take to send it. */
  #measureFirst(length: number): number {
    const text = buffer.toString('latin1', 0, length);
    this.bytes = Number(/content-length: (\d+)/i.exec(text)?.[1]);
    this.#whole = text.indexOf('\r\n\r\n') + 4 + this.bytes;
    return this.#whole;
  }

  async takeTurn(ms: number): Promise<void> {
    const start = performance.now();
    this.#end = start + ms;
    this.#answered = 0;
    this.#busy = this.#asks.length;
    this.#over = Promise.withResolvers();
    for (const ask of this.#asks) ask();
    await this.#over.promise;
    this.perSecond.push((this.#answered * 1000) / (performance.now() - start));
  }

  /** Earlier responses do not count. */
  forget(): void {
    this.latencies.length = 0;
    this.perSecond.length = 0;
  }

  close(): Read {
    for (const socket of this.#sockets) socket.destroy();
    const { perSecond, bytes } = this;
    const sorted = this.latencies.sort((one, other) => one - other);
    const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
    return { perSecond, p50Ms: at(0.5), p99Ms: at(0.99), bytes };
  }
}

/** In random order, so that no server always follows the same other one. */
function shuffle<Item>(items: Item[]): Item[] {
  const keyed = items.map((item) => ({ item, key: Math.random() }));
  return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item);
}

/** Servers take short turns, so that disturbances affect them equally. */
async function read({ servers, connections, turns, turnMs }: Reading): Promise<Read[]> {
  const readers: Reader[] = [];
  for (const urls of servers) {
    const reader = new Reader(urls);
    await reader.open(urls[0] ?? '', connections);
    await reader.takeTurn(turnMs * 4);
    reader.forget();
    readers.push(reader);
  }
  for (let turn = 0; turn < turns; turn++)
    for (const reader of shuffle(readers)) await reader.takeTurn(turnMs);
  return readers.map((reader) => reader.close());
}

process.once('message', async (reading: Reading) => {
  process.send?.(await read(reading));
  process.disconnect();
});
