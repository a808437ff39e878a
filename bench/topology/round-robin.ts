import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const tryForMs = 10_000;
const tryEveryMs = 50;

/** Asks one server; null where it has refused the connection, so that another can be asked. */
async function askOne(url: string, from: IncomingMessage, body: Buffer): Promise<IncomingMessage | null> {
  const { method, headers, url: path } = from;
  const sent = request(new URL(path ?? '/', url), { method, headers, agent: false });
  sent.end(body);
  try {
    const [answer] = await once(sent, 'response');
    return answer;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    // What may have been done is asked again only where that changes nothing.
    if (code === 'ECONNREFUSED' || (code === 'ECONNRESET' && method !== 'POST')) return null;
    throw error;
  }
}

async function pass(urls: () => string, from: IncomingMessage, to: ServerResponse): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(from));
  for (const begun = performance.now(); performance.now() - begun < tryForMs; ) {
    const answer = await askOne(urls(), from, body);
    if (answer) {
      const { connection: _, ...headers } = answer.headers;
      to.writeHead(answer.statusCode ?? 502, headers);
      answer.pipe(to);
      return;
    }
    await pause(tryEveryMs);
  }
  to.writeHead(502).end();
}

/** A proxy that has servers asked in turn, and another where one does not take connections. */
export async function proxyTo(urls: string[]): Promise<{ url: string; close: () => void }> {
  let turn = 0;
  const next = () => urls[turn++ % urls.length] ?? '';
  const server = createServer((from, to) => {
    pass(next, from, to).catch(() => void to.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
