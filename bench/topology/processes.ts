import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, type PostgresServer } from '../../test/postgres.ts';
import { type RunningServer, runServer, service, worker } from '../run-server.ts';

interface Place {
  name: string;
  parameters: string[];
  environment: Record<string, string>;
  running: RunningServer | null;
}

/** A period in which a process was down. */
interface Absence {
  from: number;
  /** Infinity while it lasts. */
  until: number;
}

/** Processes that serve and processes that write, on one PostgreSQL, each of which is killed and restarted. */
export class Processes {
  readonly #places: Place[] = [];
  readonly #postgres: Pick<PostgresServer, 'killAndStart'> | null;
  readonly #absences = new Map<string, Absence[]>();
  #kills = 0;

  /** Without a PostgreSQL, only the other processes are killed. */
  constructor(postgres: Pick<PostgresServer, 'killAndStart'> | null = null) {
    this.#postgres = postgres;
  }

  get kills(): number {
    return this.#kills;
  }

  /** Started one after another, because the first one creates the tables. */
  async start(
    environment: Record<string, string>,
    counts: { api: number; writers: number },
    /** Settings of a single process. */
    settingsOf: (name: string) => Record<string, string> = () => ({}),
  ): Promise<void> {
    const add = async (name: string, parameters: string[], writers: string): Promise<void> => {
      const own = { WRITERS: writers, PORT: String(await freePort()), ...settingsOf(name) };
      const settings = { ...environment, ...own };
      const place: Place = { name, parameters, environment: settings, running: null };
      this.#places.push(place);
      await this.#startAt(place);
    };
    for (let number = 1; number <= counts.api; number += 1) await add(`api ${number}`, service, '0');
    for (let number = 1; number <= counts.writers; number += 1) await add(`writer ${number}`, worker, '2');
  }

  /** The addresses of running servers, whatever they are doing. */
  urls(): string[] {
    return this.#answering().flatMap(({ running }) => running?.url ?? []);
  }

  /** The addresses of servers that are running or restarting. */
  allUrls(): string[] {
    return this.#answering().map(({ environment }) => `http://127.0.0.1:${environment.PORT}`);
  }

  /** Whether a process, or PostgreSQL, was down at any moment of a period. */
  wasAway(what: string, from: number, until: number): boolean {
    const absences = this.#absences.get(what) ?? [];
    return absences.some((one) => one.from <= until && from <= one.until);
  }

  /** Kills one process after another, including PostgreSQL, each after a pause, until the period is over. */
  async killInTurn(pause: () => Promise<boolean>): Promise<void> {
    for (let turn = 0; await pause(); turn += 1) {
      const postgres = this.#postgres;
      const place = this.#places[turn % (this.#places.length + (postgres ? 1 : 0))];
      this.#kills += 1;
      if (place) await this.#endAndStart(place, 'SIGKILL');
      else if (postgres) await this.#noteAbsence('postgres', () => postgres.killAndStart());
    }
  }

  async restartInTurn(): Promise<void> {
    for (const place of this.#places) await this.#endAndStart(place, 'SIGTERM');
  }

  async stop(): Promise<void> {
    for (const place of this.#places.splice(0)) await this.#end(place, 'SIGTERM');
  }

  #answering(): Place[] {
    return this.#places.filter(({ parameters }) => parameters === service);
  }

  async #endAndStart(place: Place, signal: NodeJS.Signals): Promise<void> {
    await this.#noteAbsence(place.running?.url ?? '', async () => {
      await this.#end(place, signal);
      await this.#startAt(place);
    });
  }

  async #noteAbsence(what: string, work: () => Promise<void>): Promise<void> {
    const absence = { from: performance.now(), until: Number.POSITIVE_INFINITY };
    this.#absences.set(what, [...(this.#absences.get(what) ?? []), absence]);
    await work();
    absence.until = performance.now();
  }

  async #startAt(place: Place): Promise<void> {
    for (let attempt = 1; !place.running; attempt += 1)
      try {
        place.running = await runServer(place.parameters, { environment: place.environment });
      } catch (error) {
        if (attempt === 5) throw error;
      }
  }

  async #end(place: Place, signal: NodeJS.Signals): Promise<void> {
    const child = place.running?.child;
    place.running = null;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

const tryForMs = 10_000;
const tryEveryMs = 50;
/** The interval of health checks, as in ops/Caddyfile. */
const healthEveryMs = 1_000;
const healthMs = 2_000;

/** Calls one server; null if it refused the connection, so that another can be tried. */
async function askOne(
  url: string,
  agent: Agent,
  { from, body }: { from: IncomingMessage; body: Buffer },
): Promise<IncomingMessage | null> {
  const { method, url: path } = from;
  // Connection headers apply between two ends only.
  const { connection: _, ...headers } = from.headers;
  const sent = request(new URL(path ?? '/', url), { method, headers, agent });
  sent.end(body);
  try {
    const [answer] = await once(sent, 'response');
    return answer;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    // Requests that may have been carried out are repeated only if that changes nothing.
    if (code === 'ECONNREFUSED' || (code === 'ECONNRESET' && method !== 'POST')) return null;
    throw error;
  }
}

/** The healthy servers, each checked every second. */
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
 * A proxy that keeps connections, distributes requests over healthy servers, and tries another one if a server refuses
 * the connection. It never repeats a request that may have been stored.
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
