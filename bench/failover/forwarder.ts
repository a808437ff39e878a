import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on loopback that can become a black hole: connections stay open, but no byte passes, not even their end. */
export class Forwarder {
  readonly #server = createServer();
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  /** Returns the port that leads to the target. */
  async open(target: number): Promise<number> {
    this.#server.on('connection', (client) => {
      const server = connect(target, '127.0.0.1');
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const) {
        this.#sockets.add(one);
        one.setNoDelay(true);
        one.on('data', (bytes) => void other.write(bytes));
        one.on('error', () => {});
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
        if (this.#isCut) one.pause();
      }
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  heal(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.resume();
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
