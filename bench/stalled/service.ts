import { pino } from 'pino';
import { type App, buildApp } from '../../src/app.ts';
import { type Config, parseConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';

/** What the log says of answers that are a bug of ours. */
const ourFault = /"msg":"Something went wrong on our side/;

/** The whole service in this process, with as much patience with its database as it is told to have. */
export class Service {
  readonly config: Config;
  readonly faults: string[] = [];
  #running: { app: App; url: string } | null = null;

  constructor(settings: Record<string, string>) {
    this.config = parseConfig({ PORT: '0', RATE_LIMIT: '0', ...settings });
  }

  async start(databasePatienceMs?: number): Promise<void> {
    const note = (line: string) => void (ourFault.test(line) && this.faults.push(line));
    const app = await buildApp(this.config, {
      log: pino({ level: 'error', base: null }, { write: note }),
      clock: () => new Date(),
      command: 'serve',
      announce: () => {},
      databasePatienceMs,
    });
    const { listen: host, port } = this.config;
    this.#running = { app, url: await app.server.listen({ host, port }) };
  }

  async stop(): Promise<void> {
    await this.#running?.app.close();
    this.#running = null;
  }

  readonly url = (): string => this.#now.url;
  readonly database = (): Database => this.#now.app.database;

  get #now() {
    if (!this.#running) throw new Error('The service does not run.');
    return this.#running;
  }
}
