import type postgres from 'postgres';
import { nameServer } from '../domain/database-address.ts';
import { StartupProblem } from '../domain/errors.ts';
import { type Connection, ConnectionPool, usualPatienceMs } from './connection-pool.ts';
import { type Database, type Queries, shorthands } from './database.ts';
import { migrate } from './migrate.ts';
import { Notifications } from './notifications.ts';
import { Servers } from './servers.ts';
import { type Sql, sql, textOfList } from './sql.ts';

const oldestMajor = 15;

interface PostgresSettings {
  /** One more connection listens for notifications. */
  connections?: number | undefined;
  patienceMs?: number | undefined;
  migrates?: boolean;
  isDiskFull?: () => boolean;
  idleMs?: number | undefined;
}

export async function openPostgres(
  databaseUrl: string,
  {
    connections = 10,
    patienceMs = usualPatienceMs,
    migrates = true,
    isDiskFull = notKnown,
    idleMs,
  }: PostgresSettings = {},
): Promise<Database> {
  const servers = new Servers(databaseUrl, patienceMs, { readsStandby: !migrates });
  const access = { servers, patienceMs, isDiskFull };
  const pool = new ConnectionPool(access, connections, idleMs);
  try {
    await pool.use(async (connection) => {
      await requireSupportedVersion(queriesThrough((ask) => ask(connection)));
      if (migrates) await upgrade(connection);
    });
  } catch (error) {
    await pool.close();
    if (error instanceof StartupProblem) throw error;
    throw unreachableDatabase(servers, error);
  }
  const notifications = new Notifications(access);
  const queries = queriesThrough((ask) => pool.share(ask));
  servers.onReadOnly = () => notifications.sayReadOnly();
  return {
    ...queries,
    query: (statement) =>
      statement.hides
        ? servers.whileHiding((begin) => noting(queries, begin).query(statement))
        : queries.query(statement),
    runScript: (text) => pool.use((connection) => runScript(connection, text)),
    listen: (channel, listener) => notifications.listen(channel, listener),
    transaction: (work, how) =>
      servers.whileHiding((begin) =>
        pool.use((connection) => inTransaction(connection, (tx) => work(noting(tx, begin)), how)),
      ),
    async ping() {
      if (isDiskFull()) return { isFull: true };
      await queries.query(sql`SELECT 1`);
      return { isFull: false };
    },
    isStopped: () => false,
    isReadOnly: () => servers.isReadOnly,
    noteHidden: () => servers.noteHidden(),
    load: () => pool.load,
    async close() {
      await notifications.close();
      await pool.close();
    },
  };
}

/** Calls `onHiding` before each statement that hides something. */
const noting = (queries: Queries, onHiding: () => void): Queries => ({
  ...queries,
  query(statement) {
    if (statement.hides) onHiding();
    return queries.query(statement);
  },
});

/**
 * Without a timeout, because another process may be migrating. Repeated after a deadlock with an older process that
 * still writes.
 */
async function upgrade(connection: Connection): Promise<void> {
  try {
    await inTransaction(connection, (tx) => migrate(tx), { hurry: false });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '40P01')) throw error;
    await upgrade(connection);
  }
}

/** A remote server reports a full disk only to statements that write. */
const notKnown = () => false;

/** Connects without migrating and without checking the version of the schema. */
export async function queryPostgres<Result>(
  databaseUrl: string,
  ask: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  const servers = new Servers(databaseUrl, usualPatienceMs, { readsStandby: true });
  const pool = new ConnectionPool({ servers, patienceMs: usualPatienceMs, isDiskFull: notKnown }, 1);
  try {
    return await ask(queriesThrough((question) => pool.share(question)));
  } catch (error) {
    throw unreachableDatabase(servers, error);
  } finally {
    await pool.close();
  }
}

/**
 * Commits when the work is done, unless a statement failed, even one whose error the work ignored: its effect may be
 * unknown.
 */
async function inTransaction<Result>(
  connection: Connection,
  work: (tx: Queries) => Promise<Result>,
  asking: Asking = {},
): Promise<Result> {
  const run = (command: string) => connection.ask((client) => client.unsafe(command), asking);
  const queries = queriesThrough((ask) => ask(connection), asking);
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
    const withoutTimeouts = '; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0';
    await run(asking.hurry === false ? `BEGIN${withoutTimeouts}` : 'BEGIN');
    result = await work({
      ...shorthands,
      query: (statement) => within(() => queries.query(statement)),
      runScript: (text) => within(() => queries.runScript(text)),
      queryBytes: (statement) => within(() => queries.queryBytes(statement)),
    });
    if (failure) throw rolledBack(failure);
  } catch (error) {
    isOver = true;
    await rollBack(connection);
    throw error;
  }
  isOver = true;
  if ((await run('COMMIT')).command === 'COMMIT') return result;
  throw rolledBack();
}

const rolledBack = (cause?: unknown) =>
  Object.assign(
    new Error('The transaction was rolled back, because a statement in it had failed.', { cause }),
    { code: '25P02' },
  );

/** A connection that fails to roll back may still be in a transaction, so it is not used again. */
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
      connection.ask((client) => client.unsafe<Rows>(text, sqlParameters(values), { prepare: true }), asking),
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
          (client) => client.unsafe(text, sqlParameters(parameters), { prepare: true }).raw(),
          asking,
        ),
      );
      const { columns } = rows;
      return rows.map((row) => readRow(row, columns) as Row);
    },
  };
}

const sqlParameters = (values: unknown[]) =>
  values.map((value) =>
    Array.isArray(value) ? textOfList(value) : value,
  ) as postgres.ParameterOrJSON<never>[];

const jsonType = 114;

/** Builds a row as the driver would, but leaves JSON as bytes. */
function readRow(values: readonly (Buffer | null)[], columns: postgres.ColumnList<string>): object {
  const row: Record<string, unknown> = {};
  for (const [index, { name, type, parser }] of columns.entries()) {
    const value = values[index] ?? null;
    if (value === null || type === jsonType) row[name] = value;
    else row[name] = parser ? parser(value.toString()) : value.toString();
  }
  return row;
}

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
    `DATABASE_URL points to PostgreSQL ${major}; Pullquote needs ${oldestMajor} or newer.`,
    { remedy: 'Upgrade it, or unset DATABASE_URL to use a local PostgreSQL.' },
  );
}

/** The address may contain a password, so only hosts, ports and name are printed. */
function unreachableDatabase({ address: { hosts, database } }: Servers, error: unknown): StartupProblem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = (error instanceof Error && error.message) || code || String(error);
  const servers = hosts.map(nameServer).join(', ');
  return new StartupProblem(`Cannot use the database ${database} at ${servers}: ${reason}.`, {
    remedy: 'Check DATABASE_URL and that the server is running, or unset it to use a local PostgreSQL.',
    cause: error,
  });
}
