import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const tryForMs = 10_000;
const tryEveryMs = 50;
/** As ops/Caddyfile has it. */
const healthEveryMs = 1_000;
const healthMs = 2_000;

/** Asks one server; null where it has refused the connection, so that another can be asked. */
async function askOne(
  url: string,
  agent: Agent,
  { from, body }: { from: IncomingMessage; body: Buffer },
): Promise<IncomingMessage | null> {
  const { method, url: path } = from;
  // How a connection is kept is between its two ends.
  const { connection: _, ...headers } = from.headers;
  const sent = request(new URL(path ?? '/', url), { method, headers, agent });
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

/** Of several servers, those that say that they are well, which each is asked every second. */
class Upstreams {
  readonly #urls: string[];
  #well: string[];
  #turn = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(urls: string[]) {
    this.#urls = urls;
    this.#well = urls;
    this.#timer = setInterval(() => void this.#look(), healthEveryMs);
  }

  next(): string {
    const those = this.#well.length > 0 ? this.#well : this.#urls;
    return those[this.#turn++ % those.length] ?? '';
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const look = async (url: string): Promise<boolean> => {
      const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(healthMs) });
      await answer.arrayBuffer();
      return answer.ok;
    };
    const answers = await Promise.all(this.#urls.map((url) => look(url).catch(() => false)));
    this.#well = this.#urls.filter((_, index) => answers[index]);
  }
}

async function pass(
  upstreams: Upstreams,
  agent: Agent,
  { from, to }: { from: IncomingMessage; to: ServerResponse },
): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(from));
  for (const begun = performance.now(); performance.now() - begun < tryForMs; ) {
    const answer = await askOne(upstreams.next(), agent, { from, body });
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

/**
 * A proxy that keeps its connections, has servers that are well asked in turn, and another where one does not take a
 * connection. It never sends again what may have been stored.
 */
export async function proxyTo(urls: string[]): Promise<{ url: string; close: () => void }> {
  const upstreams = new Upstreams(urls);
  const agent = new Agent({ keepAlive: true });
  const server = createServer((from, to) => {
    pass(upstreams, agent, { from, to }).catch(() => void to.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      upstreams.stop();
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
