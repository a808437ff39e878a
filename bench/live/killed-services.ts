import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type RunningServer, runServer } from '../run-server.ts';

const fastService = join(import.meta.dirname, 'fast-service.ts');

/** Of what lives for seconds, starting is most of the work: compiled code is kept. */
const compiled = join(import.meta.dirname, '../../node_modules/.cache/pullquote');

/** Services on one database, one of which is killed from time to time and started again. */
export class KilledServices {
  readonly #start: () => Promise<RunningServer>;
  readonly #running: (RunningServer | null)[] = [];
  readonly #over = new AbortController();
  #killing = Promise.resolve();
  #kills = 0;
  #failedStarts = 0;

  constructor(environment: Record<string, string>, clock: { epoch: number; speed: number }) {
    const parameters = [fastService, String(clock.epoch), String(clock.speed)];
    const quickly = { NODE_COMPILE_CACHE: compiled, ...environment };
    this.#start = () => runServer(parameters, { environment: quickly });
  }

  get kills(): number {
    return this.#kills;
  }

  /** How often one that was killed could not be started at once. */
  get failedStarts(): number {
    return this.#failedStarts;
  }

  /** One after the other: the first makes the tables. */
  async start(count: number): Promise<void> {
    for (let place = 0; place < count; place += 1) this.#running[place] = await this.#start();
  }

  /** Those that can be asked now. */
  urls(): string[] {
    return this.#running.flatMap((one) => one?.url ?? []);
  }

  beginKilling(everyMs: number): void {
    this.#killing = this.#killInTurn(everyMs);
  }

  async endKilling(): Promise<void> {
    this.#over.abort();
    await this.#killing;
  }

  async stop(): Promise<void> {
    await this.endKilling();
    for (const running of this.#running.splice(0)) await running?.stop();
  }

  /** On a machine so busy that starting takes longer than the pause, each gets to do something before it is killed. */
  async #killInTurn(everyMs: number): Promise<void> {
    for (let pauseMs = everyMs; ; ) {
      await pause(pauseMs, undefined, { signal: this.#over.signal }).catch(() => {});
      if (this.#over.signal.aborted) return;
      const place = this.#kills % this.#running.length;
      const victim = this.#running[place];
      if (!victim) throw new Error('A service that was killed was not started again.');
      const ended = once(victim.child, 'exit');
      victim.child.kill('SIGKILL');
      this.#running[place] = null;
      this.#kills += 1;
      await ended;
      const start = performance.now();
      this.#running[place] = await this.#startAgain();
      pauseMs = Math.max(everyMs, 2 * (performance.now() - start));
    }
  }

  /** As often as it takes, as what keeps services running does: on a busy machine one may give up waiting for its database. */
  async #startAgain(): Promise<RunningServer | null> {
    while (!this.#over.signal.aborted) {
      const started = await this.#start().catch(() => null);
      if (started) return started;
      this.#failedStarts += 1;
    }
    return null;
  }
}
