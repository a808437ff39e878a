import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../test/postgres.ts';
import { type RunningServer, runServer, service } from '../run-server.ts';

/** After how many calls a service is killed again: any number up to this. */
const mostCalls = 250;
const lookEveryMs = 5;

interface Running extends RunningServer {
  calls: number;
}

/** Services on one database, which are killed and started again. */
export class Services {
  readonly #environment: Record<string, string>;
  readonly #up = new Map<number, Running>();
  #oneIsUp = Promise.withResolvers<void>();
  #kills = 0;

  constructor(environment: Record<string, string>) {
    this.#environment = { ...environment, LOG_LEVEL: 'fatal' };
  }

  get kills(): number {
    return this.#kills;
  }

  /** One after the other: the first makes the tables. */
  async start(count: number): Promise<void> {
    for (let started = 0; started < count; started += 1) await this.#startAt(await freePort());
  }

  /** The address of any that runs, as soon as one does. */
  readonly url = async (): Promise<string> => {
    while (this.#up.size === 0) await this.#oneIsUp.promise;
    const all = [...this.#up.values()];
    const running = all[Math.floor(Math.random() * all.length)];
    if (!running) return this.url();
    running.calls += 1;
    return running.url;
  };

  /** Kills each of them again and again, whatever the others are at, until so many have been killed. */
  async killUntil(most: number): Promise<void> {
    const keepKilling = async (port: number): Promise<void> => {
      while (this.#kills < most) {
        this.#kills += 1;
        const calls = Math.ceil(Math.random() * mostCalls);
        while ((this.#up.get(port)?.calls ?? calls) < calls) await wait(lookEveryMs);
        await this.#end(port, 'SIGKILL');
        await this.#startAt(port);
        if (this.#kills % 10 === 0) process.stderr.write(`${this.#kills} of ${most} killed\n`);
      }
    };
    await Promise.all([...this.#up.keys()].map(keepKilling));
  }

  async stop(): Promise<void> {
    for (const port of [...this.#up.keys()]) await this.#end(port, 'SIGTERM');
  }

  async #startAt(port: number): Promise<void> {
    const environment = { ...this.#environment, PORT: String(port) };
    this.#up.set(port, { ...(await runServer(service, { environment })), calls: 0 });
    this.#oneIsUp.resolve();
    this.#oneIsUp = Promise.withResolvers<void>();
  }

  async #end(port: number, signal: NodeJS.Signals): Promise<void> {
    const running = this.#up.get(port);
    if (!running) return;
    const ended = once(running.child, 'exit');
    running.child.kill(signal);
    this.#up.delete(port);
    await ended;
  }
}
