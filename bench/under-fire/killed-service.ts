import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { freePort } from '../../test/postgres.ts';
import type { Caller } from '../acknowledged/caller.ts';
import { backendsOf, postmasterOf, serverProcesses } from '../local-server.ts';
import { type RunningServer, runServer, service } from '../run-server.ts';

/**
 * The processes to kill: the service; the postmaster of its PostgreSQL, which the service starts again; and a backend
 * of that, after which the server ends all connections and recovers.
 */
export const victims = ['backend', 'server', 'service'] as const;
type Victim = (typeof victims)[number];

const ofEach = <Value>(make: () => Value) => ({ backend: make(), server: make(), service: make() });

/** A process is killed after a random number of acknowledged calls up to this. */
const mostCalls = 250;
/** The share of kills that happen before anything is acknowledged again. */
const atOnce = 0.1;
const lookEveryMs = 5;

/** The time within which something must be acknowledged again, far more than it takes on a busy machine. */
const mostBackMs = 120_000;

interface Killing {
  each: number;
  /** The number of acknowledged calls. */
  acknowledged: () => number;
  /** Writes something new; returns whether it was acknowledged. */
  write: () => Promise<boolean>;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + mostBackMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`Waited ${mostBackMs / 1000} s in vain until ${what}.`);
    await wait(lookEveryMs);
  }
}

/** A service on its own PostgreSQL; both are killed with -9 repeatedly. */
export class KilledService {
  readonly kills: Record<Victim, number> = ofEach(() => 0);
  /** The time after each kill until a new change was acknowledged. */
  readonly backMs: Record<Victim, number[]> = ofEach(() => []);
  /** The time after that until `/healthz` was healthy. */
  readonly unhealthyMs: Record<Victim, number[]> = ofEach(() => []);
  failedStarts = 0;
  /** How often the service has ended without being killed; it is then started again. */
  ownEnds = 0;
  readonly #environment: Record<string, string>;
  readonly #dataFolder: string;
  #running: RunningServer | null = null;

  constructor(environment: Record<string, string>, dataFolder: string) {
    this.#environment = { ...environment, LOG_LEVEL: 'fatal' };
    this.#dataFolder = dataFolder;
  }

  async start(): Promise<void> {
    this.#environment.PORT ??= String(await freePort());
    while (!this.#running) {
      try {
        const running = await runServer(service, { environment: this.#environment });
        this.#running = running;
        running.child.once('exit', () => {
          if (this.#running !== running) return;
          this.ownEnds += 1;
          this.#running = null;
          void this.start();
        });
      } catch (error) {
        this.failedStarts += 1;
        process.stderr.write(`${error}\n`);
        if (this.failedStarts === 20) throw error;
      }
    }
  }

  /** The address of the service, once it runs. */
  readonly url = async (): Promise<string> => {
    while (!this.#running) await wait(lookEveryMs);
    return this.#running.url;
  };

  /** Kills the processes in turn, whatever the service is doing. */
  async killAll({ each, acknowledged, write }: Killing): Promise<void> {
    for (const turn of Array(each).keys()) {
      for (const victim of victims) {
        const calls = acknowledged() + Math.ceil(Math.random() * mostCalls);
        await until('people go on writing', async () => acknowledged() >= calls);
        const begun = performance.now();
        await this.#kill(victim);
        this.kills[victim] += 1;
        if (victim === 'server' && Math.random() < atOnce) continue;
        await until('something is acknowledged again', write);
        const back = performance.now();
        this.backMs[victim].push(Math.round(back - begun));
        let unhealthyMs = 0;
        await until('it is healthy', async () => {
          const problem = await this.#findProblem();
          if (problem !== null) unhealthyMs = Math.round(performance.now() - back);
          if (unhealthyMs > 1_000 && problem) process.stderr.write(`${unhealthyMs} ms: ${problem}\n`);
          return problem === null;
        });
        this.unhealthyMs[victim].push(unhealthyMs);
      }
      if ((turn + 1) % 10 === 0) process.stderr.write(`each killed ${turn + 1} times of ${each}\n`);
    }
  }

  async #kill(victim: Victim): Promise<void> {
    if (victim === 'service') {
      await this.end('SIGKILL');
      await this.start();
      return;
    }
    await until('PostgreSQL runs', async () => {
      const server = postmasterOf(this.#dataFolder);
      const backends = victim === 'backend' ? backendsOf(this.#dataFolder) : [];
      const pid = victim === 'backend' ? backends[Math.floor(Math.random() * backends.length)] : server;
      if (!server || !pid) return false;
      process.kill(pid, 'SIGKILL');
      return true;
    });
  }

  async #findProblem(): Promise<string | null> {
    const response = await fetch(`${await this.url()}/healthz`).catch(() => null);
    const text = await response?.text().catch(() => '');
    return response?.status === 200 ? null : (text ?? 'no answer');
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#running?.child;
    if (!child) return;
    this.#running = null;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** The number of PostgreSQL processes left some time after the service was killed, and when the last one ended. */
  async serverLeft(withinMs: number): Promise<{ left: number; ms: number }> {
    const begun = performance.now();
    for (;;) {
      const left = serverProcesses(this.#dataFolder).length;
      const ms = Math.round(performance.now() - begun);
      if (left === 0 || ms > withinMs) return { left, ms };
      await wait(lookEveryMs);
    }
  }
}

const pageSize = 100;

interface Page {
  items: { articleId: string; likeCount: number }[];
  pagination: { totalItems: number };
}

/** A ranking of the service, page by page. */
async function readRanking(caller: Caller, period: string): Promise<Page> {
  const read: Page = { items: [], pagination: { totalItems: 1 } };
  for (let offset = 0; offset < read.pagination.totalItems; offset += pageSize) {
    const path = `/ranking/articles/likes?period=${period}&limit=${pageSize}&offset=${offset}`;
    const { data }: { data: Page } = JSON.parse((await caller.look(path)).text);
    read.items.push(...data.items);
    read.pagination = data.pagination;
  }
  return read;
}

/** The rankings of the day, which has all likes, and of all time. */
export const readRankings = (caller: Caller): Promise<Page[]> =>
  Promise.all(['daily', 'all'].map((period) => readRanking(caller, period)));

/** The number of ranking places that do not follow from the likes. */
export async function countWrongPlaces(rankings: Page[], database: Database): Promise<number> {
  const expected = await database.query<{ id: string; likes: number }>(sql`
    SELECT likes.article_id AS id, count(*) AS likes
    FROM article_likes AS likes JOIN articles ON articles.id = likes.article_id
    GROUP BY likes.article_id, likes.language_code, articles.created_at
    ORDER BY count(*) DESC, articles.created_at DESC, likes.article_id, likes.language_code`);
  let wrong = 0;
  for (const { items, pagination } of rankings) {
    if (pagination.totalItems !== expected.length) wrong += 1;
    for (const [index, { id, likes }] of expected.entries())
      if (items[index]?.articleId !== id || items[index]?.likeCount !== likes) wrong += 1;
  }
  return wrong;
}
