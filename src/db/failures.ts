import { setTimeout } from 'node:timers/promises';
import { accountGone, Failure } from '../domain/errors.ts';

/** SQLSTATE classes and codes of PostgreSQL, and the codes of postgres.js for a lost connection. */
const storageFull = /^(53100|ENOSPC|EDQUOT)$/;
const foreignKeyViolation = '23503';
const unavailable = /^(08...|57P0[1-5]|53300|CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED))$/;

/** Took too long, waited too long for a lock, waited for each other, stood still in the middle of a transaction. */
const givenUp = /^(57014|55P03|40P01|25P03)$/;

/** Codes of Node for a connection that is lost. They do not say whose it was: a reader who hangs up has them too. */
const lostConnection = /^(ECONNREFUSED|ECONNRESET|ENOENT|ENOTFOUND|EPIPE|ETIMEDOUT)$/;

/** Throws an error on; one about a connection then says that it was the database's, or that its disk is full. */
export function throwAsDatabaseError(error: unknown, isDiskFull: () => boolean): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isLost = lostConnection.test(code);
  if (!isLost && !unavailable.test(code)) throw error;
  if (isDiskFull())
    throw Object.assign(new Error('the disk of the database is full', { cause: error }), { code: 'ENOSPC' });
  if (!isLost) throw error;
  const lost = new Error(`the connection to the database is lost (${code})`, { cause: error });
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
    if (code === foreignKeyViolation) {
      const gone = whatIsGone(cause, error);
      if (gone) return gone;
    }
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

/** Whether the database refused a value or a row: classes 22 (data exception) and 23 (integrity constraint violation). */
export const isRefusedData = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && /^2[23]...$/.test(String(error.code));

/** Whether the database is away: what is retried at once would fail too. */
export function isDatabaseAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && unavailable.test(String(cause.code))) return true;
  return false;
}

/** Whether something was not stored because there is no room for it. */
export function isStorageFull(error: unknown): boolean {
  return (error instanceof Failure ? error : asDatabaseFailure(error))?.code === 'STORAGE_FULL';
}

/** What was deleted or removed in this moment; the constraints that tie other rows to it are named after the column. */
function whatIsGone(cause: Error, error: unknown): Failure | null {
  const constraint = 'constraint_name' in cause ? String(cause.constraint_name) : '';
  if (/_(user|identity)_id_fkey$/.test(constraint)) return accountGone(error);
  if (/_pull_request_id_fkey$/.test(constraint))
    return new Failure('PULL_REQUEST_NOT_FOUND', 'There is no such pull request. Check the number.', {
      cause: error,
    });
  if (/_article_id(?:_language_code)?_fkey$/.test(constraint))
    return new Failure(
      'ARTICLE_NOT_FOUND',
      'There is no such article. GET /articles lists those that you may see.',
      {
        cause: error,
      },
    );
  return null;
}

/** For how long work is retried that other sessions' locks are in the way of. */
const busyForMs = 60_000;
const pauseMs = 100;

/**
 * Retries what other sessions' locks were in the way of: the server ends what a process left behind that was killed, its
 * locks included, but only after some seconds. For what can be done twice.
 */
export async function retryWhileBusy<Result>(work: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + busyForMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > end || asDatabaseFailure(error)?.code !== 'UNAVAILABLE') throw error;
      await setTimeout(pauseMs);
    }
  }
}
