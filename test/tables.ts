/** Whether exhaustive tables run completely, as in `npm run test:full`. */
export const runsWholeTables = process.env.TEST_FULL === 'true';

/** The rows of an exhaustive table to run: all of them, or the first of each kind. */
export function rowsToRun<Row>(rows: readonly Row[], kindOf: (row: Row) => string): Row[] {
  if (runsWholeTables) return [...rows];
  return rows.filter((row, at) => rows.findIndex((other) => kindOf(other) === kindOf(row)) === at);
}

/** Skips a slow test without --full, when a faster one covers the same. */
export const onlyInFull = { skip: runsWholeTables ? false : 'runs in npm run test:full' };
