import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import postgres from 'postgres';
import { type App, buildApp } from '../../src/app.ts';
import { type Config, parseConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { asDatabaseFailure } from '../../src/db/failures.ts';
import { sql } from '../../src/db/sql.ts';
import { inTime } from '../../src/domain/concurrency.ts';
import type { Findings, Note, Writer } from '../acknowledged/caller.ts';
import type { SignUps } from '../acknowledged/keepers.ts';
import { runServer, service } from '../run-server.ts';
import type { StallPoint } from './follow-statements.ts';
import type { ProxiedConnection, StallingProxy } from './stalling-proxy.ts';

/** A way to stall. */
export interface Round {
  place: string;
  /** Stalls something for a time, and settles when that is over; false if no statement reached the position. */
  run: (ms: number) => Promise<boolean>;
}

/** A service that is used continuously. */
interface Used {
  database: () => Database;
  signUps: SignUps;
}

const never = new Promise(() => {});

/** The number of slow statements at once: as many as there are connections. */
const slowOnes = 10;

/** Signing up under such a name lasts until the commit, and then as long as the name says. */
export const lateCommits = `
  CREATE FUNCTION bench_stall() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(split_part(NEW.username, ''-'', 2)::float / 1000); RETURN NULL; END';
  CREATE CONSTRAINT TRIGGER bench_late AFTER INSERT ON identities DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.username LIKE 'late-%') EXECUTE FUNCTION bench_stall()`;

/** The ways in which statements and the network between service and server stall, and connections are lost. */
export function createRounds(
  proxy: StallingProxy,
  server: postgres.Sql,
  { database, signUps }: Used,
): Round[] {
  const at = (
    place: StallPoint,
    how: string,
    spring: (connection: ProxiedConnection, ms: number) => Promise<unknown>,
  ): Round => ({
    place: `${place}, ${how}`,
    async run(ms) {
      const sprung = await proxy.trap.set(place, async (connection) => {
        await spring(connection, ms);
        return true;
      });
      return sprung ?? false;
    },
  });
  const holdQuestions = (connection: ProxiedConnection, ms: number) => connection.holdQuestions(wait(ms));
  const holdAnswers = (connection: ProxiedConnection, ms: number) => connection.holdAnswers(wait(ms));
  const swallow = (connection: ProxiedConnection, ms: number) => {
    connection.swallow();
    return wait(ms);
  };
  const terminate = (connection: ProxiedConnection) =>
    connection.holdQuestions(
      server`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE client_port = ${connection.port ?? 0}`,
    );
  return [
    at('BEGIN', 'asked late', holdQuestions),
    at('a statement in the middle', 'asked late', holdQuestions),
    at('a statement in the middle', 'answered late', holdAnswers),
    at('the last statement', 'asked late', holdQuestions),
    at('the last statement', 'answered late', holdAnswers),
    at('COMMIT', 'asked late', holdQuestions),
    at('COMMIT', 'answered late', holdAnswers),
    at('ROLLBACK', 'asked late', holdQuestions),
    at('ROLLBACK', 'answered late', holdAnswers),
    at('a statement alone', 'asked late', holdQuestions),
    at('a statement alone', 'answered late', holdAnswers),
    at('a statement in the middle', 'connection terminated', terminate),
    at('COMMIT', 'connection terminated', terminate),
    at('a statement in the middle', 'swallowed for ever', swallow),
    at('COMMIT', 'swallowed for ever', swallow),
    at('COMMIT', 'answer swallowed for ever', (connection, ms) => {
      connection.holdAnswers(never);
      return wait(ms);
    }),
    {
      place: 'the listening connection terminated, LISTEN asked late',
      async run(ms) {
        const sprung = proxy.trap.set('LISTEN', async (connection) => {
          await holdQuestions(connection, ms);
          return true;
        });
        await server`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE query ILIKE 'listen "%'`;
        return (await sprung) ?? false;
      },
    },
    {
      place: 'all connections, and those that are opened',
      async run(ms) {
        await proxy.holdAll(wait(ms));
        return true;
      },
    },
    {
      place: 'COMMIT, by a deferred trigger',
      async run(ms) {
        await signUps.signUp(`late-${ms}`);
        return true;
      },
    },
    {
      place: 'ten slow statements at once',
      async run(ms) {
        const slow = () =>
          database()
            .query(sql`SELECT pg_sleep(${ms / 1000}::float)`)
            .catch(() => {});
        await Promise.all(Array.from({ length: slowOnes }, slow));
        return true;
      },
    },
  ];
}

/** Many times the timeout of a request. */
const migrationSeconds = 60;

/** How long a second service waited for a running migration, and whether it then served. */
export async function startBesideMigration(settings: Record<string, string>): Promise<string> {
  const other = postgres(settings.DATABASE_URL ?? '', { max: 1, onnotice: () => {} });
  const begun = performance.now();
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);
  try {
    await other.unsafe('BEGIN; LOCK TABLE schema_migrations');
    // Its articles are left to the service under test.
    const started = runServer(service, { environment: { ...settings, WRITERS: '0', LOG_LEVEL: 'fatal' } });
    started.catch(() => {});
    await other`SELECT pg_sleep(${migrationSeconds})`;
    await other.unsafe('COMMIT');
    const migrated = seconds();
    const running = await started;
    const { status } = await fetch(`${running.url}/articles`);
    const served = seconds();
    await running.stop();
    return status === 200 ? `served after ${served} s, migrated after ${migrated} s` : `answered ${status}`;
  } finally {
    await other.end();
  }
}

