/** Whether exhaustive tables run whole, as `npm run test:full` has them. */
export const runsWholeTables = process.env.TEST_FULL === 'true';

/** The rows of an exhaustive table that this run is about: all of them, or the first of each kind. */
export function rowsToRun<Row>(rows: readonly Row[], kindOf: (row: Row) => string): Row[] {
  if (runsWholeTables) return [...rows];
  return rows.filter((row, at) => rows.findIndex((other) => kindOf(other) === kindOf(row)) === at);
}

/** For tests beside a table that take long and protect what a shorter one protects already. */
export const onlyInFull = { skip: runsWholeTables ? false : 'runs in npm run test:full' };
