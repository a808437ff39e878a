import postgres from 'postgres';
import { StartupProblem } from '../domain/errors.ts';
import { inTime } from '../domain/in-time.ts';
import type { Database, Listener, Queries } from './database.ts';
import { throwAsDatabaseError } from './failures.ts';
import { migrate } from './migrate.ts';
import { type Sql, sql } from './sql.ts';

const oldestMajor = 15;

/** Longer than any query of ours takes, shorter than anybody waits. */
const patienceMs = 10_000;

/** 64-bit integers arrive as text unless told otherwise; every one that we store fits a number. */
const bigint = { to: 20, from: [20], serialize: String, parse: Number };

/** The queue hands JSON over as text; the driver would write it down as a JSON string of that text. */
const json = {
  to: 114,
  from: [114, 3802],
  serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
  parse: (text: string): unknown => JSON.parse(text),
};

export async function openPostgres(databaseUrl: string): Promise<Database> {
  const pool = postgres(databaseUrl, {
    max: 10,
    connect_timeout: patienceMs / 1000,
    connection: { application_name: 'pullquote' },
    types: { bigint, json },
    onnotice: () => {},
  });
  try {
    await requireSupportedVersion(queriesOn(pool));
    await inTransaction(pool, (session) => migrate(queriesOn(session), (text) => session.unsafe(text)));
  } catch (error) {
    await pool.end({ timeout: 1 });
    if (error instanceof StartupProblem) throw error;
    throw unreachable(databaseUrl, error);
  }
  const gate = new Gate(pool);
  return {
    ...queriesOn(pool),
    kind: 'postgres',
    runText: async (text, values = []) => {
      if (values.length > 0) return queriesOn(pool).runText(text, values);
      gate.requireOpen();
      return runScript(pool, text);
    },
    listen: (channel, listener) => gate.listen(channel, listener),
    transaction: async (work) => {
      gate.requireOpen();
      return inTransaction(pool, (session) => work(queriesOn(session)));
    },
    async ping() {
      await pool`SELECT 1`;
      // It tells of it only to those who store something.
      return { isFull: false };
    },
    async maintain() {
      // PostgreSQL checkpoints and vacuums by itself.
    },
    async close() {
      await gate.close();
      await pool.end({ timeout: 5 });
    },
  };
}

/**
 * Keeps what comes too late away from the driver: it connects anew for whoever reserves a connection or listens, also when
 * the pool has ended, and that connection would keep the process from ending.
 */
class Gate {
  readonly #pool: postgres.Sql;
  readonly #listening = new Set<Promise<() => Promise<void>>>();
  #closed = false;

  constructor(pool: postgres.Sql) {
    this.#pool = pool;
  }

  requireOpen(): void {
    if (this.#closed) throw Object.assign(new Error('the database is closed'), { code: 'CONNECTION_ENDED' });
  }

  async listen(channel: string, { onMessage, onListening }: Listener): Promise<() => Promise<void>> {
    this.requireOpen();
    const begun = this.#pool.listen(channel, onMessage, onListening).then(({ unlisten }) => unlisten);
    this.#listening.add(begun);
    const unlisten = await begun;
    return async () => {
      if (this.#listening.delete(begun)) await unlisten();
    };
  }

  /** Whoever is still listening would connect anew as often as the connection ends. */
  async close(): Promise<void> {
    this.#closed = true;
    const begun = [...this.#listening];
    this.#listening.clear();
    await Promise.all(begun.map((one) => one.then((unlisten) => unlisten()).catch(() => {})));
  }
}

/** Rejects when the database is not answering: waiting requests would only pile up. */
const answered = <Result>(work: Promise<Result>): Promise<Result> =>
  inTime(work.catch(throwAsDatabaseError), patienceMs, () => {
    throw Object.assign(new Error('the database did not answer in time'), { code: 'CONNECT_TIMEOUT' });
  });

async function reserveInTime(pool: postgres.Sql): Promise<postgres.ReservedSql> {
  const reserved = pool.reserve();
  try {
    return await answered(reserved);
  } catch (error) {
    // Whenever it comes after all, it goes straight back.
    reserved.then((session) => session.release()).catch(() => {});
    throw error;
  }
}

/**
 * A connection of its own for the whole transaction. The driver's own `begin` can send BEGIN on a connection that
 * others use as well when many start at once, which fails them or mixes their work.
 */
async function inTransaction<Result>(
  pool: postgres.Sql,
  work: (session: postgres.ReservedSql) => Promise<Result>,
): Promise<Result> {
  const session = await reserveInTime(pool);
  try {
    await session.unsafe('BEGIN').catch(throwAsDatabaseError);
    const result = await work(session);
    await session.unsafe('COMMIT').catch(throwAsDatabaseError);
    return result;
  } catch (error) {
    // When the connection is gone this fails too, and the server has rolled back by itself.
    await session.unsafe('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    session.release();
  }
}

const queriesOn = (session: Pick<postgres.Sql, 'unsafe'>): Queries => ({
  async query<Row>(statement: Sql) {
    const { text, parameters } = statement.render();
    return answered<Row[]>(
      session.unsafe<(Row & object)[]>(text, parameters as postgres.ParameterOrJSON<never>[], {
        prepare: true,
      }),
    );
  },
  async queryBytes<Row>(statement: Sql) {
    const { text, parameters } = statement.render();
    const rows = await answered(
      session.unsafe(text, parameters as postgres.ParameterOrJSON<never>[], { prepare: true }).raw(),
    );
    const { columns } = rows;
    return rows.map((row) => readRow(row, columns) as Row);
  },
  runText: (text, values = []) =>
    answered(session.unsafe(text, values as postgres.ParameterOrJSON<never>[], { prepare: true })),
});

const jsonType = 114;

/** A row as the driver would make it, with JSON left as it is. */
function readRow(values: readonly (Buffer | null)[], columns: postgres.ColumnList<string>): object {
  const row: Record<string, unknown> = {};
  for (const [index, { name, type, parser }] of columns.entries()) {
    const value = values[index] ?? null;
    if (value === null || type === jsonType) row[name] = value;
    else if (!parser) row[name] = value.toString();
    // The driver's parsers of lists begin behind the bracket.
    else row[name] = parser(value.toString('utf8', 'array' in parser ? 1 : 0));
  }
  return row;
}

/** Several statements on a connection of their own, on which a block that fails is rolled back. */
async function runScript(pool: postgres.Sql, text: string): Promise<unknown[]> {
  const session = await reserveInTime(pool);
  try {
    return (await session.unsafe(text)).flat();
  } catch (error) {
    await session.unsafe('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    session.release();
  }
}

async function requireSupportedVersion(session: Queries): Promise<void> {
  const [row] = await session.query<{ version: number }>(
    sql`SELECT current_setting('server_version_num')::int AS version`,
  );
  const major = Math.floor((row?.version ?? 0) / 10_000);
  if (major < oldestMajor) {
    throw new StartupProblem(
      `DATABASE_URL names a PostgreSQL ${major}; Pullquote needs ${oldestMajor} or newer. Upgrade it, ` +
        'or unset DATABASE_URL to use the embedded database.',
    );
  }
}

/** Says which server and why, without the password that the address may hold. */
function unreachable(databaseUrl: string, error: unknown): StartupProblem {
  const { hostname, port, pathname } = new URL(databaseUrl);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = (error instanceof Error && error.message) || code || String(error);
  return new StartupProblem(
    `Cannot use the database ${pathname.slice(1)} at ${hostname}:${port || 5432}: ${reason}. ` +
      'Check DATABASE_URL and that the server runs, or unset it to use the embedded database.',
    { cause: error },
  );
}
