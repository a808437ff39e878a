import { accountGone, Failure } from '../domain/errors.ts';

/** SQLSTATE classes and codes of PostgreSQL, and the codes of Node and postgres.js for a lost connection. */
const storageFull = /^(53100|ENOSPC|EDQUOT)$/;
const foreignKeyViolation = '23503';
const unavailable =
  /^(08...|57P0[1-5]|53300|ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT|CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED))$/;

/** The embedded database gives this no code. */
const embeddedClosed = 'PGlite is closed';

/** What a failed query means to a caller, or null when it is no trouble of the database but a bug of ours. */
export function asDatabaseFailure(error: unknown): Failure | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (storageFull.test(code)) {
      return new Failure(
        'STORAGE_FULL',
        'There is no room left to store this. Free some disk space and try again.',
        {
          cause: error,
        },
      );
    }
    if (code === foreignKeyViolation && refersToUser(cause)) return accountGone(error);
    if (unavailable.test(code) || cause.message === embeddedClosed) {
      return new Failure(
        'UNAVAILABLE',
        'The database cannot be reached at the moment. Try again in a few seconds.',
        {
          cause: error,
        },
      );
    }
  }
  return null;
}

/** The constraints that tie something to its user are named after the column; the drivers call the field differently. */
function refersToUser(cause: Error): boolean {
  const constraint =
    'constraint_name' in cause ? cause.constraint_name : 'constraint' in cause && cause.constraint;
  return typeof constraint === 'string' && /_(user|identity)_id_fkey$/.test(constraint);
}
