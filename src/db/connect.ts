import type { Series } from '../metrics/exposition.ts';
import type { DatabaseError, DatabaseMetrics } from '../metrics/metrics.ts';
import { inSpan } from '../metrics/spans.ts';
import { type Database, type Queries, shorthands } from './database.ts';
import { asDatabaseFailure, isDatabaseAway } from './failures.ts';
import { openLocalServer } from './local-server/local-server.ts';
import { openPostgres } from './postgres.ts';

interface DatabaseConfig {
  databaseUrl: string | undefined;
  databaseConnections?: number;
  dataFolder: string;
  postgresBin?: string | undefined;
}

interface How {
  /** `serve` starts the local server; other commands use its server while it runs. */
  command: string;
  announce: (sentence: string) => void;
  patienceMs?: number | undefined;
  migrates?: boolean;
}

export async function connectDatabase(
  { databaseUrl, databaseConnections: connections, dataFolder, postgresBin }: DatabaseConfig,
  { command, announce, patienceMs, migrates = true }: How,
): Promise<Database> {
  const settings = { connections, patienceMs, migrates };
  if (databaseUrl) return openPostgres(databaseUrl, settings);
  const server = await openLocalServer({
    dataFolder,
    postgresBin,
    command,
    announce,
    // Twice the connections of `serve`, because other commands connect to the same server.
    settings: { max_connections: String(2 * (connections ?? 10) + 30) },
  });
  try {
    const database = await openPostgres(server.url, { ...settings, isDiskFull: server.isFull });
    return {
      ...database,
      isStopped: () => !server.isRunning(),
      async close() {
        await database.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Records transactions as spans and, if there are metrics, measures statements. */
export function measureDatabase<Measured extends Database>(
  database: Measured,
  metrics: DatabaseMetrics | null,
): Measured {
  const attributes = { 'db.system.name': 'postgresql' };
  const transaction: Database['transaction'] = (work, how) =>
    inSpan('database transaction', attributes, () => {
      if (!metrics) return database.transaction(work, how);
      return timed(
        metrics.transactions,
        database.transaction((tx) => work(measureQueries(tx, metrics)), how),
      );
    });
  return { ...database, ...(metrics && measureQueries(database, metrics)), transaction };
}

function measureQueries(queries: Queries, metrics: DatabaseMetrics): Queries {
  const measure = <Rows>(result: Promise<Rows>): Promise<Rows> =>
    timed(metrics.statements, result, (error) => metrics.countError(databaseReason(error)));
  return {
    ...shorthands,
    query: (statement) => measure(queries.query(statement)),
    queryBytes: (statement) => measure(queries.queryBytes(statement)),
    runScript: (text) => measure(queries.runScript(text)),
  };
}

/** Not an async function, because that would cost another turn of the microtask queue for each statement. */
function timed<Result>(
  series: Series,
  work: Promise<Result>,
  onError: (error: unknown) => void = () => {},
): Promise<Result> {
  const start = performance.now();
  return work.then(
    (result) => {
      series.observe((performance.now() - start) / 1000);
      return result;
    },
    (error: unknown) => {
      series.observe((performance.now() - start) / 1000);
      onError(error);
      throw error;
    },
  );
}

function databaseReason(error: unknown): DatabaseError {
  const code = asDatabaseFailure(error)?.code;
  if (code === 'STORAGE_FULL') return 'full';
  if (code !== 'UNAVAILABLE') return 'other';
  return isDatabaseAway(error) ? 'away' : 'given_up';
}
