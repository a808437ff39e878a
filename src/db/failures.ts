import { accountGone, Failure } from '../domain/errors.ts';

/** SQLSTATE classes and codes of PostgreSQL, and the codes of postgres.js for a lost connection. */
const storageFull = /^(53100|ENOSPC|EDQUOT)$/;
const foreignKeyViolation = '23503';
const unavailable = /^(08...|57P0[1-5]|53300|CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED))$/;

/** Took too long, waited too long for a lock, waited for each other, stood still in the middle of a transaction. */
const givenUp = /^(57014|55P03|40P01|25P03)$/;

/** Codes of Node for a connection that is lost. They do not say whose it was: a reader who hangs up has them too. */
const lostConnection = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT)$/;

/** Throws an error on; one about a connection then says that it was the database's. */
export function throwAsDatabaseError(error: unknown): never {
  const isLost = error instanceof Error && 'code' in error && lostConnection.test(String(error.code));
  if (!isLost) throw error;
  const lost = new Error(`the connection to the database is lost (${error.code})`, { cause: error });
  throw Object.assign(lost, { code: 'CONNECTION_CLOSED' });
}

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
    if (unavailable.test(code) || givenUp.test(code)) {
      return new Failure(
        'UNAVAILABLE',
        'The database does not answer at the moment. Try again in a few seconds.',
        {
          cause: error,
        },
      );
    }
  }
  return null;
}

/** Whether something was not stored because there is no room for it. */
export function isStorageFull(error: unknown): boolean {
  return (error instanceof Failure ? error : asDatabaseFailure(error))?.code === 'STORAGE_FULL';
}

/** The constraints that tie something to its user are named after the column. */
function refersToUser(cause: Error): boolean {
  const constraint = 'constraint_name' in cause && cause.constraint_name;
  return typeof constraint === 'string' && /_(user|identity)_id_fkey$/.test(constraint);
}
