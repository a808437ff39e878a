import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

/** A proxy to a database that a test can close and reopen, as if the server were away. */
export async function proxyToDatabase(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  const open = new Set<Socket>();
  let isAway = false;
  const proxy = createServer((client) => {
    if (isAway) return void client.destroy();
    const server = connect(Number(port), hostname);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => {});
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  after(() => {
    proxy.close();
    for (const socket of open) socket.destroy();
  });
  const url = new URL(databaseUrl);
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    goAway() {
      isAway = true;
      for (const socket of open) socket.destroy();
    },
    comeBack() {
      isAway = false;
    },
  };
}
