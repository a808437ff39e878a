import type { Exposition } from './exposition.ts';

/** Why a statement failed: nothing answers, there is no room, it was given up, or it was wrong. */
export type DatabaseError = 'away' | 'full' | 'given_up' | 'other';

export type DatabaseMetrics = ReturnType<typeof createDatabaseMetrics>;

export function createDatabaseMetrics(exposition: Exposition) {
  const durations = exposition.histogram({
    name: 'database_duration_seconds',
    help: 'How long statements and whole transactions took, waiting for their turn included.',
    labels: ['kind'],
    bounds: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
  });
  const errors = exposition.counter('database_errors_total', 'Statements that failed, by reason.', [
    'reason',
  ]);
  return {
    statements: durations.series(['statement']),
    transactions: durations.series(['transaction']),
    countError: (reason: DatabaseError): void => errors.inc({ reason }),
  };
}