/** Logged responses that are bugs of the service. */
const ourFault = /"msg":"Something went wrong on our side/;

/** The whole service in this process, with the given timeout for its database. */
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

export const rowsTable = 'CREATE TABLE bench_rows (name text, part integer, PRIMARY KEY (name, part))';

class Undone extends Error {}

interface Storing {
  database: () => Database;
  limitMs: number;
  note: Note;
}

/**
 * Stores pairs of rows in its own transactions, beside the service's: for these it is known whether they were rolled
 * back on request or failed before their commit.
 */
export class Rows implements Writer {
  readonly kind = 'pairs of rows';
  readonly #storing: Storing;
  readonly #stored: string[] = [];
  readonly #undone: string[] = [];
  #names = 0;

  constructor(storing: Storing) {
    this.#storing = storing;
  }

  async write(): Promise<boolean> {
    const { database, limitMs, note } = this.#storing;
    this.#names += 1;
    const name = String(this.#names);
    const isUndone = this.#names % 2 === 0;
    const kind = isUndone ? 'rows rolled back' : this.kind;
    const begun = performance.now();
    let mayBeCommitted = false;
    const insert = (part: number) => sql`INSERT INTO bench_rows VALUES (${name}, ${part}::integer)`;
    const stored = database().transaction(async (tx) => {
      await tx.query(insert(1));
      await tx.query(sql`SELECT count(*) FROM bench_rows WHERE name = ${name}`);
      await tx.query(insert(2));
      if (isUndone) throw new Undone();
      mayBeCommitted = true;
    });
    const outcome = await inTime(
      stored.then(() => '200', outcomeOf),
      limitMs,
      () => 'hung',
    );
    note(kind, outcome, performance.now() - begun);
    if (outcome === '200' && !isUndone) this.#stored.push(name);
    else if (!mayBeCommitted) this.#undone.push(name);
    return outcome === '200';
  }

  async find(): Promise<Findings> {
    const rows = await this.#storing
      .database()
      .query<{ name: string; parts: number }>(
        sql`SELECT name, count(*) AS parts FROM bench_rows GROUP BY name`,
      );
    const found = new Map(rows.map(({ name, parts }) => [name, parts]));
    const halves = rows.filter(({ parts }) => parts !== 2).length;
    return {
      acknowledged: this.#stored.length,
      lost: this.#stored.filter((name) => !found.has(name)).length + halves,
      'still there': this.#undone.filter((name) => found.has(name)).length,
    };
  }
}

function outcomeOf(error: unknown): string {
  if (error instanceof Undone) return '200';
  return asDatabaseFailure(error)?.code === 'UNAVAILABLE' ? '503' : '500';
}
