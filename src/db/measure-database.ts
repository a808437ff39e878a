import type { Series } from '../metrics/exposition.ts';
import type { DatabaseError, DatabaseMetrics } from '../metrics/metrics.ts';
import { inSpan } from '../metrics/spans.ts';
import { type Database, type Queries, shorthands } from './database.ts';
import { asDatabaseFailure, isDatabaseAway } from './failures.ts';

/** A database whose transactions are spans, and whose statements are measured where anything is. */
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
  const measure = <Rows>(asked: Promise<Rows>): Promise<Rows> =>
    timed(metrics.statements, asked, (error) => metrics.countError(reasonOf(error)));
  return {
    ...shorthands,
    query: (statement) => measure(queries.query(statement)),
    queryBytes: (statement) => measure(queries.queryBytes(statement)),
    runScript: (text) => measure(queries.runScript(text)),
  };
}

/** Two callbacks on the promise itself: an async function around it would cost another turn of the event loop's queue. */
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

function reasonOf(error: unknown): DatabaseError {
  const code = asDatabaseFailure(error)?.code;
  if (code === 'STORAGE_FULL') return 'full';
  if (code !== 'UNAVAILABLE') return 'other';
  return isDatabaseAway(error) ? 'away' : 'given_up';
}
