import { setTimeout } from 'node:timers/promises';
import { accountGone, Failure, ReadOnlyFailure } from '../domain/errors.ts';
import type { JobError } from '../domain/jobs.ts';

/** The SQLSTATE of a write on a standby or in a read-only transaction. */
export const readOnlyState = '25006';

/** SQLSTATE codes of PostgreSQL, and codes of postgres.js for a lost connection. */
const storageFull = /^(53100|ENOSPC|EDQUOT)$/;
const foreignKeyViolation = '23503';
const unavailable = /^(08...|57P0[1-5]|53300|CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED))$/;

/** Timeout of a statement, timeout of a lock, deadlock, timeout of an idle transaction, and a conflict on a standby. */
const givenUp = /^(57014|55P03|40P01|25P03|40001)$/;

/** Codes of Node for a lost connection, which HTTP clients share. */
const lostConnection = /^(ECONNREFUSED|ECONNRESET|ENOENT|ENOTFOUND|EPIPE|ETIMEDOUT)$/;

/** Rethrows an error. If it is about a connection, its message names the database or the full disk. */
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

/** Returns null for an error that is a bug and no problem of the database. */
export function asDatabaseFailure(error: unknown): Failure | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (storageFull.test(code)) {
      return new Failure('STORAGE_FULL', 'The disk is full. Free some space and try again.', {
        cause: error,
      });
    }
    if (code === foreignKeyViolation) {
      const gone = whatIsGone(cause, error);
      if (gone) return gone;
    }
    if (code === readOnlyState) return new ReadOnlyFailure(error);
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

/** The error that a failed job shows; `unexplained` if only the log may say more. */
export function asJobError(error: unknown, unexplained: string, now: Date): JobError {
  const failure = error instanceof Failure ? error : asDatabaseFailure(error);
  if (!failure) return { code: 'INTERNAL', message: unexplained };
  const { code, message, details, headers } = failure;
  const seconds = Number(headers['retry-after'] ?? 0);
  const retryAt = new Date(now.getTime() + seconds * 1000).toISOString();
  return { code, message, ...(details && { details }), ...(seconds > 0 && { retryAt }) };
}

/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint violation). */
export const isRefusedData = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && /^2[23]...$/.test(String(error.code));

/** Whether the database is unreachable, so that a retry would fail too. */
export function isDatabaseAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && (unavailable.test(String(cause.code)) || isReadOnlyError(cause))) return true;
  return false;
}

export const isReadOnlyError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === readOnlyState;

/** Whether a write failed because the disk is full or there is no primary, which reads can do without. */
export const isUnstorable = (error: unknown): boolean =>
  isStorageFull(error) || asDatabaseFailure(error) instanceof ReadOnlyFailure;

export function isStorageFull(error: unknown): boolean {
  return (error instanceof Failure ? error : asDatabaseFailure(error))?.code === 'STORAGE_FULL';
}

/** The missing row by the name of the violated foreign key, which contains the column. */
function whatIsGone(cause: Error, error: unknown): Failure | null {
  const constraint = 'constraint_name' in cause ? String(cause.constraint_name) : '';
  if (/_(user|identity)_id_fkey$/.test(constraint)) return accountGone(error);
  if (/_pull_request_id_fkey$/.test(constraint))
    return new Failure('PULL_REQUEST_NOT_FOUND', 'This pull request does not exist. Check the number.', {
      cause: error,
    });
  if (/_article_id(?:_language_code)?_fkey$/.test(constraint))
    return new Failure(
      'ARTICLE_NOT_FOUND',
      'This article does not exist. GET /articles lists the articles you have access to.',
      {
        cause: error,
      },
    );
  return null;
}

const busyForMs = 60_000;
const pauseMs = 100;

/**
 * Retries while other sessions hold locks, because those of a killed process last some seconds. Only for idempotent
 * work.
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
