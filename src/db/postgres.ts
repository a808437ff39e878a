import type postgres from 'postgres';
import { StartupProblem } from '../domain/errors.ts';
import {
  type Connection,
  ConnectionPool,
  connectionEnded,
  createClient,
  type ServerAccess,
  usualPatienceMs,
} from './connection-pool.ts';
import { type Database, type Listener, type Queries, shorthands } from './database.ts';
import { migrate } from './migrate.ts';
import { type Sql, sql, textOfList } from './sql.ts';

const oldestMajor = 15;

interface PostgresSettings {
  /** How many connections there are at most, beside the three that listen for notifications. */
  connections?: number | undefined;
  patienceMs?: number | undefined;
  /** Whether the schema is brought up to date. */
  migrates?: boolean;
  /** Whether this process knows that the disk of the server is full. */
  isDiskFull?: () => boolean;
}

export async function openPostgres(
  databaseUrl: string,
  {
    connections = 10,
    patienceMs = usualPatienceMs,
    migrates = true,
    isDiskFull = notKnown,
  }: PostgresSettings = {},
): Promise<Database> {
  const access = { databaseUrl, patienceMs, isDiskFull };
  const pool = new ConnectionPool(access, connections);
  try {
    await pool.use(async (connection) => {
      await requireSupportedVersion(queriesThrough((ask) => ask(connection)));
      // However long it takes: it may have to wait for another process that is doing the same.
      if (migrates) await inTransaction(connection, (tx) => migrate(tx), { hurry: false });
    });
  } catch (error) {
    await pool.close();
    if (error instanceof StartupProblem) throw error;
    throw unreachable(databaseUrl, error);
  }
  const notifications = new Notifications(access);
  const queries = queriesThrough((ask) => pool.share(ask));
  return {
    ...queries,
    runScript: (text) => pool.use((connection) => runScript(connection, text)),
    listen: (channel, listener) => notifications.listen(channel, listener),
    transaction: (work, how) => pool.use((connection) => inTransaction(connection, work, how)),
    async ping() {
      if (isDiskFull()) return { isFull: true };
      await queries.query(sql`SELECT 1`);
      return { isFull: false };
    },
    isStopped: () => false,
    load: () => pool.load,
    async close() {
      await notifications.close();
      await pool.close();
    },
  };
}

/** A server elsewhere reports a full disk only to statements that write. */
const notKnown = () => false;

/** Asks a server something as it is: nothing is brought up to date, and no version is refused. */
export async function askPostgres<Result>(
  databaseUrl: string,
  ask: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  const pool = new ConnectionPool({ databaseUrl, patienceMs: usualPatienceMs, isDiskFull: notKnown }, 1);
  try {
    return await ask(queriesThrough((question) => pool.share(question)));
  } catch (error) {
    throw unreachable(databaseUrl, error);
  } finally {
    await pool.close();
  }
}

/** When the connection is lost, the server rolls back by itself. */
function inTransaction<Result>(
  connection: Connection,
  work: (tx: Queries) => Promise<Result>,
  asking: Asking = {},
): Promise<Result> {
  const run = (command: string) => connection.ask((client) => client.unsafe(command), asking);
  return runTransaction(
    {
      queries: queriesThrough((ask) => ask(connection), asking),
      begin: () =>
        run(
          asking.hurry === false
            ? 'BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0'
            : 'BEGIN',
        ),
      commit: async () => (await run('COMMIT')).command,
      rollBack: () => rollBack(connection),
    },
    work,
  );
}

/** A connection on which that fails may still be inside of a transaction: it is not used again. */
async function rollBack(connection: Connection): Promise<void> {
  if (!connection.isUsable) return;
  await connection.ask((client) => client.unsafe('ROLLBACK')).catch(() => connection.end());
}

interface Asking {
  hurry?: boolean;
}

function queriesThrough(
  use: <Rows>(ask: (connection: Connection) => Promise<Rows>) => Promise<Rows>,
  asking: Asking = {},
): Queries {
  const run = <Rows extends object[]>(text: string, values: unknown[]) =>
    use((connection) =>
      connection.ask((client) => client.unsafe<Rows>(text, parametersOf(values), { prepare: true }), asking),
    );
  return {
    ...shorthands,
    runScript: (text) => use((connection) => connection.ask((client) => client.unsafe(text), asking)),
    async query<Row>(statement: Sql) {
      const { text, parameters } = statement.render();
      return run<(Row & object)[]>(text, parameters);
    },
    async queryBytes<Row>(statement: Sql) {
      const { text, parameters } = statement.render();
      const rows = await use((connection) =>
        connection.ask(
          (client) => client.unsafe(text, parametersOf(parameters), { prepare: true }).raw(),
          asking,
        ),
      );
      const { columns } = rows;
      return rows.map((row) => readRow(row, columns) as Row);
    },
  };
}

const parametersOf = (values: unknown[]) =>
  values.map((value) =>
    Array.isArray(value) ? textOfList(value) : value,
  ) as postgres.ParameterOrJSON<never>[];

const jsonType = 114;

/** A row as the driver would make it, with JSON left as it is. */
function readRow(values: readonly (Buffer | null)[], columns: postgres.ColumnList<string>): object {
  const row: Record<string, unknown> = {};
  for (const [index, { name, type, parser }] of columns.entries()) {
    const value = values[index] ?? null;
    if (value === null || type === jsonType) row[name] = value;
    else row[name] = parser ? parser(value.toString()) : value.toString();
  }
  return row;
}

/** Several statements, of which a block that fails is rolled back. */
async function runScript(connection: Connection, text: string): Promise<unknown[]> {
  try {
    return (await connection.ask((client) => client.unsafe(text))).flat();
  } catch (error) {
    await rollBack(connection);
    throw error;
  }
}

async function requireSupportedVersion(session: Queries): Promise<void> {
  const [row] = await session.query<{ version: number }>(sql`
    SELECT current_setting('server_version_num')::int AS version`);
  requireSupportedMajor(Math.floor((row?.version ?? 0) / 10_000));
}

export function requireSupportedMajor(major: number): void {
  if (major >= oldestMajor) return;
  throw new StartupProblem(
    `DATABASE_URL names a PostgreSQL ${major}; Pullquote needs ${oldestMajor} or newer. Upgrade it, ` +
      'or unset DATABASE_URL to use a local PostgreSQL.',
  );
}

/** Says which server and why, without the password that the address may hold. */
function unreachable(databaseUrl: string, error: unknown): StartupProblem {
  const { hostname, port, pathname } = new URL(databaseUrl);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = (error instanceof Error && error.message) || code || String(error);
  return new StartupProblem(
    `Cannot use the database ${pathname.slice(1)} at ${hostname}:${port || 5432}: ${reason}. ` +
      'Check DATABASE_URL and that the server runs, or unset it to use a local PostgreSQL.',
    { cause: error },
  );
}

interface Session {
  queries: Queries;
  begin: () => Promise<unknown>;
  /** Settles with what the database says that it has done. */
  commit: () => Promise<string | undefined>;
  /** Undoes what has begun, whatever became of it. Never rejects. */
  rollBack: () => Promise<void>;
}

const rolledBack = (cause?: unknown) =>
  Object.assign(
    new Error('The transaction was rolled back, because a statement in it had failed.', { cause }),
    { code: '25P02' },
  );

/**
 * Commits when the work is done and no statement of it has failed, not even one whose failure the work has passed over:
 * what was given up may have been done or not. Rolls back otherwise.
 */
async function runTransaction<Result>(
  { queries, begin, commit, rollBack }: Session,
  work: (tx: Queries) => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  let failure: unknown;
  const within = async <Rows>(ask: () => Promise<Rows>): Promise<Rows> => {
    if (isOver) throw new Error('The transaction is over.');
    try {
      return await ask();
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  let result: Result;
  try {
    await begin();
    result = await work({
      ...shorthands,
      query: (statement) => within(() => queries.query(statement)),
      runScript: (text) => within(() => queries.runScript(text)),
      queryBytes: (statement) => within(() => queries.queryBytes(statement)),
    });
    if (failure) throw rolledBack(failure);
  } catch (error) {
    isOver = true;
    await rollBack();
    throw error;
  }
  isOver = true;
  if ((await commit()) === 'COMMIT') return result;
  throw rolledBack();
}

/**
 * What other processes say through the database. Each channel has a connection of its own: where one client listens to several,
 * the driver begins to connect more than once after a connection is lost, and may end up without any.
 */
class Notifications {
  readonly #access: ServerAccess;
  readonly #stops = new Set<() => Promise<void>>();
  #isClosed = false;

  constructor(access: ServerAccess) {
    this.#access = access;
  }

  async listen(channel: string, { onMessage, onListening }: Listener): Promise<() => Promise<void>> {
    if (this.#isClosed) throw connectionEnded();
    const client = createClient(this.#access);
    const begun = client.listen(channel, onMessage, onListening);
    const stop = async () => {
      if (!this.#stops.delete(stop)) return;
      // The driver would connect anew for as long as a channel is listened to, and the process would not end.
      await begun.then(({ unlisten }) => unlisten()).catch(() => {});
      await client.end({ timeout: 5 });
    };
    this.#stops.add(stop);
    await begun;
    return stop;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#stops].map((stop) => stop()));
  }
}
